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
const kept = 20;

/** Passes lines on to the log and keeps the last ones, which say why a start failed. */
export class Messages {
  #last: string[] = [];

  constructor(stream: Readable, log: Log) {
    const lines = createInterface({ input: stream });
    lines.on("line", (line) => {
      this.#last = [...this.#last.slice(1 - kept), line];
      const [, severity = "", text = line] = /^([A-Z]+):\s+(.*)$/.exec(line) ?? [];
      log[levels[severity] ?? "debug"]({ severity }, `postgres: ${text}`);
    });
  }

  /** The lines that a person needs to see when the server did not start. */
  get reason(): string {
    const serious = this.#last.filter((line) => /^(FATAL|PANIC|ERROR|HINT|DETAIL|postgres|initdb)/.test(line));
    return (serious.length > 0 ? serious : this.#last).join("; ");
  }
}
