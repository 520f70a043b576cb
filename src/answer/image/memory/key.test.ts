/** Parsed names: hashes ignore case, and depend on the order and boundaries of labels. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { lowerName, scanName } from "../../../dns/wire/name.ts";
import { NameKey } from "./key.ts";

const keyOf = (text: string) => {
  const key = new NameKey(0x12345678, 0x9e3779b1 | 0);
  key.load(scanName(text), 0);
  key.fold(5, key.labels);
  return key;
};

test("a key has the name in lower case and in its original case, and the start of each label", () => {
  const key = keyOf("WwW.Example.");
  expect(Buffer.from(key.octets.subarray(0, key.length)).toString("latin1")).toBe("\x03www\x07example\x00");
  expect([...key.starts.subarray(0, key.labels + 1)]).toEqual([0, 4, 12]);
  expect(key.source).toEqual(scanName("WwW.Example."));
});

test("the fold of a suffix is the fold of the same name alone", () => {
  const label = fc.string({ unit: fc.constantFrom(..."abcXYZ-09"), minLength: 1, maxLength: 12 });
  const names = fc.array(label, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(names, (labels) => {
      const key = keyOf(`${labels.join(".")}.`);
      labels.forEach((_, i) => {
        const suffix = keyOf(`${labels.slice(i).join(".").toUpperCase()}.`);
        expect(key.folds[i]).toBe(suffix.folds[0]);
        expect(key.sameFrom(i, suffix, 0)).toBe(true);
      });
    }),
  );
});

test("names with another order or other boundaries of labels have other hashes", () => {
  const hashes = ["a.b.", "b.a.", "ab.", "a.b.a.", "aa.b.", "a.ab.", "*.b."].map((name) => keyOf(name).folds[0]);
  expect(new Set(hashes).size).toBe(hashes.length);
});

test("the hash of a wildcard is the hash of the name with the label * before it", () => {
  expect(keyOf("x.example.").foldWildcard(1)).toBe(keyOf("*.example.").folds[0]);
});

test("names seldom have the same hash", () => {
  const key = new NameKey(99, 0x85ebca6b | 0);
  const seen = new Set<number>();
  const count = 50_000;
  for (let i = 0; i < count; i++) {
    key.load(lowerName(scanName(`h${i}.example.com.`)), 0);
    key.fold(0, key.labels);
    seen.add(key.folds[0]!);
  }
  expect(count - seen.size).toBeLessThan(5);
});

test("a name loaded below another equals the same name loaded whole", () => {
  const label = fc.string({ unit: fc.constantFrom(..."abXY-0"), minLength: 1, maxLength: 3 });
  const labels = fc.array(label, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(labels, labels, fc.nat(3), (own, above, from) => {
      const upper = keyOf(`${above.join(".")}.`);
      const label = Math.min(from, upper.labels);
      const name = scanName(`${[...own, ...above.slice(label).map((text) => text.toUpperCase())].join(".")}.`);
      const key = keyOf("other.");
      expect(key.loadBelow(name, 0, name.length, upper, label, upper.folds[label]!)).toBe(own.length);
      const whole = new NameKey(0x12345678, 0x9e3779b1 | 0);
      whole.load(name, 0);
      whole.fold(5, whole.labels);
      expect([key.labels, key.length, key.sameFrom(0, whole, 0)]).toEqual([whole.labels, whole.length, true]);
      expect(key.starts.subarray(0, key.labels + 1)).toEqual(whole.starts.subarray(0, key.labels + 1));
      expect(key.folds.subarray(0, own.length + 1)).toEqual(whole.folds.subarray(0, own.length + 1));
      key.fold(7, key.labels);
      whole.fold(7, whole.labels);
      expect(key.folds.subarray(0, key.labels + 1)).toEqual(whole.folds.subarray(0, key.labels + 1));
    }),
  );
});

test("a name is not below another if only its last octets are the same", () => {
  const upper = keyOf("www.b.example.");
  const below = (text: string) => {
    const name = scanName(text);
    return keyOf("x.").loadBelow(name, 0, name.length, upper, 1, upper.folds[1]!);
  };
  expect(["b.example.", "ns.b.example.", "NS.B.EXAMPLE."].map(below)).toEqual([0, 1, 1]);
  expect(["example.", "ab.example.", "x\\001b.example.", "ns.c.example.", "."].map(below)).toEqual([
    -1, -1, -1, -1, -1,
  ]);
});
