/**
 * The time from the start of the process to the first answer: an edge from its snapshot without a store, NSD and Knot
 * from the same zone as text; and of an edge whose store takes connections and never answers, beside a busy loop on each
 * core. Also the time to write that snapshot, and for how long this holds up the thread that applies changes.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { exchange } from "../src/net/client/exchange.ts";
import { queryOf, summary } from "../test/engine/states.ts";
import { Daemon, freePort, run } from "../test/machine/processes.ts";
import { bench } from "./kit/bench.ts";
import { edgeCommand, keepImage } from "./kit/edge.ts";
import { median } from "./kit/measure.ts";
import { atMost, type Row } from "./kit/rows.ts";
import { address, host, hostsZone, imageOf, imageRecord, writeZone, zone } from "./kit/zone.ts";
import { knot } from "./peers/knot.ts";
import { nsd } from "./peers/nsd.ts";

const name = "cold";
const most = 1000;
/** Records of the start beside busy loops, which is about the program and not about its data. */
const few = 10_000;

await bench(async (scale): Promise<Row[]> => {
  const records = scale(1_000_000, 10_000);
  const directory = mkdtempSync(join(tmpdir(), "fairlead-cold-"));
  try {
    const written = await writeSnapshot(directory, records);
    const files = writeZone(directory, hostsZone(records));
    const rounds = scale(5);
    const medianOf = async (start: (port: number) => readonly string[], last = records - 1) => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) times.push(await firstAnswer(start, last));
      return median(times);
    };
    const ours = await medianOf((port) => edgeCommand(directory, port, ["--workers", "1"]));
    const peers: Record<string, number | string> = {};
    for (const peer of [nsd, knot]) {
      const isThere = (await run("sh", ["-c", `command -v ${peer.program}`])).code === 0;
      peers[`${peer.name} (from text)`] = isThere
        ? await medianOf((port) => peer.configure(mkdtempSync(join(directory, "peer-")), port, files)).catch(String)
        : "not installed";
    }
    const measure = `${records} records from the snapshot: first answer`;
    const crowded = await beside(() => crowdedStart(medianOf));
    return [
      { name, measure, unit: "ms", ours, peers, ...atMost(ours, most, "ms") },
      row("beside busy loops, the store frozen, few records: first answer", crowded, "ms"),
      ...written,
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
});

/** Runs `use` beside a busy loop on each core. The loops end with this process, however it ends. */
async function beside<T>(use: () => Promise<T>): Promise<T> {
  const loop = `while kill -0 ${process.pid}; do :; done`;
  const loops = Array.from({ length: availableParallelism() }, () => spawn("sh", ["-c", loop], { stdio: "ignore" }));
  try {
    return await use();
  } finally {
    for (const loop of loops) loop.kill("SIGKILL");
  }
}

/** The start of an edge with few records whose store is frozen: the kernel takes connections, and nobody answers. */
async function crowdedStart(
  medianOf: (start: (port: number) => readonly string[], last: number) => Promise<number>,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-cold-"));
  const frozen = createServer(() => {}).listen(0, "127.0.0.1");
  try {
    await once(frozen, "listening");
    await keepImage(directory, imageOf([hostsZone(few)]));
    const url = `postgres://fairlead@127.0.0.1:${(frozen.address() as AddressInfo).port}/none`;
    return await medianOf((port) => edgeCommand(directory, port, ["--workers", "1"], { storeUrl: url }), few - 1);
  } finally {
    frozen.close();
    rmSync(directory, { recursive: true });
  }
}

// the bench above waits while this module is read, so that a constant would not be there yet
function row(measure: string, ours: number, unit: string): Row {
  return { name, measure, unit, ours, peers: {}, target: "" };
}

/** Writes the snapshot during a hundred changes a second. */
async function writeSnapshot(directory: string, records: number): Promise<Row[]> {
  const image = imageOf([hostsZone(records)]);
  let changes = 0;
  const changing = setInterval(() => {
    const changed = { domain: host((changes++ * 7919) % (records - 1)), type: "A", answers: ["192.0.2.1"] };
    image.putRecord(imageRecord(zone.id, changed));
    image.commit();
  }, 10);
  const turns = monitorEventLoopDelay({ resolution: 1 });
  turns.enable();
  const began = performance.now();
  await keepImage(directory, image);
  const took = performance.now() - began;
  turns.disable();
  clearInterval(changing);
  return [
    row("writing the snapshot", took, "ms"),
    row("writing the snapshot: longest turn", turns.max / 1e6, "ms"),
    row("the snapshot", statSync(join(directory, "edge", "zones")).size / 1e6, "MB"),
  ];
}

/** Milliseconds until the zone's record with the number `last` is answered, asked every few milliseconds. */
async function firstAnswer(start: (port: number) => readonly string[], last: number): Promise<number> {
  const port = await freePort();
  const [file, ...args] = start(port);
  const query = queryOf(`${host(last)} A`);
  const server = { address: "127.0.0.1", port, transport: "udp", attempts: 1, timeout: 5 } as const;
  const began = performance.now();
  const daemon = new Daemon(file!, args);
  try {
    for (;;) {
      await delay(2);
      const answer = await exchange(server, query).catch(() => undefined);
      if (answer && summary(answer) === `NOERROR ${address(last)}`) return performance.now() - began;
      if (performance.now() - began > 60_000) throw new Error("no answer within a minute");
      if (daemon.ended) throw new Error(`the server ended: ${daemon.printed}`);
    }
  } finally {
    await daemon.end();
  }
}
