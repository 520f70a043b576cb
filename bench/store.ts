/** Durable writes of records to the embedded store, with a sequencer and a follower but no API. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/lib/clock.ts";
import { newId } from "../src/lib/ids.ts";
import { newLog } from "../src/lib/log.ts";
import { openStore } from "../src/storage/db.ts";
import { startPostgres } from "../src/storage/embedded/postgres.ts";
import { Sequencer } from "../src/storage/sequencer/sequencer.ts";
import { followPostgres } from "../src/sync/postgres/changes.ts";
import { Mirror } from "../test/store/mirror.ts";
import { insertAccount, insertZone, putRecord } from "../test/store/writes.ts";
import { bench } from "./kit/bench.ts";
import { percentile } from "./kit/measure.ts";
import type { Row } from "./kit/rows.ts";

const writers = 16;
const names = 5000;

const at = (values: readonly number[], share: number) =>
  percentile(
    values.toSorted((a, b) => a - b),
    share,
  );

await bench(async (scale): Promise<Row[]> => {
  const seconds = scale(8);
  const rows: Row[] = [];
  const log = newLog("warn", "bench");
  const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  const postgres = await startPostgres({ directory, log });
  try {
    const store = await openStore(postgres.url, { log, poolSize: writers + 4 });
    const sequencer = new Sequencer(store, { log, clock: systemClock });
    const mirror = new Mirror();
    const subscription = await followPostgres(postgres.url, mirror, { log, id: "bench" });
    const account = await insertAccount(store);
    const committedAt = new Map<string, number>();
    const delays: number[] = [];
    mirror.onApply = (sets) => {
      const now = performance.now();
      for (const { id } of sets) {
        const at = committedAt.get(id);
        // a change can arrive before its writer learns that it has committed
        delays.push(at === undefined ? 0 : now - at);
      }
    };

    const measure = async (title: string, zoneCount: number, pace: number) => {
      const zones = await Promise.all(
        Array.from({ length: zoneCount }, () => insertZone(store, account, `${newId()}.example`)),
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
      delays.length = 0;
      const times: number[] = [];
      const cpu = { node: process.cpuUsage(), server: serverCpu() };
      const begin = performance.now();
      const write = async (writer: number) => {
        for (let count = 0; performance.now() - begin < seconds * 1000; count++) {
          const started = performance.now();
          const label = `host${Math.floor(Math.random() * names)}`;
          const id = await putRecord(store, zones[writer % zoneCount]!, { label, address: `192.0.2.${count % 256}` });
          committedAt.set(id, performance.now());
          times.push(performance.now() - started);
          sequencer.wake();
          if (pace > 0) await new Promise((resolve) => setTimeout(resolve, pace));
        }
      };
      await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
      const took = (performance.now() - begin) / 1000;
      await new Promise((resolve) => setTimeout(resolve, 500));
      const node = process.cpuUsage(cpu.node);
      const each = (microseconds: number) => Math.round(microseconds / times.length);
      const row = (measure: string, unit: string, ours: number): Row => ({
        ...{ name: "store", measure: `${title}${measure}`, unit, ours, peers: {}, target: "" },
      });
      rows.push(
        row("", "/s", times.length / took),
        row(": write p99", "ms", at(times, 0.99)),
        row(": commit to follower p99", "ms", at(delays, 0.99)),
        row(": CPU time of writers and store", "us a write", each(node.user + node.system + serverCpu() - cpu.server)),
      );
    };

    /** Microseconds of CPU that the server's processes have used. */
    function serverCpu(): number {
      return postgres
        .pids()
        .map((pid) =>
          readFileSync(`/proc/${pid}/stat`, "utf8")
            .replace(/^.*\) /s, "")
            .split(" "),
        )
        .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) * 10_000, 0);
    }

    await measure("16 writers, 1 zone", 1, 0);
    await measure("16 writers, 16 zones", 16, 0);
    await measure("16 paced writers, 16 zones", 16, 100);
    await subscription.close();
    await sequencer.close();
    await store.close();
    return rows;
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
