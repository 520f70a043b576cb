/** Long work that leaves room for others: it rests when requests came while it worked. */
import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds of rest for each request, up to the time that was worked. */
const restFor = 20;

export class Traffic {
  /** Requests since the start. */
  requests = 0;

  /** To be awaited after each piece of work. */
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
