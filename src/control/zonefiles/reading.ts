/** A zone file that is read slice after slice, as fast as they are taken: in a thread unless it is a small one. */
import { readSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { Problem } from "../../lib/problem.ts";
import { Turns } from "../turns.ts";
import { type ReadStep, type ReadZone, readZoneFile } from "./read.ts";
import type { ReadOrder, Said } from "./reading-thread.ts";

/** Takes one step at a time, and is told the part of the file that is read, from 0 to 1. */
export type TakeStep = (step: ReadStep, done: number) => Promise<void>;

/** Throws what is wrong with the file, what `take` throws, and the reason of the signal. */
export async function readSpooled(order: ReadOrder, signal: AbortSignal, take: TakeStep): Promise<ReadZone> {
  if (order.octets > smallOctets) return await readInThread(order, signal, take);
  const octets = Buffer.alloc(order.octets);
  readSync(order.fd, octets, 0, octets.length, 0);
  const makesMany = /\$generate/i.test(octets.toString("latin1"));
  return makesMany ? await readInThread(order, signal, take) : await readHere(octets, order, take);
}

/** What is read in less time than a thread takes to start. */
const smallOctets = 128 * 1024;
const stepOctets = 8192;

async function readHere(octets: Uint8Array, order: ReadOrder, take: TakeStep): Promise<ReadZone> {
  const turns = new Turns();
  const steps = readZoneFile(async function* () {
    for (let at = 0; at < octets.length; at += stepOctets) {
      yield octets.subarray(at, at + stepOctets);
      await turns.giveWay();
    }
  }, order);
  for (;;) {
    const { value, done } = await steps.next();
    if (done) return value;
    await take(value, 1);
  }
}

async function readInThread(order: ReadOrder, signal: AbortSignal, take: TakeStep): Promise<ReadZone> {
  const worker = new Worker(new URL("./reading-thread.ts", import.meta.url), {
    workerData: order,
    name: "zone file",
    // little is kept for long: without a bound the thread would let garbage grow
    resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadZone>();
  let before = Promise.resolve();
  let ended = false;
  worker.on("message", (said: Said) => {
    before = before
      .then(async () => {
        if (ended) return;
        if (said.kind === "read") return resolve(said.zone);
        if (said.kind === "refused") throw problemOf(said.problem);
        await take(said.step, said.done);
        worker.postMessage("go on");
      })
      .catch((error: unknown) => {
        ended = true;
        reject(error);
      });
  });
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  worker.once("error", reject);
  worker.once("exit", (code) => {
    before = before.then(() => reject(new Error(`reading the zone file ended with ${code}`)));
  });
  try {
    return await promise;
  } finally {
    ended = true;
    signal.removeEventListener("abort", abort);
    await worker.terminate();
    // a step that is being taken is not torn apart
    await before;
  }
}

const problemOf = ({ code, message, details, status }: Extract<Said, { kind: "refused" }>["problem"]) =>
  new Problem(code, message, details, status);
