/** Runs in a thread that makes slices of a load: answers orders, and works a few steps ahead of the consumer. */
import { parentPort } from "node:worker_threads";
import { WireError } from "../../../dns/wire/wire.ts";
import { type PlainProblem, Problem, plainProblem } from "../../../lib/problem.ts";
import { lowerThread } from "../../../lib/system/priority.ts";
import type { LoadSlice } from "../../../storage/loads.ts";

/** Messages to the thread. */
export type ToThread<Order> = { readonly kind: "order"; readonly order: Order } | { readonly kind: "taken" };

/** Messages from the thread. */
export type FromThread<Step, Reply> =
  | { readonly kind: "step"; readonly step: Step }
  | { readonly kind: "reply"; readonly reply: Reply }
  | { readonly kind: "refused"; readonly fault: PlainFault };

/** A Problem or a WireError as it passes between threads. */
export interface PlainFault {
  readonly message: string;
  readonly problem: PlainProblem | undefined;
}

/** Steps that are sent before the first of them is taken. */
const inAdvance = 3;

export class LoadingWorker<Order, Step, Reply> {
  readonly #port = parentPort!;
  #allowed = inAdvance;
  #resume = () => {};

  /** Answers orders, at a lower priority than other threads, until the thread is terminated. */
  serve(answer: (order: Order) => Promise<Reply>): void {
    this.#port.on("message", (sent: ToThread<Order>) => {
      if (sent.kind === "order") void this.#answer(answer, sent.order);
      else {
        this.#allowed++;
        this.#resume();
      }
    });
    lowerThread();
  }

  /** Sends a step of the order that is being answered; waits first until enough earlier steps are taken. */
  async step(step: Step, slice: LoadSlice | undefined): Promise<void> {
    if (this.#allowed === 0) await new Promise<void>((resolve) => (this.#resume = resolve));
    this.#allowed--;
    const memory = slice ? [slice.rows.buffer as ArrayBuffer, slice.part.buffer as ArrayBuffer] : [];
    this.#send({ kind: "step", step }, memory);
  }

  async #answer(answer: (order: Order) => Promise<Reply>, order: Order): Promise<void> {
    try {
      this.#send({ kind: "reply", reply: await answer(order) });
    } catch (error) {
      this.#send({ kind: "refused", fault: plainOf(error) });
    }
  }

  #send(message: FromThread<Step, Reply>, memory: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, memory);
  }
}

/** Rethrows every other error: it is a bug, and ends the thread. */
function plainOf(error: unknown): PlainFault {
  if (error instanceof WireError) return { message: error.message, problem: undefined };
  if (!(error instanceof Problem)) throw error;
  return { message: error.message, problem: plainProblem(error) };
}
