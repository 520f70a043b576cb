/** Keeps a child process running: starts it, starts it again when it dies, relays questions, ends it in good order. */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../lib/log.ts";
import { unavailable } from "../lib/problem.ts";
import { type Link, type Message, openLink, type Question, type Role, type Start } from "./link.ts";

const firstPause = 20;
const longestPause = 5000;
const stopWithin = 8000;

export interface ChildOptions {
  readonly role: Role;
  readonly main: string;
  readonly log: Log;
  /** The start message, with the descriptors that the child inherits; the n-th becomes descriptor 4 + n there. */
  readonly start: Start;
  readonly descriptors: readonly number[];
  /** A question of this child about another one. */
  readonly relay: (of: Role, what: Question) => Promise<string>;
}

export class Child {
  /** Settles with the first start: rejected when the role cannot start at all, with its own message. */
  readonly ready: Promise<void>;
  #options: ChildOptions;
  #process: ChildProcess | undefined;
  #link: Link | undefined;
  #stopping = false;
  #everReady = false;
  #pause = firstPause;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.ready = new Promise((resolve, reject) => this.#run(resolve, reject));
  }

  ask(what: Question): Promise<string> {
    const { role } = this.#options;
    return this.#link ? this.#link.ask(role, what) : Promise.reject(unavailable(`${role} is not running`));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const running = this.#process;
    if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => running.once("exit", () => resolve()));
    running.kill("SIGTERM");
    await Promise.race([ended, delay(stopWithin, undefined, { ref: false })]);
    if (running.exitCode === null && running.signalCode === null) running.kill("SIGKILL");
  }

  #run(resolve: () => void, reject: (error: Error) => void) {
    try {
      this.#spawn(resolve, reject);
    } catch (error) {
      this.#ended(String(error), resolve, reject);
    }
  }

  #spawn(resolve: () => void, reject: (error: Error) => void) {
    const { role, main, start, descriptors, relay } = this.#options;
    // detached: Ctrl-C reaches the supervisor alone, which then ends its children in order
    const child = spawn(process.execPath, [main, role], {
      stdio: ["ignore", "inherit", "inherit", "ipc", ...descriptors],
      detached: true,
    });
    // Without a pid there is no process that could exit; what befalls the channel of one that has, its exit follows
    child.on("error", (error) => child.pid === undefined && this.#ended(error.message, resolve, reject));
    child.once("exit", (code, signal) => this.#ended(signal ?? code, resolve, reject));
    this.#process = child;
    const to = channel(child);
    this.#link = openLink(to, relay, (message) => {
      if (message.kind === "ready") {
        this.#everReady = true;
        this.#pause = firstPause;
        resolve();
      }
      if (message.kind === "failed") this.#failed(message.message, reject);
    });
    to.send(start);
  }

  #failed(reason: string, reject: (error: Error) => void) {
    const { role, log } = this.#options;
    if (this.#everReady) log.error({ child: role, reason }, "child cannot start");
    else reject(unavailable(reason));
  }

  /** `how`: exit code, name of the signal, or why there was no process at all. */
  #ended(how: number | string | null, resolve: () => void, reject: (error: Error) => void) {
    if (this.#stopping) return;
    const { role, log } = this.#options;
    if (!this.#everReady) return reject(unavailable(`${role} ended before it was ready (${how})`));
    log.error({ child: role, how, restart_in_ms: this.#pause }, "child ended; starting it again");
    setTimeout(() => {
      if (!this.#stopping) this.#run(resolve, reject);
    }, this.#pause);
    this.#pause = Math.min(this.#pause * 2, longestPause);
  }
}

const channel = (child: ChildProcess) => ({
  send: (message: Message) => {
    if (child.connected) child.send(message, () => {});
  },
  listen: (receive: (message: Message) => void) => {
    child.on("message", (message) => receive(message as Message));
  },
});
