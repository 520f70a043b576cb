/** A thread that reads the live table as fast as it can, even with outdated handles. */
import { type MessagePort, workerData } from "node:worker_threads";
import { LiveReader } from "../../src/answer/live/reader.ts";
import type { LiveShare } from "../../src/answer/live/share.ts";

export interface LiveThreadData {
  readonly share: LiveShare;
  readonly feeds: readonly string[];
  readonly report: MessagePort;
  /** Two words: 1 in the first ends the thread; in the second, the thread writes how many changed values it has read. */
  readonly progress: SharedArrayBuffer;
}

export interface LiveThreadReport {
  /** Values that were found. */
  readonly found: number;
  /** Values that differed from those read before. */
  readonly changes: number;
  readonly faults: readonly string[];
}

const { share, feeds, report, progress } = workerData as LiveThreadData;
const reader = new LiveReader(share);
const faults: string[] = [];
const last = new Map<string, number>();
let [found, changes] = [0, 0];

/** Checks the value of `text`: its feed's id, a growing number n, and n % 300 octets. */
function checkText(id: string, cell: number): void {
  const value = reader.value(cell) as { id: string; n: number; fill: string } | undefined;
  if (value === undefined) return;
  const before = last.get(id) ?? 0;
  const isWhole = value.id === id && value.fill === "x".repeat(value.n % 300) && value.n >= before;
  if (!isWhole) faults.push(`${id} after ${before}: ${JSON.stringify(value)}`);
  last.set(id, value.n);
  found++;
  if (value.n > before) changes++;
}

/**
 * Checks the value of `number`: a number that identifies the feed, and from time 1000 on its negative, the fallback.
 */
function checkNumber(index: number, cell: number): void {
  const number = reader.number(cell);
  if (Number.isNaN(number)) return;
  if (Math.abs(number) % 100 !== index) faults.push(`number ${number} of feed ${index}`);
  if (number > 0 !== reader.now < 1000) faults.push(`number ${number} at ${reader.now}`);
}

const shared = new Int32Array(progress);
while (Atomics.load(shared, 0) === 0 && faults.length < 5) {
  const cells = feeds.map((id) => ({ id, text: reader.cell(id, "text"), number: reader.cell(id, "number") }));
  for (let round = 0; round < 20; round++) {
    reader.now = round % 2 === 0 ? 500 : 1500;
    for (const [index, { id, text, number }] of cells.entries()) {
      checkText(id, text);
      checkNumber(index, number);
    }
  }
  Atomics.store(shared, 1, changes);
}
report.postMessage({ found, changes, faults } satisfies LiveThreadReport);
