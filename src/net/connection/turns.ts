/**
 * Turns of a worker's connections. A client that has used its time in one round of the event loop waits, and clients
 * that wait take turns, as do the connections of one client. Whoever sends one query after another is answered first, and
 * queries that the service answers last come after all others. Handshakes always wait, a few in each round.
 */
import { FairQueue } from "../../lib/fair/queue.ts";
import { LateWork } from "../socket/late-work.ts";

/** One turn ends after so many octets of answers, or so many milliseconds. */
export const turn = { octets: 64 * 1024, time: 0.5 } as const;

/** Milliseconds for turns of waiting connections before queries that have arrived meanwhile are answered. */
const round = 1;

export class Turns {
  readonly #waiting = new FairQueue<() => void>();
  /** Steps of handshakes, apart from queries: many clients may begin at the same moment. */
  readonly #beginning = new FairQueue<() => void>();
  /** The client whose task runs. */
  #running: string | undefined;
  /** Milliseconds that clients have used in this round of the event loop. */
  readonly #used = new Map<string, number>();
  readonly #now: () => number;
  readonly #late: LateWork;
  #isLate = false;
  #isScheduled = false;
  #connections = 0;

  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#late = new LateWork(now);
  }

  /** The turns of a new connection; `host` names its client. */
  of(host: string): ConnectionTurns {
    return new ConnectionTurns(this, host, String(++this.#connections));
  }

  mayGo(host: string): boolean {
    return host === this.#running || (this.#usedBy(host) < turn.time && !this.#waiting.has(host));
  }

  now(): number {
    return this.#now();
  }

  use(host: string, time: number): void {
    this.#used.set(host, this.#usedBy(host) + time);
    if (!this.#isLate) this.#late.otherDone();
    this.#schedule();
  }

  /** Runs a task and records its time as used, except what the task has recorded itself. */
  measure<T>(host: string, task: () => T): T {
    const [started, before, outer] = [this.#now(), this.#usedBy(host), this.#running];
    this.#running = host;
    try {
      return task();
    } finally {
      this.#running = outer;
      this.use(host, this.#now() - started - (this.#usedBy(host) - before));
    }
  }

  waitLate(host: string, connection: string, go: () => void): void {
    this.#late.add(host, connection, () => {
      this.#isLate = true;
      try {
        go();
      } finally {
        this.#isLate = false;
      }
    });
  }

  wait(host: string, connection: string, go: () => void): void {
    this.#waiting.add(host, connection, go);
    this.#schedule();
  }

  waitToBegin(host: string, connection: string, go: () => void): void {
    this.#beginning.add(host, connection, go);
    this.#schedule();
  }

  #usedBy(host: string): number {
    return this.#used.get(host) ?? 0;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    this.#used.clear();
    const until = this.#now() + round;
    for (let go = this.#waiting.take(); go; go = this.#waiting.take()) {
      go();
      if (this.#now() >= until) break;
    }
    // at least one in each round
    for (let go = this.#beginning.take(); go; go = this.#beginning.take()) {
      go();
      if (this.#now() >= until) break;
    }
    if (this.#waiting.size + this.#beginning.size > 0) this.#schedule();
  }
}

/** The turns of one connection. */
export class ConnectionTurns {
  readonly #turns: Turns;
  readonly #host: string;
  readonly #connection: string;

  constructor(turns: Turns, host: string, connection: string) {
    this.#turns = turns;
    this.#host = host;
    this.#connection = connection;
  }

  /** Whether the connection need not wait. */
  get isFree(): boolean {
    return this.#turns.mayGo(this.#host);
  }

  now(): number {
    return this.#turns.now();
  }

  /** Records the time since `started` as used. */
  use(started: number): void {
    this.#turns.use(this.#host, this.now() - started);
  }

  /** Calls `go` when it is the connection's turn; `isLast`: for a query that is answered last. */
  wait(go: () => void, isLast = false): void {
    if (isLast) this.#turns.waitLate(this.#host, this.#connection, go);
    else this.#turns.wait(this.#host, this.#connection, go);
  }

  /** Runs a short task when it is the connection's turn: at once if it need not wait. */
  run<T>(task: () => T, isLast = false): T | Promise<T> {
    if (this.isFree && !isLast) return this.#turns.measure(this.#host, task);
    return this.#later(task, (go) => this.wait(go, isLast));
  }

  /** Runs a step of a handshake when it is the connection's turn. */
  begin(task: () => void): Promise<void> {
    return this.#later(task, (go) => this.#turns.waitToBegin(this.#host, this.#connection, go));
  }

  #later<T>(task: () => T, wait: (go: () => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      wait(() => {
        try {
          resolve(this.#turns.measure(this.#host, task));
        } catch (error) {
          reject(error);
        }
      });
    });
  }
}
