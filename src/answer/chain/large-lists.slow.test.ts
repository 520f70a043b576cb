/** Records with very large metadata, more than the cache of chains takes as JSON: queries for them cost about as much as for small ones. */
import { expect, test } from "vitest";
import { steeredRecord, TestImage } from "../../../test/scenarios/image.ts";

const records = 110;
const rounds = 20;
const chain = ["netfence_prefix", "netfence_asn", "geofence_country"].map((filter) => ({ filter, config: {} }));

/** An image with records that have this many networks and AS numbers in each of 20 answers. */
function imageWith(listed: number): TestImage {
  const image = new TestImage().put("big.example", ["@ 300 NS ns1.big.example."]);
  const answers = Array.from({ length: 20 }, (_, answer) => ({
    answer: [`192.0.2.${answer + 1}`],
    meta: {
      ip_prefixes: Array.from({ length: listed }, (_, n) => `${100 + answer}.${100 + (n >> 8)}.${n & 255}.0/24`),
      asn: Array.from({ length: listed }, (_, n) => 60_000 + answer * 1000 + n),
      country: ["DE", "FR"],
    },
  }));
  const octets = JSON.stringify(answers).length;
  if (listed > 100) expect(octets).toBeGreaterThan(300_000);
  for (let n = 0; n < records; n++) {
    const domain = `r${n}.big.example`;
    image.writer.putRecord(steeredRecord("big.example", { type: "A", domain, answers, filters: chain }));
  }
  image.writer.commit();
  return image;
}

/** The CPU time of queries for all records in turn, in microseconds. */
function costOf(image: TestImage): number {
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < records; n++) image.ask(`r${n}.big.example. A`);
  }
  const { user } = process.cpuUsage(before);
  return user;
}

test("queries for 110 records of 350 KB cost no more than three times as much as for small records", () => {
  const [small, large] = [imageWith(2), imageWith(800)];
  for (const image of [small, large]) costOf(image);
  const ratios = Array.from({ length: 5 }, () => costOf(large) / costOf(small)).sort((a, b) => a - b);
  expect(ratios[2]).toBeLessThan(3);
});
