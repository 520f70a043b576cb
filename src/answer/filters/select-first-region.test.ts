/** The answers that the `select_first_region` filter keeps. */
import { expect, test } from "vitest";
import { type ChainCase, runChain } from "../../../test/engine/chain.ts";

const filters = [{ filter: "select_first_region", config: {} }];
const r = (...regions: unknown[]) => regions.map((region) => (region === undefined ? {} : { region }));

const cases: [name: string, chain: Omit<ChainCase, "filters">, left: number[]][] = [
  ["keeps the answers in the region of the first answer", { answers: r("a", "b", "a", "c") }, [0, 2]],
  ["keeps the order", { answers: r("b", "b", "a", "b") }, [0, 1, 3]],
  ["treats answers without a region as one region", { answers: r(undefined, "a", undefined) }, [0, 2]],
  ["treats the empty name as no region", { answers: r("", "a", undefined) }, [0, 2]],
  ["drops answers without a region if the first answer has one", { answers: r("a", undefined, "a") }, [0, 2]],
  ["keeps all when there are no regions", { answers: r(undefined, undefined) }, [0, 1]],
  ["treats invalid regions as none", { answers: r(7, "a", null, { b: 1 }) }, [0, 2, 3]],
  ["accepts regions that the record does not describe", { answers: r("x", "y", "x"), regions: {} }, [0, 2]],
  ["distinguishes names by case", { answers: r("A", "a", "A") }, [0, 2]],
  ["accepts no answers", { answers: [] }, []],
];
test.each(cases)("%s", (_name, chain, left) => {
  expect(runChain({ ...chain, filters })).toEqual({ left, texts: [], depth: 0 });
});

test("uses the first answer that earlier filters left", () => {
  const chain = [{ filter: "up", config: {} }, ...filters];
  const answers = [{ region: "a" }, { region: "b", meta: { up: true } }, { region: "a", meta: { up: true } }];
  expect(runChain({ answers, filters: chain }).left).toEqual([1]);
});
