/** A thread that makes slices of a load out of what it is sent: seconds of work, during which the API goes on. */
import { Worker } from "node:worker_threads";
import { WireError } from "../../../dns/wire/wire.ts";
import { Problem } from "../../../lib/problem.ts";
import type { PlainFault, Said, Sent } from "./inside.ts";

export interface LoadingThreadOptions<Step> {
  /** A file whose `LoadingInside` answers what the thread is asked. */
  readonly entry: URL;
  readonly name: string;
  readonly data: object;
  readonly signal: AbortSignal;
  /** Takes one step at a time, in order; the thread is a few ahead. */
  readonly take: (step: Step) => Promise<void>;
}

/** Little is kept for long: without a bound the thread would let garbage grow. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

/** To be closed in any case. */
export class LoadingThread<Order, Step, Reply> {
  readonly #take: (step: Step) => Promise<void>;
  readonly #signal: AbortSignal;
  readonly #worker: Worker;
  readonly #abort = () => this.#fail(this.#signal.reason);
  #before = Promise.resolve();
  #asked = Promise.withResolvers<Reply>();
  #failure: { readonly reason: unknown } | undefined;

  constructor({ entry, name, data, signal, take }: LoadingThreadOptions<Step>) {
    this.#take = take;
    this.#signal = signal;
    this.#worker = new Worker(entry, { workerData: data, name, resourceLimits });
    this.#worker.on("message", (said: Said<Step, Reply>) => {
      if (said.kind === "step") this.#takeNext(said.step);
      else if (said.kind === "reply") this.#asked.resolve(said.reply);
      else this.#fail(faultOf(said.fault));
    });
    this.#worker.once("error", (error) => this.#fail(error));
    this.#worker.once("exit", (code) => this.#fail(new Error(`the thread "${name}" ended with ${code}`)));
    signal.addEventListener("abort", this.#abort);
    if (signal.aborted) this.#abort();
  }

  /**
   * One thing at a time; steps that come of it may not be taken yet when it is answered. Throws what is wrong with what
   * was sent, what `take` throws, and the reason of the signal.
   */
  async ask(order: Order, memory: readonly ArrayBuffer[] = []): Promise<Reply> {
    this.#asked = Promise.withResolvers();
    if (this.#failure) throw this.#failure.reason;
    this.#send({ kind: "order", order }, memory);
    return await this.#asked.promise;
  }

  /** Resolves when all steps are taken. Throws as `ask` does. */
  async settle(): Promise<void> {
    await this.#before;
    if (this.#failure) throw this.#failure.reason;
  }

  async close(): Promise<void> {
    this.#signal.removeEventListener("abort", this.#abort);
    this.#fail(new Error("it was closed"));
    await this.#worker.terminate();
    // a step that is being taken is not torn apart
    await this.#before;
  }

  #takeNext(step: Step): void {
    this.#before = this.#before
      .then(async () => {
        if (this.#failure) return;
        await this.#take(step);
        this.#send({ kind: "taken" });
      })
      .catch((error: unknown) => this.#fail(error));
  }

  #fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#asked.promise.catch(() => {});
    this.#asked.reject(this.#failure.reason);
  }

  #send(sent: Sent<Order>, memory: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(sent, memory);
  }
}

function faultOf(fault: PlainFault): Error {
  if (fault.kind === "wire") return new WireError(fault.message);
  const { code, message, details, status } = fault;
  return new Problem(code, message, details, status);
}
