/**
 * The differential test: generated questions about generated zones, to Fairlead and to NSD; DIFFERENTIAL_SEED draws
 * other zones and questions.
 */
import { expect, test } from "vitest";
import { service } from "../service/kit.ts";
import { compareWithNsd, type Report } from "./differential/compare.ts";
import { differences } from "./differential/differences.ts";
import { inProcess } from "./differential/ours.ts";
import { overTheApi } from "./differential/service.ts";
import { nsdVersion } from "./nsd.ts";

const seed = Number(process.env["DIFFERENTIAL_SEED"] ?? 1);
const leastOfEachClass = 3000;
const leastOutcomes = {
  answer: 10_000,
  nodata: 10_000,
  nxdomain: 10_000,
  yxdomain: 100,
  referral: 5000,
  truncated: 1000,
  refused: 5000,
};

test("the list of known differences holds ten at most, each with its RFC section and the peer's version", async () => {
  expect(differences.length + 2).toBeLessThanOrEqual(10);
  for (const { rfc, peer } of differences) {
    expect(rfc).toMatch(/^RFC \d+ section [\d.]+/);
    expect(peer).toBe(`NSD ${await nsdVersion()}`);
  }
});

test("100,000 questions are answered as NSD answers them", async () => {
  const report = await compareWithNsd({ seed, queries: 100_000, size: 400 }, inProcess);
  process.stdout.write(print(report));
  expect(report.unknown.slice(0, 5)).toEqual([]);
  expect(report.queries).toBeGreaterThanOrEqual(100_000);
  for (const [name, count] of Object.entries(report.classes))
    expect(count, name).toBeGreaterThanOrEqual(leastOfEachClass);
  expect(report.overTcp).toBeGreaterThan(1000);
  for (const [name, least] of Object.entries(leastOutcomes)) {
    expect(report.outcomes[name as keyof typeof leastOutcomes], name).toBeGreaterThanOrEqual(least);
  }
});

test("a running service, filled over its API and asked over its sockets, answers as NSD does", async () => {
  await using running = await service();
  const report = await compareWithNsd({ seed, queries: 10_000, size: 40 }, (zones) => overTheApi(running, zones));
  process.stdout.write(
    `\ndifferential: ${report.queries} questions to a running service, ${report.unknown.length} unexplained differences\n`,
  );
  expect(report.unknown.slice(0, 5)).toEqual([]);
});

const print = ({ queries, classes, outcomes, overTcp, known, unknown }: Report) => {
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  const lines = [
    `seed ${seed}, ${queries} questions over UDP, ${overTcp} again over TCP, ${unknown.length} unexplained differences`,
    `asked ${list(classes)}; at least ${leastOfEachClass} each`,
    `answered ${list(outcomes)}`,
    ...[...known].map(([{ what, rfc, peer }, count]) => `known ${count} x ${what} (${rfc}; ${peer})`),
  ];
  return `\n${lines.map((line) => `differential: ${line}\n`).join("")}`;
};
