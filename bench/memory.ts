/**
 * Memory of an edge that answers from one zone of A records, started from its snapshot with one UDP worker and one for
 * streams, beside NSD with the same zone: proportional set sizes of all processes. And the most that the edge has
 * while two of three records are removed and their memory is given back.
 * node bench/memory.ts [records]
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ImageWriter } from "../src/answer/image/writer.ts";
import { LiveSnapshots } from "../src/edge/live-snapshot.ts";
import { Snapshots } from "../src/edge/snapshots.ts";
import { newLog } from "../src/lib/log.ts";
import { exchange } from "../src/net/exchange.ts";
import { dropMemory, sharedMemory } from "../src/net/pages.ts";
import { startNsd } from "../test/interop/nsd.ts";
import { freePort } from "../test/processes.ts";
import { queryOf, summary } from "../test/states.ts";
import { printTable } from "./measure.ts";
import { apex, host, zone } from "./zone.ts";

const records = Number(process.argv[2] ?? 1_000_000);
const main = new URL("../src/main.ts", import.meta.url).pathname;
const directory = mkdtempSync(join(tmpdir(), "fairlead-memory-"));
const log = newLog("error", "bench");
const at = { revision: 1, store: "none", currentAt: Date.now() };
const address = (i: number) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;
const recordOf = (i: number) => ({
  ...{ zone_id: zone.id, domain: host(i), type: "A", ttl: 300, answers: [{ answer: [address(i)] }] },
  ...{ override_ttl: false, override_address_records: false },
});

try {
  const compacted = await writeSnapshot();
  const ours = await measureOurs();
  const theirs = await measureNsd();
  printTable(
    ["proportional set size", "MB", "of NSD's"],
    [
      ["Fairlead, edge alone", (ours / 1e6).toFixed(0), (ours / theirs).toFixed(2)],
      ["NSD, all processes", (theirs / 1e6).toFixed(0), "1.00"],
    ],
  );
  printTable(["image", "MB", "of all records"], compacted);
} finally {
  rmSync(directory, { recursive: true });
}

/** Of an image that is then emptied of two records in three: what it has before, at most meanwhile, and after. */
async function writeSnapshot(): Promise<string[][]> {
  const image = ImageWriter.create({ makeMemory: sharedMemory, dropMemory });
  image.putZone(zone, 1);
  for (let i = 0; i < records; i++) image.putRecord(recordOf(i));
  image.commit();
  while (image.tidy(1000));
  const kept = join(directory, "edge");
  mkdirSync(kept);
  await new Snapshots(kept, "all", log).write(() => ({ ...at, image }));
  await new LiveSnapshots(kept, log).write(at, []);
  const before = image.stats().octets;
  let most = 0;
  const tidy = () => {
    const isMore = image.tidy(1000);
    most = Math.max(most, image.stats().octets);
    return isMore;
  };
  for (let i = 0; i < records; i++) {
    if (i % 3 > 0) image.removeRecord(zone.id, host(i), "A");
    if (i % 1000 > 0) continue;
    image.commit();
    tidy();
  }
  image.commit();
  while (tidy());
  const row = (name: string, octets: number) => [name, (octets / 1e6).toFixed(0), (octets / before).toFixed(2)];
  return [
    row("all records", before),
    row("at most, while records are removed", most),
    row("a third of the records", image.stats().octets),
  ];
}

async function measureOurs(): Promise<number> {
  const [port, metrics] = [await freePort(), await freePort()];
  const store = "postgres://127.0.0.1:1/none";
  const listen = ["--dns", `127.0.0.1:${port}`, "--metrics", `127.0.0.1:${metrics}`];
  const flags = ["--workers", "1", "--data", directory, "--database-url", store, "--log", "error"];
  const child = spawn(process.execPath, [main, "edge", ...listen, ...flags], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    await askAll(port);
    return sizeOf([child.pid!]);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

async function measureNsd(): Promise<number> {
  const lines = Array.from({ length: records }, (_, i) => `${host(i)}. 300 IN A ${address(i)}`);
  const soa = `${apex}. 3600 IN SOA ns1.${apex}. hostmaster.${apex}. 1 2 3 4 5`;
  const text = `${soa}\n${apex}. 3600 IN NS ns1.${apex}.\n${lines.join("\n")}\n`;
  await using nsd = await startNsd([{ name: `${apex}.`, text }]);
  await askAll(nsd.port);
  return sizeOf(nsd.pids());
}

/** Some thousands of names from all over the zone. */
async function askAll(port: number): Promise<void> {
  const server = { address: "127.0.0.1", port, transport: "udp", attempts: 1, timeout: 1000 } as const;
  // the socket is there before the process answers
  while (!(await exchange(server, queryOf(`${host(0)} A`)).catch(() => undefined))) await delay(20);
  for (let n = 0; n < 5000; n++) {
    const i = (n * 7919) % records;
    const answer = summary(await exchange(server, queryOf(`${host(i)} A`)));
    if (answer !== `NOERROR ${address(i)}`) throw new Error(`${host(i)}: ${answer}`);
  }
}

function sizeOf(pids: readonly number[]): number {
  const lines = pids.map((pid) => readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
  return lines.reduce((sum, text) => sum + Number(/^Pss:\s+(\d+) kB/m.exec(text)![1]) * 1024, 0);
}
