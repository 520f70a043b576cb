/** Draws from a seeded generator. */
import type { Random } from "../../../src/lib/random.ts";

export interface Draw {
  readonly random: Random;
  /** A whole number from `least` to `most`. */
  number(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
  /** Several different members, at least one. */
  some<T>(list: readonly T[], most?: number): T[];
  address(): string;
  address6(): string;
  text(): string;
}

export function drawFrom(random: Random): Draw {
  const number = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const pick = <T>(list: readonly T[]): T => list[number(0, list.length - 1)]!;
  const shuffled = <T>(list: readonly T[]) =>
    list
      .map((item) => ({ item, order: random() }))
      .sort((a, b) => a.order - b.order)
      .map(({ item }) => item);
  return {
    random,
    number,
    pick,
    chance: (probability) => random() < probability,
    some: (list, most = list.length) => shuffled(list).slice(0, number(1, Math.min(most, list.length))),
    address: () => `192.0.${number(2, 200)}.${number(1, 254)}`,
    address6: () => `2001:db8:${number(1, 0xffff).toString(16)}::${number(1, 0xffff).toString(16)}`,
    text: () =>
      Array.from({ length: number(1, 30) }, () => pick([...'abcdefghijklmnopqrstuvwxyz0123456789-= ;"\\'])).join(""),
  };
}
