/** The answers that the `netfence_asn` filter keeps. */
import { describe, expect, test } from "vitest";
import { type ChainCase, lengths, runChain } from "../../../test/engine/chain.ts";

const fence = (config: unknown = {}) => [{ filter: "netfence_asn", config }];
const n = (asn: unknown) => ({ meta: { asn } });
const place = { asn: 64500 };
const feeds = { mine: { asn: ["64500"] }, other: { asn: 64501 }, odd: { asn: "AS64500" } };

type Row = [name: string, chain: Omit<ChainCase, "filters">, kept: number[], alone: number[]];
const cases: Row[] = [
  ["numbers and numbers as text", { answers: [n([64500]), n(["64500"]), n([64501, "64502"])] }, [0, 1], [0, 1]],
  ["untagged answers besides a match", { answers: [{}, n([64500])] }, [0, 1], [1]],
  ["untagged answers without a match", { answers: [n([64501]), {}] }, [1], [1]],
  ["no match and no untagged answers leave nothing", { answers: [n([64501])] }, [], []],
  ["one number without a list", { answers: [n(64500), n("64501")] }, [0], [0]],
  ["a client in an unknown system gets the untagged answers", { answers: [n([64500]), {}], place: {} }, [1], [1]],
  ["0 names no system", { answers: [n([0]), n(0), n([64501])], place: {} }, [0, 1], [0, 1]],
  [
    "answers with invalid values are untagged",
    { answers: [n(true), n([]), n("x"), n([{}]), n(-1), n(64500)] },
    [0, 1, 2, 3, 4, 5],
    [5],
  ],
  ["the region's value if the answer has none", { answers: [{ region: "a" }, {}], regions: { a: n(64501) } }, [1], [1]],
  ["the record's value if answer and region have none", { meta: { asn: [64501] }, answers: [{}, n(64500)] }, [1], [1]],
  ["values of feeds", { answers: ["mine", "other", "odd", "none"].map((feed) => n({ feed })), feeds }, [0, 2, 3], [0]],
  ["no answers", { answers: [] }, [], []],
];
describe.each(cases)("%s", (_name, chain, kept, alone) => {
  test.each([undefined, {}, { remove_no_asn: 0 }])("untagged answers stay with %j", (config) => {
    expect(runChain({ place, ...chain, filters: fence(config) }).left).toEqual(kept);
  });
  test.each([true, 1, "1", "true"])("untagged answers go on a match with %j", (remove_no_asn) => {
    expect(runChain({ place, ...chain, filters: fence({ remove_no_asn }) }).left).toEqual(alone);
  });
});

test("the scope is the AS number's prefix length if an answer names a number, otherwise 0", () => {
  expect(runChain({ answers: [n(1), {}], filters: fence(), place }).depth).toBe(lengths.asn);
  expect(runChain({ answers: [{}, {}], filters: fence(), place }).depth).toBe(0);
});
