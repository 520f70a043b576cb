/** Sorting by keys. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sortByKey } from "./sort.ts";

test("items are sorted by key, items with equal keys stay in order, and items after the count stay unchanged", () => {
  const key = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300 }), fc.array(key, { maxLength: 3 }), (given, behind) => {
      const all = [...given, ...behind];
      const items = Int32Array.from(all.keys());
      const keys = Float64Array.from(all);
      sortByKey(items, keys, given.length, new Int32Array(all.length), new Float64Array(all.length));
      const expected = [...given.keys()].sort((a, b) =>
        given[a]! < given[b]! ? -1 : given[a]! > given[b]! ? 1 : a - b,
      );
      expect([...items]).toEqual([...expected, ...behind.map((_, i) => given.length + i)]);
      expect([...keys]).toEqual([...expected.map((i) => given[i]), ...behind]);
    }),
  );
});
