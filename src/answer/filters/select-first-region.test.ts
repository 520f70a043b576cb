/** What the `select_first_region` filter keeps. */
import { expect, test } from "vitest";
import { type ChainCase, runChain } from "../../../test/engine/chain.ts";

const filters = [{ filter: "select_first_region", config: {} }];
const r = (...regions: unknown[]) => regions.map((region) => (region === undefined ? {} : { region }));

const cases: [says: string, chain: Omit<ChainCase, "filters">, left: number[]][] = [
  ["keeps those in the region of the first", { answers: r("a", "b", "a", "c") }, [0, 2]],
  ["keeps the order", { answers: r("b", "b", "a", "b") }, [0, 1, 3]],
  ["takes no region for a region of its own", { answers: r(undefined, "a", undefined) }, [0, 2]],
  ["takes the empty name for no region", { answers: r("", "a", undefined) }, [0, 2]],
  ["drops answers without a region behind one with", { answers: r("a", undefined, "a") }, [0, 2]],
  ["keeps all when there are no regions", { answers: r(undefined, undefined) }, [0, 1]],
  ["takes odd regions for none", { answers: r(7, "a", null, { b: 1 }) }, [0, 2, 3]],
  ["takes regions that the record does not describe", { answers: r("x", "y", "x"), regions: {} }, [0, 2]],
  ["tells names apart by case", { answers: r("A", "a", "A") }, [0, 2]],
  ["leaves no answers as they are", { answers: [] }, []],
];
test.each(cases)("%s", (_says, chain, left) => {
  expect(runChain({ ...chain, filters })).toEqual({ left, texts: [], depth: 0 });
});

test("goes by the first answer that earlier filters left", () => {
  const chain = [{ filter: "up", config: {} }, ...filters];
  const answers = [{ region: "a" }, { region: "b", meta: { up: true } }, { region: "a", meta: { up: true } }];
  expect(runChain({ answers, filters: chain }).left).toEqual([1]);
});
