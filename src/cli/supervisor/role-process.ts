/** One process of a role, seen from the supervisor: from its start message to its end. */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { unavailable } from "../../lib/problem.ts";
import { gcFlags } from "./gc-flags.ts";
import { type Link, type Message, openLink, type Question, type Role, type Start } from "./link.ts";

export interface OwnDescriptors {
  /** Opens them for a process; another one may still be there. "ignore" stands for one that cannot be opened. */
  open(isBesideAnother: boolean): readonly (number | "ignore")[];
}

/** The start message and descriptors of a process. */
export interface Launch {
  readonly start: Start;
  /** Inherited descriptors: the n-th (from 0) becomes descriptor 4 + n in the process. */
  readonly descriptors: readonly number[];
  /** Descriptors after those, which two processes cannot share. */
  readonly own?: OwnDescriptors;
  /** Default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface RoleProcessOptions extends Launch {
  readonly role: Role;
  readonly main: string;
  /** Whether it is to take over from another process. */
  readonly isBesideAnother?: boolean;
  /** Answers a question that this process asks about another role. */
  readonly relay: (of: Role, question: Question) => Promise<string>;
}

const stopWithin = 8000;
/** Longer than the time that an edge gives its connections to finish. */
const retireWithin = 15_000;

export class RoleProcess {
  /** Rejected with the process's own message if it cannot start, and also if it ends before it is ready. */
  readonly ready: Promise<void>;
  /** The exit code, the name of the signal, or the reason why no process was started. */
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
    // callers may wait for `ended` instead
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

  ask(question: Question, within?: number): Promise<string> {
    return this.#link
      ? this.#link.ask(this.#role, question, within)
      : Promise.reject(unavailable(`${this.#role} is not running`));
  }

  tell(message: Message): void {
    if (this.#process) channel(this.#process).send(message);
  }

  stop(): Promise<void> {
    return this.#end(() => this.#process?.kill("SIGTERM"), stopWithin);
  }

  /** Retires the process after another one has taken over: it accepts no new work, finishes its own, and ends. */
  retire(): Promise<void> {
    return this.#end(() => this.tell({ kind: "retire" }), retireWithin);
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
    const { role, main, start, descriptors, own, isBesideAnother, env, relay } = options;
    const opened = own?.open(isBesideAnother === true) ?? [];
    // detached: Ctrl-C reaches only the supervisor, which then ends its children in order
    const child = spawn(process.execPath, [...heapLimit(), ...gcFlags[role], main, role], {
      stdio: ["ignore", "inherit", "inherit", "ipc", ...descriptors, ...opened],
      detached: true,
      env,
    });
    this.#process = child;
    // "exit" follows the errors of a started process, such as those of its channel, but not an error without a pid
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

/** A child that exceeds its heap limit ends alone and is restarted. `node --max-old-space-size=MB` sets another limit. */
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
