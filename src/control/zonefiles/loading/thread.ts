/** A thread that makes slices of a load: seconds of work, during which the API stays responsive. */
import { Worker } from "node:worker_threads";
import { WireError } from "../../../dns/wire/wire.ts";
import { problemFrom } from "../../../lib/problem.ts";
import type { FromThread, PlainFault, ToThread } from "./worker.ts";

export interface LoadingThreadOptions<Step> {
  /** A file whose `LoadingWorker` answers the thread's orders. */
  readonly entry: URL;
  readonly name: string;
  readonly data: object;
  readonly signal: AbortSignal;
  /** Takes one step at a time, in order; the thread works a few steps ahead. */
  readonly take: (step: Step) => Promise<void>;
}

/** The thread keeps little data for long, but without a limit garbage would grow. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

/** Must always be closed. */
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
    this.#worker.on("message", (message: FromThread<Step, Reply>) => {
      if (message.kind === "step") this.#takeNext(message.step);
      else if (message.kind === "reply") this.#asked.resolve(message.reply);
      else this.#fail(faultOf(message.fault));
    });
    this.#worker.once("error", (error) => this.#fail(error));
    this.#worker.once("exit", (code) => this.#fail(new Error(`the thread "${name}" ended with ${code}`)));
    signal.addEventListener("abort", this.#abort);
    if (signal.aborted) this.#abort();
  }

  /**
   * Sends an order and returns its reply. Only one order may be open at a time. When the reply arrives, some of its
   * steps may not be taken yet. Throws the thread's refusal of the order, errors of `take`, and the reason of the signal.
   */
  async ask(order: Order, memory: readonly ArrayBuffer[] = []): Promise<Reply> {
    this.#asked = Promise.withResolvers();
    if (this.#failure) throw this.#failure.reason;
    this.#send({ kind: "order", order }, memory);
    return await this.#asked.promise;
  }

  /** Resolves when all steps are taken. Throws the same errors as `ask`. */
  async settle(): Promise<void> {
    await this.#before;
    if (this.#failure) throw this.#failure.reason;
  }

  async close(): Promise<void> {
    this.#signal.removeEventListener("abort", this.#abort);
    this.#fail(new Error("it was closed"));
    await this.#worker.terminate();
    // a step that is being taken is finished first
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

  #send(message: ToThread<Order>, memory: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, memory);
  }
}

const faultOf = ({ message, problem }: PlainFault): Error => (problem ? problemFrom(problem) : new WireError(message));
