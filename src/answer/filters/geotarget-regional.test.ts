/** The order of answers after the `geotarget_regional` filter. */
import { expect, test } from "vitest";
import { type ChainCase, lengths, runChain } from "../../../test/engine/chain.ts";

const filters = [{ filter: "geotarget_regional", config: {} }];
const g = (georegion: unknown) => ({ meta: { georegion } });
const place = { georegion: "EUROPE" } as const;
const feeds = { near: { georegion: "EUROPE" }, odd: { georegion: 7 } };

const cases: [name: string, chain: Omit<ChainCase, "filters">, left: number[]][] = [
  ["nearest first", { answers: [g("ASIAPAC"), g("US-EAST"), g("AFRICA"), g("EUROPE")] }, [3, 2, 1, 0]],
  [
    "the regions of the USA from east to west",
    { answers: [g("US-WEST"), g("US-CENTRAL"), g("US-EAST"), g("SOUTH-AMERICA")], place: { georegion: "US-EAST" } },
    [2, 1, 0, 3],
  ],
  ["the nearest of an answer's regions decides", { answers: [g("AFRICA"), g(["ASIAPAC", "EUROPE"])] }, [1, 0]],
  ["answers without a region last, in their order", { answers: [{}, g("ASIAPAC"), {}, g("AFRICA")] }, [3, 1, 0, 2]],
  ["equally near answers stay in order", { answers: [g("AFRICA"), g(["africa"]), g("EUROPE")] }, [2, 0, 1]],
  [
    "a client in an unknown region: the order stays",
    { answers: [g("ASIAPAC"), {}, g("EUROPE")], place: {} },
    [0, 1, 2],
  ],
  [
    "unknown regions come after known regions, and before answers without a region",
    { answers: [g("MOON"), {}, g("ASIAPAC")] },
    [2, 0, 1],
  ],
  ["invalid values are no regions", { answers: [g({}), g([]), g(5), g("ASIAPAC")] }, [3, 0, 1, 2]],
  [
    "the region's value, and the record's",
    { meta: { georegion: "US-EAST" }, answers: [{ region: "far" }, {}, g("AFRICA")], regions: { far: g("ASIAPAC") } },
    [2, 1, 0],
  ],
  [
    "values of feeds",
    { answers: [g({ feed: "odd" }), g("AFRICA"), g({ feed: "near" }), g({ feed: "none" })], feeds },
    [2, 1, 0, 3],
  ],
  ["no answers", { answers: [] }, []],
];
test.each(cases)("%s", (_name, chain, left) => expect(runChain({ place, ...chain, filters }).left).toEqual(left));

test("the scope is the georegion's prefix length if an answer names a georegion, otherwise 0", () => {
  expect(runChain({ answers: [g("AFRICA"), {}], filters, place }).depth).toBe(lengths.georegion);
  expect(runChain({ answers: [{}, {}], filters, place }).depth).toBe(0);
});
