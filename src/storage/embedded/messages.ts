/** The server's messages, as lines of our log. */
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Log } from "../../lib/log.ts";

const levels: Record<string, "error" | "warn" | "debug"> = {
  PANIC: "error",
  FATAL: "error",
  ERROR: "warn",
  WARNING: "warn",
};
/** Ends of single connections, which whoever used them is told anyway. */
const ordinary = /^(the database system is |terminating connection|connection to client lost)/;
const kept = 20;

/** Passes lines on to the log and keeps the last ones, which say why a start failed. */
export class Messages {
  /** The server said that it takes connections. */
  readonly ready: Promise<void>;
  #last: string[] = [];

  constructor(stream: Readable, log: Log) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    createInterface({ input: stream }).on("line", (line) => {
      this.#last = [...this.#last.slice(1 - kept), line];
      const [, severity = "", text = line] = /^([A-Z]+):\s+(.*)$/.exec(line) ?? [];
      log[ordinary.test(text) ? "debug" : (levels[severity] ?? "debug")]({ severity }, `postgres: ${text}`);
      if (text === "database system is ready to accept connections") resolve();
    });
  }

  /** What a person needs to see when the server did not start. */
  get reason(): string {
    const telling = this.#last.filter((line) => !line.startsWith("LOG:"));
    return (telling.length > 0 ? telling : this.#last).map((line) => line.trim()).join("; ");
  }
}
