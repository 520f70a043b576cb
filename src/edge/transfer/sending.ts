/** Outgoing transfers, composed in a separate thread and passed on as fast as their clients read. */
import { Worker } from "node:worker_threads";
import type { SendingOrder, Sent } from "./sending-thread.ts";
import type { TransferRequest, TransfersOptions } from "./transfers.ts";

const entry = new URL("./sending-thread.ts", import.meta.url);
/** Most objects are short-lived: without a bound the thread would let garbage grow. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

export class Sending {
  readonly #options: TransfersOptions;
  /** Messages of each transfer that were not taken yet. */
  readonly #inboxes = new Map<number, Inbox>();
  #thread: Worker | undefined;
  #last = 0;

  constructor(options: TransfersOptions) {
    this.#options = options;
  }

  /** The messages of the answer. Throws when it cannot be completed: the connection must then be closed. */
  async *run(request: TransferRequest): AsyncGenerator<Uint8Array> {
    const id = ++this.#last;
    const inbox = new Inbox();
    this.#inboxes.set(id, inbox);
    this.#thread ??= this.#start();
    const thread = this.#thread;
    const order = (given: SendingOrder) => thread.postMessage(given);
    order({ kind: "begin", id, request });
    try {
      for (;;) {
        const sent = await inbox.take();
        if (sent.kind === "end") return;
        if (sent.kind === "failed") throw new Error(sent.reason);
        yield sent.octets;
        order({ kind: "taken", id });
      }
    } finally {
      this.#inboxes.delete(id);
      order({ kind: "stop", id });
    }
  }

  /** Starts the thread, which does not keep its parent from ending. */
  #start(): Worker {
    const thread = new Worker(entry, { workerData: this.#options, resourceLimits, name: "transfers" });
    thread.unref();
    thread.on("message", (sent: Sent) => this.#inboxes.get(sent.id)?.put(sent));
    let fault: unknown = "it ended";
    thread.on("error", (error) => (fault = error));
    thread.on("exit", () => {
      if (this.#thread === thread) this.#thread = undefined;
      for (const [id, inbox] of this.#inboxes) {
        inbox.put({ kind: "failed", id, reason: `the thread that sends zones failed: ${fault}` });
      }
    });
    return thread;
  }
}

/** Messages that wait to be taken, in order. */
class Inbox {
  readonly #sent: Sent[] = [];
  #wake = () => {};

  put(sent: Sent): void {
    this.#sent.push(sent);
    this.#wake();
  }

  async take(): Promise<Sent> {
    if (this.#sent.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#sent.shift()!;
  }
}
