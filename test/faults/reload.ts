/**
 * Reloads the service every ten seconds under 5,000 queries a second, and saves a log: node test/faults/reload.ts
 * [reloads] [seed]
 */

import { savedLog } from "../machine/saved-log.ts";
import { describeTally } from "./load.ts";
import { reloadsUnderLoad } from "./reloads.ts";

const [reloads = "6", seed = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
const log = await savedLog("reload", Number(seed), import.meta.dirname);
const { udp, tcp } = await reloadsUnderLoad({
  reloads: Number(reloads),
  every: 10_000,
  rate: 5000,
  seed: Number(seed),
  onReload: log.say,
});
log.say(`UDP: ${describeTally(udp)}`);
log.say(`TCP: ${describeTally(tcp)}`);
log.say(`TCP: ${tcp.connections} connections, ${tcp.again} questions asked again on another one`);
log.write();
process.exitCode = udp.lost + udp.wrong + tcp.lost + tcp.wrong === 0 ? 0 : 1;
