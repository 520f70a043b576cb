/** The thread of simulations: answers orders to explain, several at a time. */
import { Worker } from "node:worker_threads";
import { type PlainProblem, problemFrom } from "../../../lib/problem.ts";
import type { Access } from "../../access/access.ts";
import type { ExplainOrder } from "./explain.ts";

export interface SimulatorOptions {
  readonly storeUrl: string;
  readonly isStoreEmbedded: boolean;
  readonly logLevel: string;
}

/** The one who asks, as far as the thread has to know. */
export interface Asking {
  readonly account_id: string;
  readonly access: Access;
  /** The name of the editor, or of the caller, whose simulations take turns with those of others. */
  readonly editor: string;
}

export interface SimulationOrder extends Omit<Asking, "access"> {
  readonly kind: "order";
  readonly id: number;
  /** Unix seconds. */
  readonly now: number;
  /** The number of the caller's access, which is sent with the number's first order. */
  readonly access: number;
  readonly newAccess: Access | undefined;
  /** Whether earlier numbers of accesses are not used any more. */
  readonly forgets: boolean;
  readonly order: ExplainOrder;
}

export type ToSimulator = SimulationOrder | { readonly kind: "cancel"; readonly id: number };

/** The text is the reply as JSON. A fault is a bug. */
export type FromSimulator = { readonly id: number } & (
  | { readonly text: string }
  | { readonly problem: PlainProblem }
  | { readonly fault: string }
);

const entry = new URL("./simulating-thread.ts", import.meta.url);
/** Rows of large records and long replies are short-lived: without a bound the thread would let garbage grow. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };
/** Accesses that the thread keeps: one with many rules takes longer to copy than the rest of an order. */
const mostKept = 100;

export class Simulator {
  readonly #options: SimulatorOptions;
  readonly #open = new Map<number, PromiseWithResolvers<string>>();
  readonly #accesses = new Map<Access, number>();
  #thread: Worker | undefined;
  #last = 0;

  constructor(options: SimulatorOptions) {
    this.#options = options;
  }

  /** Returns the reply as JSON, or throws the thread's refusal. After an abort the thread refuses at its next step. */
  async ask(asking: Asking, now: number, order: ExplainOrder, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const id = ++this.#last;
    const asked = Promise.withResolvers<string>();
    this.#open.set(id, asked);
    const cancel = () => this.#send({ kind: "cancel", id });
    signal.addEventListener("abort", cancel);
    try {
      const { access, ...rest } = asking;
      this.#send({ kind: "order", id, now, ...rest, ...this.#numberOf(access), order });
      return await asked.promise;
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#open.delete(id);
    }
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #send(message: ToSimulator): void {
    this.#thread ??= this.#start();
    this.#thread.postMessage(message);
  }

  #numberOf(access: Access): Pick<SimulationOrder, "access" | "newAccess" | "forgets"> {
    const known = this.#accesses.get(access);
    if (known !== undefined && this.#thread) return { access: known, newAccess: undefined, forgets: false };
    const forgets = this.#accesses.size >= mostKept || !this.#thread;
    if (forgets) this.#accesses.clear();
    this.#accesses.set(access, this.#last);
    return { access: this.#last, newAccess: access, forgets };
  }

  /** Starts the thread, which does not keep its parent from ending. */
  #start(): Worker {
    const thread = new Worker(entry, { workerData: this.#options, resourceLimits, name: "simulations" });
    thread.unref();
    thread.on("message", (reply: FromSimulator) => {
      const asked = this.#open.get(reply.id);
      if ("text" in reply) asked?.resolve(reply.text);
      else asked?.reject("problem" in reply ? problemFrom(reply.problem) : new Error(reply.fault));
    });
    let fault: unknown = "it ended";
    thread.on("error", (error) => (fault = error));
    thread.on("exit", () => {
      this.#thread = undefined;
      for (const { reject } of this.#open.values()) reject(new Error(`the thread of simulations failed: ${fault}`));
    });
    return thread;
  }
}
