/** A writer and two reading threads at full speed: no thread sees half a change set, or released memory. */
import { once } from "node:events";
import { MessageChannel, Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { recordsOf, zoneOf } from "../../../test/scenarios/image.ts";
import type { ReaderData, ReaderReport } from "../../../test/scenarios/reader-thread.ts";
import { ImageWriter } from "./writer/writer.ts";

const apex = "example.com";
const script = new URL("../../../test/scenarios/reader-thread.ts", import.meta.url);

/** Change set `number`: it is in the serial and at two names; of two other names one exists; more come, grow and go. */
function change(writer: ImageWriter, number: number): void {
  const lines = [
    `first 60 TXT "${number}"`,
    `turn${number % 2} 60 A 192.0.2.1`,
    `h${number % 1000}.deep 60 TXT "${"x".repeat(number % 250)}"`,
    `second.sub 60 TXT "${number}"`,
  ];
  for (const record of recordsOf(apex, lines)) writer.putRecord(record);
  writer.removeRecord(apex, `turn${(number + 1) % 2}.${apex}`, "A");
  writer.removeRecord(apex, `h${(number * 7) % 1000}.deep.${apex}`, "TXT");
  writer.setSerial(apex, number);
  writer.commit();
  if (number % 100 === 0) fillOrEmpty(writer, number / 100);
  writer.tidy(100);
}

/** Fills some segments every other time, otherwise nearly empties them. */
function fillOrEmpty(writer: ImageWriter, round: number): void {
  const text = `"${"y".repeat(250)}"`;
  for (let i = 0; i < 600; i++) {
    const [record] = recordsOf(apex, [`much${i} 60 TXT ${text}`]);
    if (round % 2 === 0) writer.putRecord(record!);
    else if (i % 7 > 0) writer.removeRecord(apex, record!.domain, record!.type);
  }
  writer.commit();
}

function startReader(writer: ImageWriter, slot: number, flags: SharedArrayBuffer) {
  const grown = new MessageChannel();
  const report = new MessageChannel();
  writer.onGrow((share) => grown.port1.postMessage(share));
  const data: ReaderData = { share: writer.share(), slot, grown: grown.port2, report: report.port2, flags };
  const worker = new Worker(script, { workerData: data, transferList: [grown.port2, report.port2] });
  const ended = once(worker, "exit");
  return {
    report: once(report.port1, "message") as Promise<[ReaderReport]>,
    ended,
    ports: [grown.port1, report.port1],
  };
}

test("change sets are whole in every thread while the image grows and is compacted", async () => {
  // overwrites released memory: whoever reads it sees nonsense
  const writer = ImageWriter.create({ smallest: 8192, dropMemory: (memory) => void new Uint8Array(memory).fill(0xff) });
  writer.putZone(zoneOf(apex), 1);
  change(writer, 1);
  const slots = [1, 2];
  const flags = new Int32Array(new SharedArrayBuffer(12));
  const readers = slots.map((slot) => startReader(writer, slot, flags.buffer));
  let number = 1;
  const begin = performance.now();
  const isDone = () =>
    performance.now() - begin > 1000 &&
    writer.stats().emptied > 3 &&
    slots.every((slot) => Atomics.load(flags, slot) > 20);
  while (!isDone() && performance.now() - begin < 25_000) {
    for (let i = 0; i < 50; i++) change(writer, ++number);
    await new Promise(setImmediate);
  }
  Atomics.store(flags, 0, 1);
  for (const reader of readers) {
    const [{ batches, faults }] = await reader.report;
    await reader.ended;
    for (const port of reader.ports) port.close();
    expect(faults).toEqual([]);
    expect(batches).toBeGreaterThan(100);
  }
  for (const slot of slots) expect(flags[slot]).toBeGreaterThan(20);
  expect(writer.stats().emptied).toBeGreaterThan(3);
}, 30_000);
