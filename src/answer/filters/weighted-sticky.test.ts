/** The order of answers after the `weighted_sticky` filter. */
import { describe, expect, test } from "vitest";
import { type ChainCase, countChain, runChain } from "../../../test/engine/chain.ts";

const filters = [{ filter: "weighted_sticky", config: {} }];
const w = (weight: unknown) => ({ meta: { weight } });
const order = (chain: Omit<ChainCase, "filters">) => runChain({ ...chain, filters });
const feeds = { heavy: { weight: 40 }, odd: { weight: true }, none: {} };

const cases: [name: string, chain: Omit<ChainCase, "filters">, left: number[]][] = [
  ["puts answers without weight last, in their order", { answers: [{}, w(1), {}] }, [1, 0, 2]],
  ["puts a weight of 0 last", { answers: [w(0), w(0), w(3)] }, [2, 0, 1]],
  ["treats a negative weight as 0", { answers: [w(-5), w(2)] }, [1, 0]],
  ["treats invalid weights as 0", { answers: [w("many"), w([7]), w({ a: 1 }), w("0.5")] }, [3, 0, 1, 2]],
  ["keeps the order when all weights are 0", { answers: [w(0), w("0"), w(0)] }, [0, 1, 2]],
  ["uses the weight of a region", { answers: [{}, { region: "a" }], regions: { a: { meta: { weight: 9 } } } }, [1, 0]],
  ["uses the record's weight if there is no other", { meta: { weight: 3 }, answers: [w(0), {}] }, [1, 0]],
  ["uses the weight of a feed", { answers: [w(0), w({ feed: "heavy" }), w({ feed: "none" })], feeds }, [1, 0, 2]],
  ["accepts no answers", { answers: [] }, []],
];
test.each(cases)("%s", (_name, chain, left) => expect(order(chain).left).toEqual(left));

describe("the order of a client", () => {
  const four = { answers: [w(1), w(2), w(3), w(4)] };

  test("is the same on every edge, after every restart and in every version", () => {
    expect(order({ ...four, client: [192, 0, 2, 1] }).left).toEqual([2, 3, 0, 1]);
    expect(order({ ...four, client: [192, 0, 2, 2] }).left).toEqual([2, 3, 1, 0]);
    expect(order({ ...four, client: [0x20, 0x01, 0x0d, 0xb8, ...Array(12).fill(1)] }).left).toEqual([1, 3, 2, 0]);
  });
  test("does not depend on random numbers", () => {
    expect(order({ ...four, seed: 1 })).toEqual(order({ ...four, seed: 2 }));
  });
  test("depends on the address, or with sticky_by_network on the network", () => {
    const config = { sticky_by_network: "1" };
    expect(order(four).depth).toBe(32);
    expect(runChain({ ...four, filters: [{ filter: "weighted_sticky", config }] }).depth).toBe(24);
  });
  test("has scope 0 without weights, or for a single answer", () => {
    expect(order({ answers: [{}, {}] }).depth).toBe(0);
    expect(order({ answers: [w(1)] }).depth).toBe(0);
  });
});

test("over 100,000 clients, each answer is first in proportion to its weight", () => {
  const clients = 100_000;
  const chain = { answers: [w(1), w(2.5), w("6.5"), w(0)], filters };
  const firsts = countChain(chain, clients, 1, (i) => [10, i >> 16, (i >> 8) & 255, i & 255]);
  for (const [answer, share] of [0.1, 0.25, 0.65, 0].entries()) {
    const sigma = Math.sqrt(clients * share * (1 - share));
    expect(Math.abs((firsts.get(`${answer}`) ?? 0) - clients * share)).toBeLessThanOrEqual(3 * sigma);
  }
});
