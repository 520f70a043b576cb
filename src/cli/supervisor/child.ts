/** Keeps one process of a role running: restarts it when it dies, and replaces it on request. */
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../lib/log.ts";
import { unavailable } from "../../lib/problem.ts";
import type { Message, Question, Start } from "./link.ts";
import { type Launch, RoleProcess, type RoleProcessOptions } from "./role-process.ts";

const firstPause = 20;
const longestPause = 5000;
/** Milliseconds. An edge takes long to load a large store, and the old process answers meanwhile. */
const readyWithin = 120_000;

export interface ChildOptions extends RoleProcessOptions {
  readonly log: Log;
  /** Milliseconds that a replacement has to become ready. */
  readonly readyWithin?: number;
  /** The position from which the first process goes on. */
  readonly takesOver?: Start["takesOver"];
  /** Returns the name in leases of the process that starts now. */
  readonly nextHolder?: () => string;
  /** Called when a process has become ready or has taken over, and (false) when it has ended. */
  readonly onChange?: (isUp: boolean) => void;
}

/** The process that took over. */
export interface Replacement {
  readonly pid: number | undefined;
  /** Resolves when the old process has ended. */
  readonly retired: Promise<void>;
}

/** Another process that is there: what it has applied, and whether this supervisor started it. */
interface Beside {
  readonly takesOver?: Start["takesOver"] | undefined;
  readonly isBesideAnother?: boolean;
}

export class Child {
  /** Settles with the first start: rejected with the role's own message if it cannot start. */
  readonly ready: Promise<void>;
  readonly #options: ChildOptions;
  #launch: Launch;
  #current: RoleProcess | undefined;
  /** The process that is about to take over. */
  #next: RoleProcess | undefined;
  readonly #retiring = new Set<RoleProcess>();
  #stopping = false;
  #everReady = false;
  #isUp = false;
  #pause = firstPause;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.#launch = options;
    const first = this.#run(options.takesOver);
    this.ready = first.ready.then(() => {
      this.#everReady = true;
    });
  }

  get pid(): number | undefined {
    return this.#current?.pid;
  }

  /** Whether there is no ready process, although there was one. */
  get isDown(): boolean {
    return this.#everReady && !this.#isUp;
  }

  tell(message: Message): void {
    this.#current?.tell(message);
  }

  ask(question: Question, within?: number): Promise<string> {
    return this.#current
      ? this.#current.ask(question, within)
      : Promise.reject(unavailable(`${this.#options.role} is not running`));
  }

  /**
   * Starts a new process and retires the old one once the new one is ready. Rejects, and changes nothing, if the new one
   * does not become ready. Must not be called again before it has settled.
   */
  async replace(launch: Launch, takesOver?: Start["takesOver"]): Promise<Replacement> {
    const { role } = this.#options;
    if (this.#stopping || !this.#everReady) throw unavailable(`${role} is not running`);
    const next = this.#spawn(launch, { takesOver, isBesideAnother: true });
    this.#next = next;
    try {
      await this.#untilReady(next);
    } catch (error) {
      this.#next = undefined;
      await next.stop();
      if (!this.#current) this.#runAgain();
      throw error;
    }
    const before = this.#current;
    this.#current = next;
    this.#next = undefined;
    this.#launch = launch;
    this.#changed(true);
    return { pid: next.pid, retired: before ? this.#retire(before) : Promise.resolve() };
  }

  /** Ends after a process elsewhere has taken over. */
  async retire(): Promise<void> {
    this.#stopping = true;
    await Promise.all([this.#current?.retire(), this.#next?.stop(), ...[...this.#retiring].map((one) => one.retire())]);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([this.#current, this.#next, ...this.#retiring].map((one) => one?.stop()));
  }

  async #untilReady(next: RoleProcess): Promise<void> {
    const { role, readyWithin: patience = readyWithin } = this.#options;
    const settled = new AbortController();
    const late = delay(patience, undefined, { signal: settled.signal }).then(() => {
      throw unavailable(`the new ${role} was not ready within ${patience / 1000} s`);
    });
    try {
      await Promise.race([next.ready, late]);
    } finally {
      settled.abort();
      late.catch(() => {});
    }
    if (next.hasEnded || this.#stopping) throw unavailable(`the new ${role} has ended`);
  }

  async #retire(process: RoleProcess): Promise<void> {
    this.#retiring.add(process);
    await process.retire();
    this.#retiring.delete(process);
  }

  #run(takesOver?: Start["takesOver"]): RoleProcess {
    const process = this.#spawn(this.#launch, { takesOver });
    this.#current = process;
    process.ready.then(
      () => {
        this.#pause = firstPause;
        this.#changed(true);
      },
      (error: Error) => {
        const { role, log } = this.#options;
        if (this.#everReady && !this.#stopping) log.error({ child: role, reason: error.message }, "child cannot start");
      },
    );
    return process;
  }

  #spawn(launch: Launch, { takesOver, isBesideAnother = false }: Beside = {}): RoleProcess {
    const { role, main, relay, nextHolder } = this.#options;
    const { descriptors, own, env } = launch;
    const start = {
      ...launch.start,
      ...(takesOver ? { takesOver } : {}),
      ...(nextHolder ? { holder: nextHolder() } : {}),
    };
    const process = new RoleProcess({
      role,
      main,
      relay,
      start,
      descriptors,
      ...(own ? { own, isBesideAnother } : {}),
      ...(env ? { env } : {}),
    });
    process.ended.then((how) => this.#ended(process, how));
    return process;
  }

  #ended(process: RoleProcess, how: number | string | null): void {
    if (process !== this.#current || this.#stopping || !this.#everReady) return;
    const { role, log } = this.#options;
    this.#current = undefined;
    this.#changed(false);
    if (this.#next) {
      log.error({ child: role, how }, "child ended; its replacement is starting");
      return;
    }
    log.error({ child: role, how, restart_in_ms: this.#pause }, "child ended; restarting it");
    this.#runAgain();
  }

  #changed(isUp: boolean): void {
    this.#isUp = isUp;
    if (!this.#stopping) this.#options.onChange?.(isUp);
  }

  #runAgain(): void {
    setTimeout(() => {
      if (!this.#stopping && !this.#current && !this.#next) this.#run();
    }, this.#pause);
    this.#pause = Math.min(this.#pause * 2, longestPause);
  }
}
