/** The answers that the `netfence_prefix` filter keeps. */
import { describe, expect, test } from "vitest";
import { type ChainCase, runChain } from "../../../test/engine/chain.ts";

const fence = (config: unknown = {}) => [{ filter: "netfence_prefix", config }];
const p = (ip_prefixes: unknown) => ({ meta: { ip_prefixes } });
const feeds = {
  mine: { ip_prefixes: ["192.0.2.0/24"] },
  other: { ip_prefixes: "10.0.0.0/8" },
  odd: { ip_prefixes: "192.0.2" },
};
const client = [192, 0, 2, 77];
const v6 = [0x20, 0x01, 0x0d, 0xb8, ...Array(12).fill(1)];

type Row = [name: string, chain: Omit<ChainCase, "filters">, kept: number[], alone: number[]];
const cases: Row[] = [
  ["the network of the client", { answers: [p(["192.0.2.0/24"]), p(["10.0.0.0/8"])] }, [0], [0]],
  ["wider and narrower networks match alike", { answers: [p(["192.0.0.0/16"]), p(["192.0.2.64/26"])] }, [0, 1], [0, 1]],
  ["untagged answers besides a match", { answers: [{}, p(["192.0.2.77/32"])] }, [0, 1], [1]],
  ["untagged answers without a match", { answers: [p(["192.0.2.78/32"]), {}] }, [1], [1]],
  ["no match and no untagged answers leave nothing", { answers: [p(["10.0.0.0/8"])] }, [], []],
  [
    "one network without a list, and an address alone",
    { answers: [p("192.0.2.0/25"), p("192.0.2.77")] },
    [0, 1],
    [0, 1],
  ],
  ["the network of all addresses", { answers: [p(["0.0.0.0/0"]), {}] }, [0, 1], [0]],
  ["an IPv6 client", { answers: [p(["2001:db8::/32"]), p(["0.0.0.0/0"]), {}], client: v6 }, [0, 2], [0]],
  ["an IPv4 client is in no IPv6 network", { answers: [p(["::/0"]), {}] }, [1], [1]],
  [
    "answers with invalid values are untagged",
    { answers: [p(7), p([]), p(["nonsense", 1]), p("192.0.2.0/24")] },
    [0, 1, 2, 3],
    [3],
  ],
  [
    "invalid elements of a list are ignored",
    { answers: [p(["nonsense", "192.0.2.0/24"]), p(["x", "10.0.0.0/8"])] },
    [0],
    [0],
  ],
  [
    "the region's value if the answer has none",
    { answers: [{ region: "a" }, {}], regions: { a: p("10.0.0.0/8") } },
    [1],
    [1],
  ],
  [
    "the record's value if answer and region have none",
    { meta: { ip_prefixes: "10.0.0.0/8" }, answers: [{}, p("192.0.2.0/24")] },
    [1],
    [1],
  ],
  ["values of feeds", { answers: ["mine", "other", "odd", "none"].map((feed) => p({ feed })), feeds }, [0, 2, 3], [0]],
  ["no answers", { answers: [] }, [], []],
];
describe.each(cases)("%s", (_name, chain, kept, alone) => {
  test.each([undefined, {}, { remove_no_ip_prefixes: "0" }])("untagged answers stay with %j", (config) => {
    expect(runChain({ client, ...chain, filters: fence(config) }).left).toEqual(kept);
  });
  test.each([true, 1, "1", "true"])("untagged answers go on a match with %j", (remove_no_ip_prefixes) => {
    expect(runChain({ client, ...chain, filters: fence({ remove_no_ip_prefixes }) }).left).toEqual(alone);
  });
});

test("the scope has as many bits as decide whether the client is inside", () => {
  const depth = (...prefixes: string[]) => runChain({ client, answers: [p(prefixes), {}], filters: fence() }).depth;
  expect(depth("192.0.2.0/24")).toBe(24);
  expect(depth("192.0.2.128/25")).toBe(25);
  expect(depth("10.0.0.0/8")).toBe(1);
  expect(runChain({ client, answers: [{}, {}], filters: fence() }).depth).toBe(0);
});
