/** One process of a role as its supervisor sees it: from its start message to its end. */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { unavailable } from "../../lib/problem.ts";
import { collecting } from "./collecting.ts";
import { type Link, type Message, openLink, type Question, type Role, type Start } from "./link.ts";

/** What a process is started with. */
export interface Launch {
  readonly start: Start;
  /** Inherited: the n-th becomes descriptor 4 + n there. */
  readonly descriptors: readonly number[];
}

export interface RoleProcessOptions extends Launch {
  readonly role: Role;
  readonly main: string;
  /** A question of this process about another one. */
  readonly relay: (of: Role, what: Question) => Promise<string>;
}

const stopWithin = 8000;
/** More than what an edge gives its connections. */
const retireWithin = 15_000;

export class RoleProcess {
  /** Rejected when the process cannot start, with its own message, or when it ends before. */
  readonly ready: Promise<void>;
  /** Exit code, name of the signal, or why there was no process at all. */
  readonly ended: Promise<number | string | null>;
  hasEnded = false;
  readonly #role: Role;
  #process: ChildProcess | undefined;
  #link: Link | undefined;

  constructor(options: RoleProcessOptions) {
    const ready = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<number | string | null>();
    this.#role = options.role;
    this.ready = ready.promise;
    this.ended = ended.promise.then((how) => {
      this.hasEnded = true;
      ready.reject(unavailable(`${options.role} ended before it was ready (${how})`));
      return how;
    });
    // who does not wait for it may hear of its end
    this.ready.catch(() => {});
    try {
      this.#spawn(options, ready, ended.resolve);
    } catch (error) {
      ended.resolve(String(error));
    }
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  ask(what: Question, within?: number): Promise<string> {
    return this.#link
      ? this.#link.ask(this.#role, what, within)
      : Promise.reject(unavailable(`${this.#role} is not running`));
  }

  stop(): Promise<void> {
    return this.#end(() => this.#process?.kill("SIGTERM"), stopWithin);
  }

  /** Another process has taken over: this one takes nothing new, finishes what it has, and ends. */
  retire(): Promise<void> {
    return this.#end(() => this.#process && channel(this.#process).send({ kind: "retire" }), retireWithin);
  }

  async #end(ask: () => void, within: number): Promise<void> {
    if (this.hasEnded) return;
    ask();
    const patience = new AbortController();
    const late = delay(within, undefined, { signal: patience.signal }).then(
      () => this.#process?.kill("SIGKILL"),
      () => {},
    );
    await Promise.race([this.ended, late]);
    patience.abort();
    await this.ended;
  }

  #spawn(options: RoleProcessOptions, ready: PromiseWithResolvers<void>, end: (how: number | string | null) => void) {
    const { role, main, start, descriptors, relay } = options;
    // detached: Ctrl-C reaches the supervisor alone, which then ends its children in order
    const child = spawn(process.execPath, [...heapLimit(), ...collecting[role], main, role], {
      stdio: ["ignore", "inherit", "inherit", "ipc", ...descriptors],
      detached: true,
    });
    this.#process = child;
    // Without a pid there is no process that could exit; what befalls the channel of one that has, its exit follows
    child.on("error", (error) => child.pid === undefined && end(error.message));
    child.once("exit", (code, signal) => end(signal ?? code));
    const to = channel(child);
    this.#link = openLink(to, relay, (message) => {
      if (message.kind === "ready") ready.resolve();
      if (message.kind === "failed") ready.reject(unavailable(message.message));
    });
    to.send(start);
  }
}

/** What grows beyond it ends alone and is started again; `node --max-old-space-size=MB` at the start says otherwise. */
function heapLimit(): string[] {
  const given = process.execArgv.filter((one) => one.startsWith("--max-old-space-size"));
  return given.length > 0 ? given : ["--max-old-space-size=2048"];
}

const channel = (child: ChildProcess) => ({
  send: (message: Message) => {
    if (child.connected) child.send(message, () => {});
  },
  listen: (receive: (message: Message) => void) => {
    child.on("message", (message) => receive(message as Message));
  },
});
