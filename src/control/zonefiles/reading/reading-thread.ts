/** The thread that reads a zone file. */
import { readSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { LoadingWorker } from "../loading/worker.ts";
import { type ReadOptions, type ReadStep, type ReadZone, readZoneFile } from "./read.ts";

export interface ReadOrder extends ReadOptions {
  /** The file's descriptor, which is valid in the whole process. */
  readonly fd: number;
  readonly octets: number;
}

/** A step, and the share of the file read so far. */
export interface FileStep {
  readonly step: ReadStep;
  readonly done: number;
}

const chunkOctets = 65_536;

const { fd, octets, ...options }: ReadOrder = workerData;
const worker = new LoadingWorker<"read", FileStep, ReadZone>();
let at = 0;

worker.serve(async () => {
  const steps = readZoneFile(chunks, options);
  for (;;) {
    const { value, done } = await steps.next();
    if (done) return value;
    await worker.step({ step: value, done: at / octets }, value === "restart" ? undefined : value.slice);
  }
});

function* chunks(): Generator<Uint8Array> {
  for (at = 0; at < octets; ) {
    const chunk = new Uint8Array(chunkOctets);
    const length = readSync(fd, chunk, 0, chunkOctets, at);
    if (length === 0) return;
    at += length;
    yield chunk.subarray(0, length);
  }
}
