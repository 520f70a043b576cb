/**
 * Parses bodies. Large ones are checked in a thread first, where accounts take turns: this thread spends no time on a
 * body that is refused. A body that is accepted is parsed again here, since a copy of its value costs more than that.
 */
import { Worker } from "node:worker_threads";
import { FairQueue } from "../../lib/fair/queue.ts";
import { problemFrom } from "../../lib/problem.ts";
import type { JsonLimits } from "./bounds.ts";
import type { Checked, ToCheck } from "./checking-thread.ts";
import { parseAgain, parseJson } from "./json.ts";

const entry = new URL("./checking-thread.ts", import.meta.url);
/** Most objects are short-lived: without a bound the thread would let garbage grow. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };
/** The most octets that are parsed at once. */
export const mostAtOnce = 64 * 1024;

export interface ParsedBody {
  readonly value: unknown;
  readonly octets: Uint8Array;
}

interface Job extends ToCheck {
  readonly resolve: (checked: Checked) => void;
  readonly reject: (reason: Error) => void;
}

export class BodyParser {
  readonly #waiting = new FairQueue<Job>();
  #thread: Worker | undefined;
  #running: Job | undefined;

  /** Returns the octets, too, since those that were given may have been moved to the thread and back. */
  parse(octets: Buffer, limits: JsonLimits, account: string, address: string): ParsedBody | Promise<ParsedBody> {
    if (octets.length <= mostAtOnce) return { value: parseJson(octets, limits), octets };
    return this.#parseLarge(octets, limits, account, address);
  }

  async #parseLarge(octets: Buffer, limits: JsonLimits, account: string, address: string): Promise<ParsedBody> {
    const own = ownMemory(octets);
    const checked = await new Promise<Checked>((resolve, reject) => {
      this.#waiting.add(account, address, { octets: own, limits, resolve, reject });
      this.#next();
    });
    if (checked.refusal) throw problemFrom(checked.refusal);
    return { value: parseAgain(checked.octets), octets: checked.octets };
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #next(): void {
    if (this.#running) return;
    this.#running = this.#waiting.take();
    if (!this.#running) return;
    this.#thread ??= this.#start();
    const { octets, limits } = this.#running;
    const order: ToCheck = { octets, limits };
    this.#thread.postMessage(order, [octets.buffer]);
  }

  #end(settle: (job: Job) => void): void {
    const job = this.#running;
    this.#running = undefined;
    if (job) settle(job);
    this.#next();
  }

  /** Starts the thread, which does not keep its parent from ending. */
  #start(): Worker {
    const thread = new Worker(entry, { resourceLimits, name: "bodies" });
    thread.unref();
    thread.on("message", (checked: Checked) => this.#end(({ resolve }) => resolve(checked)));
    let fault: unknown = "it ended";
    thread.on("error", (error) => (fault = error));
    thread.on("exit", () => {
      this.#thread = undefined;
      this.#end(({ reject }) => reject(new Error(`the thread that checks bodies failed: ${fault}`)));
    });
    return thread;
  }
}

/** The octets in memory that holds nothing else, so that it can be moved between threads. */
function ownMemory(octets: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = octets;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(octets);
}
