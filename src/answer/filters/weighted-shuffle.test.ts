/** The order of answers after the `weighted_shuffle` filter. */
import { describe, expect, test } from "vitest";
import { type ChainCase, countChain, runChain } from "../../../test/engine/chain.ts";

const weighted = { filter: "weighted_shuffle", config: {} };
const w = (weight: unknown) => ({ meta: { weight } });
const feeds = { heavy: { weight: "40" }, odd: { weight: [1] }, negative: { weight: -1 } };

const cases: [name: string, chain: Omit<ChainCase, "filters">, left: number[]][] = [
  ["puts answers without weight last, in their order", { answers: [{}, w(1), {}] }, [1, 0, 2]],
  ["puts a weight of 0 last", { answers: [w(0), w(0), w(3)] }, [2, 0, 1]],
  ["treats a negative weight as 0", { answers: [w(-5), w(2)] }, [1, 0]],
  ["treats invalid weights as 0", { answers: [w("many"), w(null), w([7]), w({ a: 1 }), w("0.5")] }, [4, 0, 1, 2, 3]],
  ["keeps the order when all weights are 0", { answers: [w(0), w("0"), w(0)] }, [0, 1, 2]],
  ["keeps the order when there are no weights", { answers: [{}, {}, {}] }, [0, 1, 2]],
  ["uses the weight of a region", { answers: [{}, { region: "a" }], regions: { a: { meta: { weight: 9 } } } }, [1, 0]],
  ["uses the record's weight if there is no other", { meta: { weight: 3 }, answers: [w(0), {}] }, [1, 0]],
  ["uses the weight of a feed", { answers: [w(0), w({ feed: "heavy" })], feeds }, [1, 0]],
  [
    "treats invalid values of feeds as 0",
    { answers: [w({ feed: "odd" }), w({ feed: "negative" }), w({ feed: "none" }), w(1)], feeds },
    [3, 0, 1, 2],
  ],
  ["accepts no answers", { answers: [] }, []],
];
test.each(cases)("%s", (_name, chain, left) => {
  expect(runChain({ ...chain, filters: [weighted] }).left).toEqual(left);
});

describe("100,000 draws", () => {
  const draws = 100_000;
  const weights = [1, 2.5, "6.5", 0, 10];
  const answers = weights.map(w);
  const within = (count: number, of: number, share: number) =>
    expect(Math.abs(count - of * share)).toBeLessThanOrEqual(3 * Math.sqrt(of * share * (1 - share)));

  test.each([
    ["the first of all", [weighted]],
    ["the one that is kept", [weighted, { filter: "select_first_n", config: { N: 1 } }]],
  ])("%s is drawn in proportion to its weight", (_name, filters) => {
    const firsts = countChain({ answers, filters }, draws, 1);
    for (const [answer, share] of [0.05, 0.125, 0.325, 0, 0.5].entries()) {
      within(firsts.get(`${answer}`) ?? 0, draws, share);
    }
  });

  test("the second is drawn in proportion to the remaining weights", () => {
    const filters = [weighted, { filter: "select_first_n", config: { N: 2 } }];
    const pairs = countChain({ answers, filters }, draws, 2);
    const seconds = [0, 1, 2, 3].map((answer) => pairs.get(`4,${answer}`) ?? 0);
    const drawn = seconds.reduce((sum, count) => sum + count);
    for (const [answer, share] of [0.1, 0.25, 0.65, 0].entries()) within(seconds[answer]!, drawn, share);
  });
});
