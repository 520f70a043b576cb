/** Pauses in long work on the main thread, so that threads that answer come first on few cores. */
import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";

/** Milliseconds: about as long as a piece of work. */
const rest = 5;

/** To be awaited between two pieces of work. Rests after new queries; `queries` returns their number so far. */
export function restWhileAsked(queries: () => number): () => Promise<void> {
  let before = 0;
  return async () => {
    const now = queries();
    const isAsked = now !== before;
    before = now;
    await (isAsked ? delay(rest) : immediate());
  };
}
