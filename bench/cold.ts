/**
 * From the start of the process to the first answer: an edge from its snapshot, with no store to follow, beside NSD and
 * Knot that read the same zone's text. And what writing that snapshot costs the thread that takes changes.
 * node bench/cold.ts [records] [rounds]
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { ImageWriter } from "../src/answer/image/writer.ts";
import { LiveSnapshots } from "../src/edge/live-snapshot.ts";
import { Snapshots } from "../src/edge/snapshots.ts";
import { newLog } from "../src/lib/log.ts";
import { exchange } from "../src/net/exchange.ts";
import { freePort } from "../test/processes.ts";
import { queryOf, summary } from "../test/states.ts";
import { median, printTable } from "./measure.ts";
import { apex, host, zone } from "./zone.ts";

const records = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 5);
const main = new URL("../src/main.ts", import.meta.url).pathname;
const directory = mkdtempSync(join(tmpdir(), "fairlead-cold-"));
const address = (i: number) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;

const at = { revision: 1, store: "none", currentAt: Date.now() };
const log = newLog("error", "bench");
const silent = { stdio: "ignore", detached: false } as const;
const recordOf = (i: number, to: string) => ({
  ...{ zone_id: zone.id, domain: host(i), type: "A", ttl: 300, answers: [{ answer: [to] }] },
  ...{ override_ttl: false, override_address_records: false },
});

try {
  printTable(["snapshot", "MB", "s", "longest turn ms"], [await writeSnapshot()]);
  writeText();
  const rows: string[][] = [];
  for (const { name, start } of [{ name: "Fairlead, from a snapshot", start: startOurs }, ...peers()]) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await firstAnswer(start));
    rows.push([name, ...[Math.min(...times), median(times), Math.max(...times)].map((time) => time.toFixed(0))]);
  }
  printTable(["first answer after ms", "least", "median", "most"], rows);
} finally {
  rmSync(directory, { recursive: true });
}

/** Beside a hundred changes a second. */
async function writeSnapshot(): Promise<string[]> {
  const image = ImageWriter.create();
  image.putZone(zone, 1);
  for (let i = 0; i < records; i++) image.putRecord(recordOf(i, address(i)));
  image.commit();
  const kept = join(directory, "edge");
  mkdirSync(kept);
  let changes = 0;
  const changing = setInterval(() => {
    image.putRecord(recordOf((changes++ * 7919) % (records - 1), "192.0.2.1"));
    image.commit();
  }, 10);
  const turns = monitorEventLoopDelay({ resolution: 1 });
  turns.enable();
  const began = performance.now();
  await new Snapshots(kept, "all", log).write(() => ({ ...at, image }));
  const took = performance.now() - began;
  turns.disable();
  // an edge without values of feeds would wait for them
  await new LiveSnapshots(kept, log).write(at, []);
  clearInterval(changing);
  const { size } = statSync(join(kept, "zones"));
  const row = [(size / 1e6).toFixed(0), (took / 1000).toFixed(2), (turns.max / 1e6).toFixed(1)];
  return [`${records} records`, ...row];
}

function writeText(): void {
  const lines = Array.from({ length: records }, (_, i) => `${host(i)}. 300 IN A ${address(i)}`);
  const soa = `${apex}. 3600 IN SOA ns1.${apex}. hostmaster.${apex}. 1 2 3 4 5`;
  writeFileSync(join(directory, "zone"), `${soa}\n${apex}. 3600 IN NS ns1.${apex}.\n${lines.join("\n")}\n`);
}

function startOurs(port: number): ChildProcess {
  const metrics = port + 1;
  const store = "postgres://127.0.0.1:1/none";
  const flags = ["--dns", `127.0.0.1:${port}`, "--data", directory, "--database-url", store, "--log", "error"];
  return spawn(
    process.execPath,
    [main, "edge", "--workers", "1", "--metrics", `127.0.0.1:${metrics}`, ...flags],
    silent,
  );
}

/** Those that are installed. */
function peers() {
  const isThere = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
  return [
    { name: "NSD, from text", program: "nsd", start: startNsd },
    { name: "Knot, from text", program: "knotd", start: startKnot },
  ].filter(({ program }) => isThere(program));
}

function startNsd(port: number): ChildProcess {
  const config = join(directory, "nsd.conf");
  const files = ["pidfile", "xfrdfile", "zonelistfile"].map((name) => `${name}: "${join(directory, name)}"`);
  const server = [
    `ip-address: 127.0.0.1@${port}`,
    'username: ""',
    'database: ""',
    ...files,
    `zonesdir: "${directory}"`,
  ];
  const text = `server:\n  ${server.join("\n  ")}\nremote-control:\n  control-enable: no\nzone:\n  name: ${apex}\n  zonefile: zone\n`;
  writeFileSync(config, text);
  return spawn("nsd", ["-d", "-c", config], silent);
}

function startKnot(port: number): ChildProcess {
  const config = join(directory, "knot.conf");
  const text = `server:
  listen: 127.0.0.1@${port}
  rundir: ${directory}
  udp-workers: 1
database:
  storage: ${directory}/knot
zone:
  - domain: ${apex}
    storage: ${directory}
    file: zone
    zonefile-sync: -1
    semantic-checks: off
`;
  writeFileSync(config, text);
  return spawn("knotd", ["-c", config], silent);
}

/** Milliseconds until the last record of the zone is answered; asked again every few milliseconds. */
async function firstAnswer(start: (port: number) => ChildProcess): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const child = start(port);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const query = queryOf(`${host(records - 1)} A`);
  const server = { address: "127.0.0.1", port, transport: "udp", attempts: 1, timeout: 5 } as const;
  for (;;) {
    await delay(2);
    const answer = await exchange(server, query).catch(() => undefined);
    if (answer && summary(answer) === `NOERROR ${address(records - 1)}`) break;
    if (performance.now() - began > 60_000) throw new Error("no answer within a minute");
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
  }
  const took = performance.now() - began;
  child.kill("SIGTERM");
  await ended;
  return took;
}
