/** The order of answers after the `shuffle` filter. */
import { describe, expect, test } from "vitest";
import { type ChainCase, countChain, runChain } from "../../../test/engine/chain.ts";

const shuffle = { filter: "shuffle", config: {} };
const sorted = (chain: Omit<ChainCase, "filters">) => runChain({ ...chain, filters: [shuffle] }).left.toSorted();

const cases: [name: string, chain: Omit<ChainCase, "filters">, left: number[]][] = [
  ["keeps all", { answers: [{}, {}, {}, {}] }, [0, 1, 2, 3]],
  ["keeps answers that are down", { answers: [{ meta: { up: false } }, {}] }, [0, 1]],
  [
    "keeps answers of all regions",
    { answers: [{ region: "a" }, { region: "b" }, {}], regions: { a: {}, b: {} } },
    [0, 1, 2],
  ],
  ["keeps answers with a weight of 0", { answers: [{ meta: { weight: 0 } }, { meta: { weight: 5 } }] }, [0, 1]],
  ["keeps answers with the same RDATA", { answers: [{ answer: ["192.0.2.1"] }, { answer: ["192.0.2.1"] }] }, [0, 1]],
  ["keeps answers with invalid metadata", { answers: [{ meta: 7 }, { meta: { weight: {} } }] }, [0, 1]],
  ["keeps answers whose feed has no data", { answers: [{ meta: { up: { feed: "none" } } }, {}] }, [0, 1]],
  ["keeps a single answer", { answers: [{}] }, [0]],
  ["accepts no answers", { answers: [] }, []],
];
test.each(cases)("%s", (_name, chain, left) => expect(sorted(chain)).toEqual(left));

describe("100,000 draws", () => {
  const draws = 100_000;
  const within = (count: number, share: number) =>
    expect(Math.abs(count - draws * share)).toBeLessThan(3 * Math.sqrt(draws * share * (1 - share)));

  test("the six orders of three answers are equally likely", () => {
    const orders = countChain({ answers: [{}, {}, {}], filters: [shuffle] }, draws, 3);
    expect(orders.size).toBe(6);
    for (const count of orders.values()) within(count, 1 / 6);
  });

  test("each answer is kept equally often", () => {
    const filters = [shuffle, { filter: "select_first_n", config: { N: 1 } }];
    const firsts = countChain({ answers: [{}, {}, {}, {}, {}], filters }, draws, 5);
    expect(firsts.size).toBe(5);
    for (const count of firsts.values()) within(count, 0.2);
  });
});
