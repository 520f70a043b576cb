/** The time of simulations in a thread: accounts take turns, and so do the editors of each. */
import { FairQueue } from "../../../lib/fair/queue.ts";
import { invalid } from "../../../lib/problem.ts";

/** Milliseconds after which other simulations get their turn. */
const atOnce = 1;
/** Milliseconds of CPU time of one simulation. */
export const longest = 10_000;

/** Milliseconds of CPU time of this thread. */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export class Turns {
  readonly #waiting = new FairQueue<() => void>();

  /** Resolves at the next turn. Only one simulation continues per turn of the event loop. */
  next(account: string, editor: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(account, editor, resolve);
      if (this.#waiting.size === 1) setImmediate(this.#take);
    });
  }

  readonly #take = () => {
    this.#waiting.take()!();
    if (this.#waiting.size > 0) setImmediate(this.#take);
  };
}

export interface WorkOptions {
  readonly turns: Turns;
  readonly account: string;
  readonly editor: string;
  /** Aborted when nobody waits for the simulation any more. */
  readonly signal: AbortSignal;
  /** The most milliseconds of work; `longest` when left out. */
  readonly most?: number;
}

/** The work of one simulation. */
export class Work {
  readonly #options: WorkOptions;
  /** Milliseconds of all steps until the last turn, and since then. */
  #worked = 0;
  #since = 0;
  /** Milliseconds of CPU time of the thread in all turns of this work. */
  #cpu = 0;
  /** The CPU time of the thread at the last turn. */
  #began = cpuTime();

  constructor(options: WorkOptions) {
    this.#options = options;
  }

  /** Runs a step, if need be after others had their turn. Throws when the time is used up, and the reason of the signal. */
  async run<T>(step: () => T): Promise<T> {
    const { turns, account, editor, signal, most = longest } = this.#options;
    if (this.#since >= atOnce) {
      this.#worked += this.#since;
      this.#cpu += cpuTime() - this.#began;
      await turns.next(account, editor);
      this.#since = 0;
      this.#began = cpuTime();
    }
    signal.throwIfAborted();
    // steps take longer when the thread has to wait, and the thread more when it works for others between two steps
    if (Math.min(this.#worked, this.#cpu) >= most) throw tooLong(most);
    const began = performance.now();
    try {
      return step();
    } finally {
      this.#since += performance.now() - began;
    }
  }
}

const tooLong = (most: number) =>
  invalid(`draws: the answers take more than ${most / 1000} seconds of CPU time; ask for fewer`, {
    field: "draws",
  });
