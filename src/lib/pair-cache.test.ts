/** Results for pairs of objects. */
import { expect, test } from "vitest";
import { cachedByPair } from "./pair-cache.ts";

test("the result is computed once for each pair of objects, whatever it is; objects are compared by identity", () => {
  const seen: string[] = [];
  const isLonger = cachedByPair((one: readonly string[], other: readonly string[]) => {
    seen.push(`${one} ${other}`);
    return one.length > other.length;
  });
  const [none, single] = [[], ["a"]];
  const verdicts = () => [isLonger(none, single), isLonger(single, none), isLonger(single, ["b"])];
  expect([verdicts(), verdicts()]).toEqual([
    [false, true, false],
    [false, true, false],
  ]);
  expect(seen).toEqual([" a", "a ", "a b", "a b"]);
});
