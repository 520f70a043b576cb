/** The addresses with which the `ipv4_prefix_shuffle` filter replaces answers. */
import { expect, test } from "vitest";
import { type ChainCase, countChain, runChain } from "../../../test/engine/chain.ts";

const shuffle = (config: unknown = {}) => [{ filter: "ipv4_prefix_shuffle", config }];
const p = (ip_prefixes: unknown) => ({ meta: { ip_prefixes } });
const feeds = { one: { ip_prefixes: ["192.0.2.7/32"] }, odd: { ip_prefixes: 7 } };

const cases: [name: string, chain: Omit<ChainCase, "filters">, left: (number | string)[], config?: unknown][] = [
  ["an answer is replaced with an address of its prefix", { answers: [p(["192.0.2.1/32"])] }, ["192.0.2.1"]],
  ["answers without prefixes stay", { answers: [{}, p(["192.0.2.1/32"]), {}] }, [0, "192.0.2.1", 2]],
  ["answers with only IPv6 prefixes stay", { answers: [p(["2001:db8::/32"])] }, [0]],
  [
    "IPv6 prefixes beside IPv4 prefixes are ignored",
    { answers: [p(["2001:db8::/32", "192.0.2.1/32"])] },
    ["192.0.2.1"],
    { N: 5 },
  ],
  [
    "a prefix with fewer than N addresses gives all of them",
    { answers: [p(["192.0.2.0/31"])] },
    ["192.0.2.0", "192.0.2.1"],
    { N: 9 },
  ],
  [
    "overlapping prefixes are joined",
    { answers: [p(["192.0.2.0/31", "192.0.2.1/32"])] },
    ["192.0.2.0", "192.0.2.1"],
    { N: "3" },
  ],
  ["the highest address is possible", { answers: [p(["255.255.255.255/32"])] }, ["255.255.255.255"]],
  ["a prefix without a list is accepted", { answers: [p("192.0.2.9/32")] }, ["192.0.2.9"]],
  ["answers with invalid values stay", { answers: [p(7), p([]), p(["x"]), p({})] }, [0, 1, 2, 3]],
  [
    "an answer without prefixes has its region's",
    { answers: [{ region: "a" }], regions: { a: p(["192.0.2.1"]) } },
    ["192.0.2.1"],
  ],
  [
    "an answer without prefixes has the record's",
    { meta: { ip_prefixes: ["192.0.2.1"] }, answers: [{}, p("192.0.2.2")] },
    ["192.0.2.1", "192.0.2.2"],
  ],
  [
    "prefixes can come from feeds",
    { answers: ["one", "odd", "none"].map((feed) => p({ feed })), feeds },
    ["192.0.2.7", 1, 2],
  ],
  ["an invalid number of addresses means one", { answers: [p(["192.0.2.1/32"])] }, ["192.0.2.1"], { N: -2 }],
  ["a record may have no answers", { answers: [] }, []],
];
test.each(cases)("%s", (_name, chain, left, config) => {
  expect(runChain({ ...chain, filters: shuffle(config) }).left.toSorted()).toEqual(left.toSorted());
});

test("records of other types stay", () => {
  const answers = [{ answer: ["2001:db8::1"], ...p(["192.0.2.1/32"]) }];
  expect(runChain({ type: "AAAA", answers, filters: shuffle() }).left).toEqual([0]);
});

test("a large prefix gives N different addresses", () => {
  const { left } = runChain({ answers: [p(["10.0.0.0/8"])], filters: shuffle({ N: 200 }) });
  expect(new Set(left).size).toBe(200);
  for (const address of left) expect(String(address)).toMatch(/^10\./);
});

test("at most 256 addresses are made, for any configuration", () => {
  const { left } = runChain({ answers: [p(["10.0.0.0/8"]), p(["10.0.0.0/8"])], filters: shuffle({ N: 1e9 }) });
  expect(left.length).toBe(256);
});

test("over 100,000 draws, each address of two prefixes comes first equally often", () => {
  const draws = 100_000;
  const answers = [p(["192.0.2.0/31", "198.51.100.4/30"])];
  const firsts = countChain({ answers, filters: shuffle({ N: 3 }) }, draws, 1);
  expect(firsts.size).toBe(6);
  for (const count of firsts.values()) {
    expect(Math.abs(count - draws / 6)).toBeLessThan(3 * Math.sqrt((draws * (1 / 6) * 5) / 6));
  }
});
