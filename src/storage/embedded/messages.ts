/** Writes the server's messages to our log. */
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Log } from "../../lib/log.ts";

const levels: Record<string, "error" | "warn" | "debug"> = {
  PANIC: "error",
  FATAL: "error",
  ERROR: "warn",
  WARNING: "warn",
};
/** Messages about single connections, whose users get an error anyway. */
const ordinary = /^(the database system is |terminating connection|connection to client lost)/;
const mostLines = 20;

/** Passes lines on to the log and keeps the last ones, which explain a failed start. */
export class Messages {
  /** Resolves when the server accepts connections. */
  readonly ready: Promise<void>;
  #last: string[] = [];

  constructor(stream: Readable, log: Log) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    createInterface({ input: stream }).on("line", (line) => {
      this.#last = [...this.#last.slice(1 - mostLines), line];
      const [, severity = "", text = line] = /^([A-Z]+):\s+(.*)$/.exec(line) ?? [];
      log[ordinary.test(text) ? "debug" : (levels[severity] ?? "debug")]({ severity }, `postgres: ${text}`);
      if (text === "database system is ready to accept connections") resolve();
    });
  }

  /** The reason for a failed start, for people. */
  get reason(): string {
    const failures = this.#last.filter((line) => !line.startsWith("LOG:"));
    return (failures.length > 0 ? failures : this.#last).map((line) => line.trim()).join("; ");
  }
}
