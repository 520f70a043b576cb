/** The CPU time of the largest chains that a record may have: other queries wait while a worker compiles or runs one. */
import { expect, test } from "vitest";
import { type ChainCase, countChain } from "../../../test/engine/chain.ts";

const answers = (metaOf: (i: number) => unknown = () => undefined) =>
  Array.from({ length: 100 }, (_, i) => ({ meta: metaOf(i) }));
const often = (filter: string, config: unknown = {}) => Array.from({ length: 64 }, () => ({ filter, config }));
const ip_prefixes = Array.from({ length: 1000 }, (_, i) => `10.${i >> 8}.${i & 255}.0/24`);
const codes = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
const note = "x".repeat(4000);

const cases: [name: string, chain: ChainCase][] = [
  ["prefixes of the record", { answers: answers(), meta: { ip_prefixes }, filters: often("netfence_prefix") }],
  [
    "addresses drawn from many prefixes",
    { answers: answers(), meta: { ip_prefixes }, filters: often("ipv4_prefix_shuffle", { N: 256 }) },
  ],
  [
    "AS numbers of the record",
    {
      answers: answers(),
      meta: { asn: Array.from({ length: 1000 }, (_, i) => i + 1) },
      filters: often("netfence_asn"),
    },
  ],
  [
    "countries of the record",
    {
      answers: answers(),
      meta: { country: codes.flatMap((a) => codes.map((b) => a + b)) },
      filters: often("geotarget_country"),
    },
  ],
  [
    "long texts that end differently",
    {
      answers: answers((i) => ({ additional_metadata: [{ note, i: 100 + i }] })),
      filters: often("additional_metadata"),
    },
  ],
];

test.each(cases)("%s: compiled and run twenty times within 300 ms of CPU time", (_, chain) => {
  const before = process.cpuUsage();
  countChain(chain, 20, 1);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(300);
});
