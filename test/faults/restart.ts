/** Kills the edge under 5,000 queries a second and prints the time without answers: node test/faults/restart.ts [rounds] [seed] */

import { savedLog } from "../machine/saved-log.ts";
import { service } from "../service/kit.ts";
import { edgeRounds } from "./edges.ts";
import { describeTally } from "./load.ts";
import { prepare } from "./load-zone.ts";

/** The longest time without an answer that is accepted, in milliseconds. */
const wanted = 1000;

const [rounds = "20", seed = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
const log = await savedLog("restart", Number(seed), import.meta.dirname);
await using running = await service();
await prepare(running);
const report = await edgeRounds(running, {
  signal: "SIGKILL",
  rounds: Number(rounds),
  rate: 5000,
  seed: Number(seed),
  onRound: log.say,
});
const { silences, udp } = report;
const slow = silences.filter((silence) => silence > wanted).length;
log.say(`${silences.length} rounds, ${slow} with more than ${wanted} ms without an answer`);
log.say(`UDP: ${describeTally(udp!)}`);
log.write();
process.exitCode = slow + udp!.wrong === 0 ? 0 : 1;
