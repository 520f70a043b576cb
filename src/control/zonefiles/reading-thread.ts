/** The thread in which a zone file is read: seconds of work, during which the API goes on. */
import { readSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { lowerThread } from "../../lib/priority.ts";
import { type Details, Problem, type ProblemCode } from "../../lib/problem.ts";
import { type ReadOptions, type ReadStep, type ReadZone, readZoneFile } from "./read.ts";

export interface ReadOrder extends ReadOptions {
  /** Of the file; it belongs to the process. */
  readonly fd: number;
  readonly octets: number;
}

/** What the thread says. After a step it waits until it is told to go on, with a few steps in advance. */
export type Said =
  | { readonly kind: "step"; readonly step: ReadStep; readonly done: number }
  | { readonly kind: "read"; readonly zone: ReadZone }
  | { readonly kind: "refused"; readonly problem: PlainProblem };

/** A Problem as it passes between threads. */
export interface PlainProblem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly details: Details | undefined;
  readonly status: number;
}

/** Steps that are said before the first of them is taken. */
const inAdvance = 3;
const chunkOctets = 65_536;

const { fd, octets, ...options }: ReadOrder = workerData;
const port = parentPort!;
let at = 0;
let allowed = inAdvance;
let goOn = () => {};

port.on("message", () => {
  allowed++;
  goOn();
});
lowerThread();
try {
  await read();
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  const { code, message, details, status } = error;
  say({ kind: "refused", problem: { code, message, details, status } });
}
port.close();

async function read(): Promise<void> {
  const steps = readZoneFile(chunks, options);
  for (;;) {
    const { value, done } = await steps.next();
    if (done) return say({ kind: "read", zone: value });
    if (allowed === 0) await new Promise<void>((resolve) => (goOn = resolve));
    allowed--;
    say({ kind: "step", step: value, done: at / octets });
  }
}

function* chunks(): Generator<Uint8Array> {
  for (at = 0; at < octets; ) {
    const chunk = new Uint8Array(chunkOctets);
    const length = readSync(fd, chunk, 0, chunkOctets, at);
    if (length === 0) return;
    at += length;
    yield chunk.subarray(0, length);
  }
}

function say(said: Said): void {
  const slice = said.kind === "step" && said.step !== "anew" ? said.step.slice : undefined;
  port.postMessage(said, slice ? [slice.rows.buffer as ArrayBuffer, slice.part.buffer as ArrayBuffer] : []);
}
