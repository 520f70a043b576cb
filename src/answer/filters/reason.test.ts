/** The reasons of filters for answers that they removed. */
import { expect, test } from "vitest";
import { type ChainCase, runChain } from "../../../test/engine/chain.ts";
import { filters, filtersById } from "./index.ts";

type Row = [filter: string, meta: Readonly<Record<string, unknown>>, reason: string, config?: object];

const rows: Row[] = [
  ["up", { up: false }, "up is not true"],
  ["up", {}, "up has no value"],
  ["shed_load", { loadavg: 5, low_watermark: 2, high_watermark: 4 }, "loadavg is above high_watermark"],
  [
    "shed_load",
    { requests: "3", low_watermark: 2, high_watermark: "4" },
    "requests is above low_watermark, and the answer was drawn to be removed",
    { metric: "requests" },
  ],
  ["geofence_country", { us_state: ["CA"] }, "the client is not in a place that the answer names"],
  ["geofence_country", {}, "the answer names no place, and another answer names the client's"],
  ["geofence_regional", { georegion: ["EUROPE"] }, "the client's region is not in georegion"],
  ["geofence_regional", {}, "the answer has no georegion, and that of another answer includes the client's region"],
  ["netfence_asn", { asn: [64500] }, "the client's AS number is not in asn"],
  ["netfence_asn", {}, "the answer has no asn, and that of another answer includes the client's AS number"],
  ["netfence_prefix", { ip_prefixes: ["192.0.2.0/24"] }, "the client's address is not in ip_prefixes"],
  ["netfence_prefix", {}, "the answer has no ip_prefixes, and those of another answer include the client's address"],
  ["priority", { priority: 2 }, "another answer has a lower priority", { eliminate: true }],
  ["cost", {}, "the answer has no cost, and another answer has one", { eliminate: true }],
  ["select_first_n", {}, "the answer is not among the first 2", { N: "2" }],
  ["select_first_region", {}, "the first answer is in another region"],
  ["ipv4_prefix_shuffle", { ip_prefixes: ["192.0.2.0/24"] }, "the addresses of earlier answers fill the reply"],
];

test.each(rows)("%s of %j: %s", (id, meta, reason, config = {}) => {
  expect(filtersById.get(id)?.reason?.(config, (key) => meta[key])).toBe(reason);
});

test("every filter that can remove answers has a reason, and no other", () => {
  const tested = new Set(rows.map(([id]) => id));
  const withReason = filters.filter(({ reason }) => reason).map(({ id }) => id);
  expect(new Set(withReason)).toEqual(tested);
  const answers = [{ region: "a" }, { region: "b" }, {}];
  const metas = rows.map(([, meta]) => meta);
  for (const { id, reason, rectypes } of filters) {
    if (reason || (rectypes && !rectypes.includes("A"))) continue;
    for (const meta of metas) {
      const chain: ChainCase = { answers: answers.map((one) => ({ ...one, meta })), filters: [{ filter: id }] };
      expect([id, runChain(chain).left.length]).toEqual([id, answers.length]);
    }
  }
});
