/**
 * Steering over real sockets: generated records, feeds and geo files in a running service; packets, explain and an
 * independent model of the filters agree. STEERING_SEED draws others.
 */
import { expect, test } from "vitest";
import { seededRandom } from "../../src/lib/random.ts";
import { drawFrom } from "./differential/draw.ts";
import { compare, type Report } from "./steering/compare.ts";
import { filters } from "./steering/model/filters.ts";
import { overTheApi, serviceWith } from "./steering/service.ts";
import { generateWorld } from "./steering/world.ts";

const seed = Number(process.env["STEERING_SEED"] ?? 1);
const pairs = 10_000;
const leastOfEachFilter = 300;
const leastOfEachFact = 300;

/** Without measurements these let everything pass. */
const passing = Object.keys(filters).filter((name) => name.startsWith("pul"));

test("10,000 clients of generated records get what explain says and the model allows, with the right scope", async () => {
  const draw = drawFrom(seededRandom(seed));
  const world = generateWorld(draw, 1500);
  const { running, end } = await serviceWith(world.files);
  try {
    const report = await compare(world, await overTheApi(running, world), draw, pairs);
    process.stdout.write(print(report));
    expect(report.findings.slice(0, 5)).toEqual([]);
    expect(report.pairs).toBe(pairs);
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
  } finally {
    await end();
  }
});

function print({ pairs: count, filters: byFilter, facts, families, scopes, neighbours, findings }: Report): string {
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, number]) => `${name} ${number}`)
      .join(", ");
  const ran = Object.entries(byFilter).map(([name, { ran: all, acted }]) => `${name} ${all} (${acted})`);
  const lines = [
    `seed ${seed}, ${count} pairs, ${neighbours} neighbours in scope, ${findings.length} disagreements`,
    `ran (and changed something) ${ran.join(", ")}; at least ${leastOfEachFilter} each`,
    `facts read ${list(facts)}; at least ${leastOfEachFact} each`,
    `clients ${list(families)}; scopes ${list(scopes)}`,
  ];
  return `\n${lines.map((line) => `steering: ${line}\n`).join("")}`;
}
