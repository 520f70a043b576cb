/** The order of answers after the `sticky_region` filter. */
import { describe, expect, test } from "vitest";
import { type ChainCase, countChain, runChain } from "../../../test/engine/chain.ts";

const filters = [{ filter: "sticky_region", config: {} }];
const order = (chain: Omit<ChainCase, "filters">) => runChain({ ...chain, filters });
const r = (region?: unknown) => (region === undefined ? {} : { region });
const mixed = { answers: [r("a"), r("b"), r(), r("a"), r("c"), r("b"), r()], regions: { a: {}, b: {}, c: {} } };

describe("the order of a client", () => {
  test("is the same on every edge, after every restart and in every version", () => {
    expect(order({ ...mixed, client: [192, 0, 2, 1] }).left).toEqual([4, 1, 5, 2, 6, 0, 3]);
    expect(order({ ...mixed, client: [192, 0, 2, 2] }).left).toEqual([4, 1, 5, 0, 3, 2, 6]);
  });
  test("has the answers of each region together, in the order of the record", () => {
    for (let last = 0; last < 64; last++) {
      const { left } = order({ ...mixed, client: [192, 0, 2, last] });
      expect(
        left
          .map((answer) => [[0, 3], [1, 5], [2, 6], [4]].findIndex((group) => group.includes(Number(answer))))
          .join(""),
      ).toMatch(/^(?:(00|11|22|3)(?!.*\1)){4}$/);
      for (const group of [
        [0, 3],
        [1, 5],
        [2, 6],
      ])
        expect(left.indexOf(group[0]!) + 1).toBe(left.indexOf(group[1]!));
    }
  });
  test("does not depend on random numbers", () => {
    expect(order({ ...mixed, seed: 1 })).toEqual(order({ ...mixed, seed: 2 }));
  });
  test("does not depend on the order of the regions in the record", () => {
    const named = (regions: string[]) =>
      order({ answers: regions.map(r) }).left.map((answer) => regions[Number(answer)]);
    expect(named(["x", "y", "z"])).toEqual(named(["z", "x", "y"]));
  });
  test("depends on the address, or with sticky_by_network on the network", () => {
    expect(order(mixed).depth).toBe(32);
    const byNetwork = [{ filter: "sticky_region", config: { sticky_by_network: "true" } }];
    expect(runChain({ ...mixed, filters: byNetwork }).depth).toBe(24);
  });
});

const cases: [name: string, chain: Omit<ChainCase, "filters">, left: number[]][] = [
  ["leaves answers without regions in order, with scope 0", { answers: [r(), r(), r()] }, [0, 1, 2]],
  ["treats invalid regions as none", { answers: [r(7), r(null), r(["a"])] }, [0, 1, 2]],
  ["keeps a single answer", { answers: [r("a")], regions: { a: {} } }, [0]],
  ["accepts no answers", { answers: [] }, []],
];
test.each(cases)("%s", (_name, chain, left) => expect(order(chain)).toEqual({ left, texts: [], depth: 0 }));

test("accepts regions that the record does not describe", () => {
  expect(order({ answers: [r("x"), r("y"), r("x")] }).left).toHaveLength(3);
});

test("over 100,000 clients, each region comes first equally often", () => {
  const clients = 100_000;
  const chain = { answers: ["a", "a", "b", "", "c"].map(r), filters };
  const firsts = countChain(chain, clients, 1, (i) => [10, i >> 16, (i >> 8) & 255, i & 255]);
  expect([...firsts.keys()].toSorted()).toEqual(["0", "2", "3", "4"]);
  for (const count of firsts.values()) {
    expect(Math.abs(count - clients / 4)).toBeLessThan(3 * Math.sqrt(clients * 0.25 * 0.75));
  }
});
