/** Repeatable random numbers. */
import type { Random } from "../../src/lib/random.ts";

/** Makes a small seeded generator (mulberry32): the same seed gives the same numbers everywhere. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Numbers near 1 and near 0 in turn: a choice of every second one. */
export function alternating(): Random {
  let drawn = 0;
  return () => (++drawn % 2 === 0 ? 0 : 0.99);
}
