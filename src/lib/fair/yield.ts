/** Lets long work yield to other work between its steps, and rest while requests arrive. */
import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds that work runs before it yields: a request waits for them several times. */
const atOnce = 1;

/** Work that waits to continue. Only one piece runs per turn of the event loop, regardless of the queue's length. */
const waiting: (() => void)[] = [];

export class LongWork {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since >= atOnce;
  }

  /** Call this between two steps. Returns undefined when it is too early to yield. */
  giveWay(): Promise<void> | undefined {
    return this.isDue ? this.#yield() : undefined;
  }

  async #yield(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });
    this.#since = performance.now();
  }
}

function next(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(next);
}

/** Milliseconds of rest for each request, at most as long as the work took. */
const restFor = 20;

export class Traffic {
  /** Requests since the start. */
  requests = 0;

  /** Returns a function to await between two steps; it rests if requests arrived since the previous call. */
  pace(): () => Promise<void> {
    let began = performance.now();
    let before = this.requests;
    return async () => {
      const rest = Math.min(performance.now() - began, (this.requests - before) * restFor);
      if (rest > 0) await delay(rest);
      before = this.requests;
      began = performance.now();
    };
  }
}
