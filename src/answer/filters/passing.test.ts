/** The filters without effect: `dhcp`, and those that use measurements by users. */
import { describe, expect, test } from "vitest";
import { type ChainCase, runChain } from "../../../test/engine/chain.ts";
import { filters } from "./index.ts";

const ids = filters.map(({ id }) => id).filter((id) => id.startsWith("puls") || id === "dhcp");

const job = { pulsar: [{ job_id: "abcdef", bias: "*0.55", a5m_cutoff: 0.9 }] };
const cases: [name: string, chain: Omit<ChainCase, "filters">, config?: unknown][] = [
  ["answers without metadata", { answers: [{}, {}] }],
  ["answers with a job", { answers: [{}, { meta: job }, { meta: { pulsar: "abcdef" } }] }],
  ["answers with invalid jobs", { answers: [{ meta: { pulsar: 7 } }, { meta: { pulsar: [[]] } }] }],
  ["regions and records with jobs", { meta: job, answers: [{ region: "a" }, {}], regions: { a: { meta: job } } }],
  ["jobs of feeds", { answers: [{ meta: { pulsar: { feed: "f" } } }, {}], feeds: { f: { pulsar: "abcdef" } } }],
  ["a configuration", { answers: [{}, {}] }, { sort_descending: "1", explain: true, threshold: 95, scope_group_id: 7 }],
  ["an invalid configuration", { answers: [{}, {}] }, { threshold: "all", sort_descending: [] }],
  ["no answers", { answers: [] }],
];

describe.each(ids)("%s", (id) => {
  test.each(cases)("%s", (_name, chain, config = {}) => {
    const left = [...chain.answers.keys()];
    expect(runChain({ ...chain, filters: [{ filter: id, config }] })).toEqual({ left, texts: [], depth: 0 });
  });
});

test("seven filters have no effect", () => expect(ids).toHaveLength(7));
