/** A writer and two reading threads at full speed: no thread sees half a value, or a value of another feed. */
import { once } from "node:events";
import { MessageChannel, Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import type { LiveThreadData, LiveThreadReport } from "../../../test/scenarios/live-thread.ts";
import { LiveTable } from "./table.ts";

const script = new URL("../../../test/scenarios/live-thread.ts", import.meta.url);
const feeds = Array.from({ length: 20 }, (_, index) => `feed ${index}`);

function startReader(table: LiveTable) {
  const progress = new SharedArrayBuffer(8);
  const { port1, port2 } = new MessageChannel();
  const data: LiveThreadData = { share: table.share(), feeds, report: port2, progress };
  const worker = new Worker(script, { workerData: data, transferList: [port2] });
  const ended = once(worker, "exit");
  return {
    report: once(port1, "message") as Promise<[LiveThreadReport]>,
    ended,
    port: port1,
    progress: new Int32Array(progress),
  };
}

/** Writes values of a feed, or removes them; another feed may reuse their memory. */
function change(table: LiveTable, n: number): void {
  const index = n % feeds.length;
  const id = feeds[index]!;
  const number = (n % 1000) * 100 + 100 + index;
  const isGone = n % 7 === 0;
  const data = isGone ? null : { text: { id, n, fill: "x".repeat(n % 300) }, number };
  const other = `other ${n % 3000}`;
  table.put([
    { feed_id: id, data, at: 0, max_age: 1, fallback: { number: -number } },
    { feed_id: other, data: n % 3 === 0 ? null : { text: { id: other, n } }, at: 0, max_age: null, fallback: null },
  ]);
}

test("values are whole in every thread while feeds are added and removed and the memory grows", async () => {
  const table = new LiveTable();
  const before = table.stats().octets;
  const readers = [startReader(table), startReader(table)];
  let n = 1;
  while (n < 5000 || readers.some(({ progress }) => Atomics.load(progress, 1) < 300)) {
    for (let i = 0; i < 200; i++) change(table, n++);
    await new Promise(setImmediate);
  }
  for (const { progress } of readers) Atomics.store(progress, 0, 1);
  for (const reader of readers) {
    const [{ found, changes, faults }] = await reader.report;
    await reader.ended;
    reader.port.close();
    expect(faults).toEqual([]);
    expect(found).toBeGreaterThanOrEqual(changes);
  }
  expect(table.stats().octets).toBeGreaterThan(before);
}, 30_000);
