/** The answers that the `geofence_regional` filter keeps. */
import { describe, expect, test } from "vitest";
import { type ChainCase, lengths, runChain } from "../../../test/engine/chain.ts";

const fence = (config: unknown = {}) => [{ filter: "geofence_regional", config }];
const g = (georegion: unknown) => ({ meta: { georegion } });
const place = { georegion: "EUROPE" } as const;
const feeds = { here: { georegion: ["EUROPE"] }, there: { georegion: "AFRICA" }, odd: { georegion: { EUROPE: 1 } } };

type Row = [name: string, chain: Omit<ChainCase, "filters">, kept: number[], alone: number[]];
const cases: Row[] = [
  ["the region of the client", { answers: [g(["US-EAST"]), g(["EUROPE"]), g(["AFRICA", "EUROPE"])] }, [1, 2], [1, 2]],
  ["untagged answers besides a match", { answers: [{}, g(["EUROPE"])] }, [0, 1], [1]],
  ["untagged answers without a match", { answers: [g(["AFRICA"]), {}] }, [1], [1]],
  ["no match and no untagged answers leave nothing", { answers: [g(["AFRICA"])] }, [], []],
  ["one code without a list, in small letters", { answers: [g("europe"), g("africa")] }, [0], [0]],
  ["a client in an unknown place gets the untagged answers", { answers: [g("EUROPE"), {}], place: {} }, [1], [1]],
  [
    "answers with invalid values are untagged",
    { answers: [g(1), g([]), g([7]), g(""), g("EUROPE")] },
    [0, 1, 2, 3, 4],
    [4],
  ],
  [
    "the region's value if the answer has none",
    { answers: [{ region: "a" }, {}], regions: { a: g("AFRICA") } },
    [1],
    [1],
  ],
  [
    "the record's value if answer and region have none",
    { meta: { georegion: "AFRICA" }, answers: [{}, g("EUROPE")] },
    [1],
    [1],
  ],
  ["values of feeds", { answers: ["here", "there", "odd", "none"].map((feed) => g({ feed })), feeds }, [0, 2, 3], [0]],
  ["no answers", { answers: [] }, [], []],
];
describe.each(cases)("%s", (_name, chain, kept, alone) => {
  test.each([undefined, {}, { remove_no_georegion: "false" }])("untagged answers stay with %j", (config) => {
    expect(runChain({ place, ...chain, filters: fence(config) }).left).toEqual(kept);
  });
  test.each([true, 1, "1", "true"])("untagged answers go on a match with %j", (remove_no_georegion) => {
    expect(runChain({ place, ...chain, filters: fence({ remove_no_georegion }) }).left).toEqual(alone);
  });
});

test("the scope is the georegion's prefix length if an answer names a georegion, otherwise 0", () => {
  expect(runChain({ answers: [g("AFRICA"), {}], filters: fence(), place }).depth).toBe(lengths.georegion);
  expect(runChain({ answers: [{}, {}], filters: fence(), place }).depth).toBe(0);
});
