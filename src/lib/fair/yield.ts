/** Long work that gives way to other work between its steps, and rests while requests come. */
import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds for which work runs before it gives way. */
const atOnce = 5;

/** Work that waits to continue: one piece of it runs between two looks at events, however many do long work. */
const waiting: (() => void)[] = [];

export class LongWork {
  #since = performance.now();

  /** To be called between two steps. */
  async giveWay(): Promise<void> {
    if (performance.now() - this.#since < atOnce) return;
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

  /** Returns a function to be awaited between two steps, which rests when requests came meanwhile. */
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
