import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonLength } from "./json-length.ts";

const leaf = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    leaf,
    fc.array(fc.oneof(tie("value"), fc.constant(undefined))),
    fc.dictionary(fc.string(), fc.oneof(tie("value"), fc.constant(undefined))),
  ),
}));
const powers = Array.from({ length: 17 }, (_, n) => [10 ** n - 1, 10 ** n, 10 ** n + 1]).flat();

describe("the length of JSON", () => {
  test("is that of JSON.stringify", () => {
    fc.assert(
      fc.property(value, (value) => {
        expect(jsonLength(value)).toBe(JSON.stringify(value).length);
      }),
    );
  });

  test.each([...powers, -0, -1, 1.5, "\ud800", "\u{1f600}", "\u007f", undefined])("of %j too", (value) => {
    expect(jsonLength(value)).toBe(JSON.stringify(value)?.length ?? 0);
  });

  test("is not counted to the end above a limit", () => {
    const long = Array.from({ length: 1000 }, () => "x".repeat(98));
    expect(jsonLength(long, 101_001)).toBe(101_001);
    expect(jsonLength([long, { long }], 5000)).toBeGreaterThan(5000);
    expect(jsonLength([long, { long }], 5000)).toBeLessThan(6000);
    fc.assert(
      fc.property(value, fc.nat(100), (value, most) => {
        expect(jsonLength(value, most) > most).toBe(JSON.stringify(value).length > most);
      }),
    );
  });
});
