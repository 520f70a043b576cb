/** Reads a zone file slice by slice, as fast as the slices are taken: in a thread unless the file is small. */
import { readSync } from "node:fs";
import { LongWork } from "../../../lib/fair/yield.ts";
import { LoadingThread } from "../loading/thread.ts";
import { type ReadStep, type ReadZone, readZoneFile } from "./read.ts";
import type { FileStep, ReadOrder } from "./reading-thread.ts";

/** Takes one step at a time, with the share of the file read so far, from 0 to 1. */
export type TakeStep = (step: ReadStep, done: number) => Promise<void>;

/** Throws `invalid` for a bad file, errors of `take`, and the reason of the signal. */
export async function readSpooled(order: ReadOrder, signal: AbortSignal, take: TakeStep): Promise<ReadZone> {
  if (order.octets > smallOctets) return await readInThread(order, signal, take);
  const octets = Buffer.alloc(order.octets);
  readSync(order.fd, octets, 0, octets.length, 0);
  const makesMany = /\$generate/i.test(octets.toString("latin1"));
  return makesMany ? await readInThread(order, signal, take) : await readHere(octets, order, take);
}

/** The size of files that are read in less time than a thread needs to start. */
const smallOctets = 128 * 1024;
const stepOctets = 8192;

async function readHere(octets: Uint8Array, order: ReadOrder, take: TakeStep): Promise<ReadZone> {
  const work = new LongWork();
  const steps = readZoneFile(async function* () {
    for (let at = 0; at < octets.length; at += stepOctets) {
      yield octets.subarray(at, at + stepOctets);
      await work.giveWay();
    }
  }, order);
  for (;;) {
    const { value, done } = await steps.next();
    if (done) return value;
    await take(value, 1);
  }
}

async function readInThread(order: ReadOrder, signal: AbortSignal, take: TakeStep): Promise<ReadZone> {
  const thread = new LoadingThread<"read", FileStep, ReadZone>({
    entry: new URL("./reading-thread.ts", import.meta.url),
    name: "zone file",
    data: order,
    signal,
    take: ({ step, done }) => take(step, done),
  });
  try {
    const zone = await thread.ask("read");
    await thread.settle();
    return zone;
  } finally {
    await thread.close();
  }
}
