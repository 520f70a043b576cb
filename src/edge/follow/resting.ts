/** Pauses in long work on the main thread, so that with few cores the threads that answer come first. */
import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";

/** Milliseconds, about as long as a piece of work. */
const rest = 5;

/** Returns a function to await between pieces of work: it pauses if there were queries since the last call. */
export function restWhileAsked(queries: () => number): () => Promise<void> {
  let before = 0;
  return async () => {
    const now = queries();
    const isAsked = now !== before;
    before = now;
    await (isAsked ? delay(rest) : immediate());
  };
}
