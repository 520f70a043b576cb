/**
 * Static answers as the service comes: its own number of workers, no core for anybody, and 500 queries outstanding. NSD
 * beside it has as many processes.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { bench } from "./kit/bench.ts";
import { inTurns } from "./kit/contender.ts";
import { temporary } from "./kit/files.ts";
import { questionsIn } from "./kit/load.ts";
import { startPeers } from "./kit/peer.ts";
import { atLeast, atMostPeers, type Row } from "./kit/rows.ts";
import { contenderOf, fill, unlimitedService } from "./kit/served.ts";
import { host, hostsZone, writeZone } from "./kit/zone.ts";
import { nsdWith } from "./peers/nsd.ts";

const outstanding = 500;
const rounds = 5;

await bench((scale) =>
  temporary(async (directory): Promise<Row[]> => {
    const hosts = scale(100_000, 1000);
    const zone = hostsZone(hosts);
    const drawn = Array.from({ length: hosts }, (_, i) => `${host((i * 7919) % hosts)} A`);
    const questions = questionsIn(join(directory, "questions"), drawn);
    const running = await unlimitedService();
    await using ours = await contenderOf(running, false);
    await fill(running, zone);
    const files = { ...writeZone(directory, zone), probe: `${zone.apex} SOA` };
    await using peers = await startPeers([nsdWith(availableParallelism())], files);
    const load = { questions, outstanding, seconds: scale(5), isFree: true };
    const costs = await inTurns([ours, ...peers.running], scale(rounds), () => load);
    const [own, theirs] = [costs.get("Fairlead")!, costs.get("NSD")];
    const of = (figure: number | undefined) => (figure === undefined ? peers.missing : { NSD: figure });
    const cpu = of(theirs?.total);
    const rate = own.perSecond / (theirs?.perSecond ?? Number.NaN);
    const row = { name: "default", peers: {} };
    return [
      {
        ...{ ...row, measure: "CPU time", unit: "us a query", ours: own.total, peers: cpu },
        ...atMostPeers(own.total, cpu, ["NSD"]),
      },
      { ...row, measure: "answers", unit: "1/s", ours: own.perSecond, peers: of(theirs?.perSecond), target: "" },
      { ...row, measure: "answers, by NSD's", unit: "x", ours: rate, ...atLeast(rate, 1, "x") },
    ];
  }),
);
