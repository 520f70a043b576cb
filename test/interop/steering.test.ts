/**
 * Steering over real sockets: generated records, feeds and geo files in a running service; packets, explain and an
 * independent model of the filters agree. STEERING_SEED draws other records and clients.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exchangeTcp, exchangeUdp } from "../dns/exchange.ts";
import { freePort } from "../machine/processes.ts";
import { seededRandom } from "../machine/random.ts";
import { testDatabase } from "../store/store.ts";
import { drawFrom } from "./differential/draw.ts";
import { askingOf, compare, isDrawn, type Report } from "./steering/compare.ts";
import { outcomesOf } from "./steering/model/answer.ts";
import { filters } from "./steering/model/filters.ts";
import { drawQuestion, packetOf } from "./steering/questions.ts";
import { resultOfPacket } from "./steering/results.ts";
import { busyService, geoFlags, overTheApi, separateEdge } from "./steering/service.ts";
import { generateWorld } from "./steering/world.ts";

const seed = Number(process.env["STEERING_SEED"] ?? 1);
const pairs = 10_000;
/** Milliseconds; explain takes most of this time. */
const patience = 900_000;
const leastOfEachFilter = 300;
const leastOfEachFact = 150;

/** Filters that let everything pass without measurements. */
const passing = Object.keys(filters).filter((name) => name.startsWith("pul"));

test(
  "10,000 clients of generated records get what the model allows, with the right scope, and some of them what explain says",
  async () => {
    const draw = drawFrom(seededRandom(seed));
    const world = generateWorld(draw, 1500);
    using geo = geoFlags(world.files);
    await using running = await busyService(geo.flags);
    const report = await compare(world, await overTheApi(running, world), draw, pairs);
    process.stdout.write(print(report));
    expect(report.findings.slice(0, 5)).toEqual([]);
    expect(report.pairs).toBe(pairs);
    expect(report.explained).toBeGreaterThanOrEqual(pairs / 32);
    expect(report.neighbours).toBeGreaterThan(pairs / 2);
    for (const name of Object.keys(filters)) {
      const { ran, acted } = report.filters[name] ?? { ran: 0, acted: 0 };
      expect(ran, name).toBeGreaterThanOrEqual(leastOfEachFilter);
      if (!passing.includes(name)) expect(acted, name).toBeGreaterThanOrEqual(leastOfEachFilter / 5);
    }
    for (const fact of ["country", "subdivision", "georegion", "coordinates", "asn", "prefix", "network"]) {
      expect(report.facts[fact], fact).toBeGreaterThanOrEqual(leastOfEachFact);
    }
    for (const scope of ["0", "within source", "beyond source"]) {
      expect(report.scopes[scope], scope).toBeGreaterThan(pairs / 20);
    }
  },
  patience,
);

test("a client gets the same answer over TCP, from another edge, and after a restart: sticky orders, scopes, values of feeds", async () => {
  const draw = drawFrom(seededRandom(seed + 1));
  const world = generateWorld(draw, 600);
  const [round] = world.rounds;
  const questions = Array.from({ length: 4000 }, () => drawQuestion(draw, world.records, world.blocks));
  const fixed = questions.filter((question) => !outcomesOf(round.world, askingOf(question)).some(isDrawn));
  const sticky = fixed.filter(({ record }) => record.filters.some(({ filter }) => filter.includes("sticky")));
  const packets = fixed.map(packetOf);
  using geo = geoFlags(world.files);
  const data = mkdtempSync(join(tmpdir(), "fairlead-sticky-"));
  const ports = { http: await freePort(), dns: await freePort() };
  const storeUrl = await testDatabase();
  const start = () => busyService([...geo.flags, "--database-url", storeUrl], { data, ports });
  const resultsOf = async (port: number) => (await exchangeUdp(port, packets)).map(resultOfPacket);
  const before = async () => {
    await using running = await start();
    await (await overTheApi(running, world)).push(round.push);
    const answers = await resultsOf(running.port);
    expect((await exchangeTcp(running.port, packets)).map(resultOfPacket)).toEqual(answers);
    await using edge = await separateEdge(storeUrl, geo.flags, true);
    expect(await resultsOf(edge.port)).toEqual(answers);
    return answers;
  };
  try {
    const first = await before();
    await using again = await start();
    expect(await resultsOf(again.port)).toEqual(first);
  } finally {
    rmSync(data, { recursive: true });
  }
  process.stdout.write(
    `\nsteering: ${fixed.length} clients, ${sticky.length} of them of sticky records, were answered alike by two edges and after a restart\n`,
  );
  expect(sticky.length).toBeGreaterThan(200);
});

function print({
  pairs: count,
  explained,
  filters: byFilter,
  facts,
  families,
  scopes,
  neighbours,
  findings,
}: Report): string {
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, number]) => `${name} ${number}`)
      .join(", ");
  const ran = Object.entries(byFilter).map(([name, { ran: all, acted }]) => `${name} ${all} (${acted})`);
  const lines = [
    `seed ${seed}, ${count} pairs, ${explained} of them explained, ${neighbours} neighbours in scope, ${findings.length} disagreements`,
    `ran (and changed something) ${ran.join(", ")}; at least ${leastOfEachFilter} each`,
    `facts read ${list(facts)}; at least ${leastOfEachFact} each`,
    `clients ${list(families)}; scopes ${list(scopes)}`,
  ];
  return `\n${lines.map((line) => `steering: ${line}\n`).join("")}`;
}
