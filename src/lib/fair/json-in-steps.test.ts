import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonInSteps } from "./json-in-steps.ts";
import { LongWork } from "./yield.ts";

describe("JSON in steps", () => {
  const values = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));

  test("is that of JSON.stringify", async () => {
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        expect(await jsonInSteps(value, new LongWork())).toBe(JSON.stringify(value));
      }),
    );
  });

  test("lets other work go on", async () => {
    const large = Array.from({ length: 50_000 }, (_, n) => ({ n, list: [n] }));
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await jsonInSteps(large, new LongWork());
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(2);
  });
});
