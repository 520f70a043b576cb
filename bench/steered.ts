/** A chain of four filters with a client subnet, compared with gdnsd's weighted records and PowerDNS' Lua records. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bench } from "./kit/bench.ts";
import { peersOf } from "./kit/compare.ts";
import { type Contender, inTurns } from "./kit/contender.ts";
import { questionsIn, subnetOption } from "./kit/load.ts";
import { startPeers } from "./kit/peer.ts";
import { atMost, type Row } from "./kit/rows.ts";
import { contenderOf, unlimitedService } from "./kit/served.ts";
import { geoFile, putSteered, steered, weights } from "./kit/steered.ts";
import { apex, nameServer } from "./kit/zone.ts";
import { gdnsdWith } from "./peers/gdnsd.ts";
import { powerdns } from "./peers/powerdns.ts";

const fixed = `fixed.${apex}`;
/** The highest microseconds of user time, and the lowest ratio of PowerDNS' time to ours. */
const mostUser = 2.5;
const leastFactor = 100;
const rounds = 3;

const gdnsdAddresses = weights.map((weight) => `a${weight} => [ 192.0.2.${weight}, ${weight} ]`).join(", ");
const gdnsdPlugin = `plugins => { weighted => { w => { multi => false, service_types => up, ${gdnsdAddresses} } } }`;
const gdnsdRecord = "steered 60 DYNA weighted!w";
const powerdnsChoice = weights.map((weight) => `{${weight}, '192.0.2.${weight}'}`).join(", ");
const powerdnsRecord = `steered 60 IN LUA A "pickwrandom({${powerdnsChoice}})"`;

await bench(async (scale): Promise<Row[]> => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  try {
    const questions = new Map(
      [steered, fixed].map((name) => [name, questionsIn(join(directory, name), new Array(1000).fill(`${name} A`))]),
    );
    await using ours = await startOurs(directory);
    await using weighted = await startPeers([gdnsdWith(gdnsdPlugin)], zoneFiles(directory, "gdnsd", gdnsdRecord));
    await using scripted = await startPeers([powerdns], zoneFiles(directory, "powerdns", powerdnsRecord));
    const others = [...weighted.running, ...scripted.running];
    const missing = { ...weighted.missing, ...scripted.missing };
    const all = [ours, { ...ours, name: "our static" }, ...others];
    const costs = await inTurns(all, scale(rounds), ({ name }) => ({
      ...{ seconds: scale(5), option: subnetOption },
      questions: questions.get(name === "our static" ? fixed : steered)!,
    }));
    const user = costs.get("Fairlead")!.user;
    const users = peersOf(costs, missing, (cost) => cost.user);
    const factor = typeof users["PowerDNS"] === "number" ? users["PowerDNS"] / user : 0;
    const unit = "us a query";
    const name = "steered";
    return [
      { name, measure: "user part", unit, ours: user, peers: users, ...atMost(user, mostUser, unit) },
      {
        ...{ name, measure: "PowerDNS' user part by ours", unit: "x", ours: factor, peers: {} },
        ...{ target: `at least ${leastFactor} x`, met: factor >= leastFactor },
      },
      {
        ...{ name, measure: "CPU time", unit, ours: costs.get("Fairlead")!.total, target: "" },
        peers: peersOf(costs, missing, (cost) => cost.total),
      },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
});

async function startOurs(directory: string): Promise<Contender> {
  const running = await unlimitedService({ flags: ["--workers", "1", "--geo", geoFile(directory)] });
  await running.zone(apex, { ttl: 3600 });
  await running.put(apex, `${fixed} A`, ["192.0.2.1"]);
  await putSteered(running);
  return await contenderOf(running);
}

/** Writes a zone with one steered name, in the format of a peer. */
function zoneFiles(directory: string, peer: string, record: string) {
  const home = join(directory, peer);
  mkdirSync(home);
  const soa = `@ 3600 SOA ${nameServer} hostmaster.${apex}. 1 7200 1800 259200 900\n@ 3600 NS ${nameServer}\n`;
  writeFileSync(join(home, "zone"), `$ORIGIN ${apex}.\n${soa}${record}\n`);
  return { directory: home, zones: [{ apex, file: "zone" }], probe: `${steered} A` };
}
