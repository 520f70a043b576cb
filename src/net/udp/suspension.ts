/** Queries that waited while the process or the machine was suspended. */
import { batchSize } from "./mmsghdr.ts";

/** Milliseconds after which a client gives up or repeats its query. */
const clientTimeout = 5000;
/** More datagrams than a socket's buffer can hold. */
const mostLate = 16_384;

/**
 * Detects that the process or the machine was suspended. The socket then has queries of unknown age, so all queries
 * from before the loop continued are skipped.
 */
export class SuspensionCheck {
  #seenAt = performance.now();
  /** Datagrams that may still be late. */
  #left = 0;

  /** Must be called each time datagrams were received or waited for, which it does every few seconds at least. */
  isLate(count: number): boolean {
    const now = performance.now();
    if (now - this.#seenAt > clientTimeout) this.#left = mostLate;
    this.#seenAt = now;
    if (this.#left === 0) return false;
    // a batch that is not full has emptied the socket
    this.#left = count < batchSize ? 0 : Math.max(0, this.#left - count);
    return true;
  }
}
