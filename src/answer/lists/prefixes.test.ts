/** Prefix sets compared with a search through all prefixes, and the depths that they report. */
import { expect, test } from "vitest";
import { seededRandom } from "../../../test/machine/random.ts";
import { PrefixSet } from "./prefixes.ts";

const random = seededRandom(7);
const below = (most: number) => Math.floor(random() * most);

/** Addresses close to one another, so that many are in the prefixes. */
const address = (words: number) =>
  Uint32Array.from({ length: words }, (_, i) => (i === 0 ? 0x14000000 + below(1 << 12) * 0x100 : below(4)));

const bit = (words: Uint32Array, at: number) => (words[at >>> 5]! >>> (31 - (at & 31))) & 1;
const isSame = (a: Uint32Array, b: Uint32Array, bits: number) => {
  for (let at = 0; at < bits; at++) if (bit(a, at) !== bit(b, at)) return false;
  return true;
};

function text(words: Uint32Array, length: number): string {
  const octets = [...words].flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]);
  if (words.length === 1) return `${octets.join(".")}/${length}`;
  const groups = Array.from({ length: 8 }, (_, i) => (octets[2 * i]! * 256 + octets[2 * i + 1]!).toString(16));
  return `${groups.join(":")}/${length}`;
}

test.each([4, 6] as const)("IPv%s: the same results as a search, and minimal depths", (family) => {
  const words = family === 4 ? 1 : 4;
  for (let round = 0; round < 60; round++) {
    const prefixes = Array.from({ length: below(12) }, () => ({
      start: address(words),
      length: below(words * 32) + 1,
    }));
    const set = PrefixSet.of(prefixes.map(({ start, length }) => text(start, length)));
    const has = (client: Uint32Array) => prefixes.some(({ start, length }) => isSame(start, client, length));
    for (let client = address(words), i = 0; i < 20; i++, client = address(words)) {
      expect(set.has(client, family)).toBe(has(client));
      const { depth } = set;
      const flipped = (at: number) => {
        const other = client.slice();
        other[at >>> 5] = (other[at >>> 5]! ^ (1 << (31 - (at & 31)))) >>> 0;
        return other;
      };
      const isIn = has(client);
      let decisive = -1;
      for (let at = depth; at < words * 32; at++) if (set.has(flipped(at), family) !== isIn) decisive = at;
      expect(decisive).toBe(-1);
      if (depth > 0 && !has(client)) expect(prefixes.some(({ start }) => isSame(start, client, depth - 1))).toBe(true);
    }
  }
});

test("values that are not prefixes are ignored, and an address is a prefix with all its bits", () => {
  const set = PrefixSet.of(["192.0.2.1", "192.0.2.0/33", "x", 7, null, "2001:db8::/129", "1.2.3/8", " 10.0.0.0/8 "]);
  expect(set.has(Uint32Array.of(0xc0000201), 4)).toBe(true);
  expect(set.depth).toBe(32);
  expect(set.has(Uint32Array.of(0xc0000202), 4)).toBe(false);
  expect(set.has(Uint32Array.of(0x0a000001), 4)).toBe(true);
  expect(set.has(Uint32Array.of(0x20010db8, 0, 0, 1), 6)).toBe(false);
});

test("the prefix of all addresses has depth 0", () => {
  const set = PrefixSet.of(["0.0.0.0/0", "10.0.0.0/8"]);
  expect([set.has(Uint32Array.of(0xffffffff), 4), set.depth]).toEqual([true, 0]);
});
