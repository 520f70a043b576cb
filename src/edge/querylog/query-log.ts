/** The query log: writes dnstap messages to a file or a collector's socket; drops messages when its queue is full. */
import { createWriteStream, lstatSync, rmSync } from "node:fs";
import { connect } from "node:net";
import type { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../lib/log.ts";
import { composeDnstap, type Origin, type Tapped } from "./dnstap-message.ts";
import { Control, controlFrame, dataFrame, readControl } from "./frame-stream.ts";

export interface QueryLogOptions extends Origin {
  /** A file, which replaces an existing one, or the Unix socket of a collector. */
  readonly target: { readonly kind: "file" | "socket"; readonly path: string };
  /** One query in this many is logged. */
  readonly sample: number;
  readonly log: Log;
}

/** Octets that may wait for the disk or the collector. */
const mostWaiting = 4 * 1024 * 1024;
/** Maximum octets from a collector before it accepts. */
const longestHandshake = 1024;
/** Milliseconds between two connections to a collector. */
const retryAfter = 1000;
/** Maximum milliseconds to send pending messages when the log is closed. */
const closeWithin = 500;

export class QueryLog {
  written = 0;
  /** Messages dropped because the queue was full or there was no collector. */
  dropped = 0;
  readonly sample: number;
  readonly #options: QueryLogOptions;
  readonly #ended = new AbortController();
  /** The stream that accepts data frames; undefined while there is none. */
  #ready: Writable | undefined;
  /** The collector's absence was logged. */
  #isAway = false;

  constructor(options: QueryLogOptions) {
    this.#options = options;
    this.sample = options.sample;
    if (options.target.kind === "file") this.#openFile();
    else this.#openSocket();
  }

  write(tapped: Tapped): void {
    const stream = this.#ready;
    if (!stream || stream.writableLength > mostWaiting) {
      this.dropped++;
      return;
    }
    stream.write(dataFrame(composeDnstap(tapped, this.#options)));
    this.written++;
  }

  async close(): Promise<void> {
    this.#ended.abort();
    const stream = this.#ready;
    this.#ready = undefined;
    if (!stream) return;
    const closed = new Promise((resolve) => stream.once("close", resolve));
    stream.end(controlFrame(Control.STOP));
    await Promise.race([closed, delay(closeWithin, undefined, { ref: false })]);
    stream.destroy();
  }

  #openFile(): void {
    const { target, log } = this.#options;
    putAside(target.path);
    const stream = createWriteStream(target.path);
    stream.on("error", (error) => {
      this.#ready = undefined;
      log.error({ path: target.path, reason: String(error) }, "the query log cannot be written and has ended");
    });
    stream.write(controlFrame(Control.START));
    this.#ready = stream;
  }

  /** Sends READY, waits for ACCEPT, sends START; connects again after the connection is lost. */
  #openSocket(): void {
    const { target, log } = this.#options;
    const socket = connect(target.path);
    let received: Buffer = Buffer.alloc(0);
    socket.on("connect", () => socket.write(controlFrame(Control.READY)));
    socket.on("data", (data) => {
      if (this.#ready === socket || this.#ended.signal.aborted) return;
      received = Buffer.concat([received, data]);
      const type = readControl(received);
      if (type === Control.ACCEPT) {
        socket.write(controlFrame(Control.START));
        this.#ready = socket;
        this.#isAway = false;
      } else if (type !== undefined || received.length > longestHandshake) socket.destroy();
    });
    socket.on("error", (error) => {
      if (!this.#isAway) log.warn({ path: target.path, reason: String(error) }, "the query log has no collector");
      this.#isAway = true;
    });
    socket.on("close", () => {
      if (this.#ready === socket) this.#ready = undefined;
      delay(retryAfter, undefined, { ref: false, signal: this.#ended.signal }).then(
        () => this.#openSocket(),
        () => {},
      );
    });
    this.#ended.signal.addEventListener("abort", () => this.#ready === socket || socket.destroy(), { once: true });
  }
}

/** Unlinks the old file. An edge that is about to be replaced may still have it open, and continues to write to it. */
function putAside(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path, { force: true });
}
