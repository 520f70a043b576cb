/** Long work on the main thread, while other threads answer: where cores are few, these come first. */
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";

/** Milliseconds: as long as the work goes on at once. */
const rest = 5;

/** To be awaited between two pieces of work. Rests when there was a query meanwhile; `queries` counts them. */
export function restWhileAsked(queries: () => number): () => Promise<void> {
  let before = 0;
  return async () => {
    const now = queries();
    const isAsked = now !== before;
    before = now;
    await (isAsked ? delay(rest) : turn());
  };
}
