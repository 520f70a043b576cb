/**
 * Turns of a worker's connections. A client network that has used its time in one round of the event loop waits, and
 * networks that wait take turns, as do the connections of one network. Whoever sends one query after another is answered first, and
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
  /** Steps of handshakes, apart from queries: many networks may begin at the same moment. */
  readonly #beginning = new FairQueue<() => void>();
  /** The network whose task runs. */
  #running: string | undefined;
  /** Milliseconds that networks have used in this round of the event loop. */
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

  /** The turns of a new connection; `network` names its IPv4 address or IPv6 /48. */
  of(network: string): ConnectionTurns {
    return new ConnectionTurns(this, network, String(++this.#connections));
  }

  mayGo(network: string): boolean {
    return network === this.#running || (this.#usedBy(network) < turn.time && !this.#waiting.has(network));
  }

  now(): number {
    return this.#now();
  }

  use(network: string, time: number): void {
    this.#used.set(network, this.#usedBy(network) + time);
    if (!this.#isLate) this.#late.otherDone();
    this.#schedule();
  }

  /** Runs a task and records its time as used, except what the task has recorded itself. */
  measure<T>(network: string, task: () => T): T {
    const [started, before, outer] = [this.#now(), this.#usedBy(network), this.#running];
    this.#running = network;
    try {
      return task();
    } finally {
      this.#running = outer;
      this.use(network, this.#now() - started - (this.#usedBy(network) - before));
    }
  }

  waitLate(network: string, connection: string, go: () => void): void {
    this.#late.add(network, connection, () => {
      this.#isLate = true;
      try {
        go();
      } finally {
        this.#isLate = false;
      }
    });
  }

  wait(network: string, connection: string, go: () => void): void {
    this.#waiting.add(network, connection, go);
    this.#schedule();
  }

  waitToBegin(network: string, connection: string, go: () => void): void {
    this.#beginning.add(network, connection, go);
    this.#schedule();
  }

  #usedBy(network: string): number {
    return this.#used.get(network) ?? 0;
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
  readonly #network: string;
  readonly #connection: string;

  constructor(turns: Turns, network: string, connection: string) {
    this.#turns = turns;
    this.#network = network;
    this.#connection = connection;
  }

  /** Whether the connection need not wait. */
  get isFree(): boolean {
    return this.#turns.mayGo(this.#network);
  }

  now(): number {
    return this.#turns.now();
  }

  /** Records the time since `started` as used. */
  use(started: number): void {
    this.#turns.use(this.#network, this.now() - started);
  }

  /** Calls `go` when it is the connection's turn; `isLast`: for a query that is answered last. */
  wait(go: () => void, isLast = false): void {
    if (isLast) this.#turns.waitLate(this.#network, this.#connection, go);
    else this.#turns.wait(this.#network, this.#connection, go);
  }

  /** Runs a short task when it is the connection's turn: at once if it need not wait. */
  run<T>(task: () => T, isLast = false): T | Promise<T> {
    if (this.isFree && !isLast) return this.#turns.measure(this.#network, task);
    return this.#later(task, (go) => this.wait(go, isLast));
  }

  /** Runs a step of a handshake when it is the connection's turn. */
  begin(task: () => void): Promise<void> {
    return this.#later(task, (go) => this.#turns.waitToBegin(this.#network, this.#connection, go));
  }

  #later<T>(task: () => T, wait: (go: () => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      wait(() => {
        try {
          resolve(this.#turns.measure(this.#network, task));
        } catch (error) {
          reject(error);
        }
      });
    });
  }
}
