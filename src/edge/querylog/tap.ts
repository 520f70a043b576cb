/** A worker's side of the query log: copies a sample of queries for the main thread, unless that thread is behind. */
import type { Client } from "../../net/socket/service.ts";
import type { Tapped } from "./dnstap-message.ts";

export interface TapShare {
  /** One query in this many is logged. */
  readonly sample: number;
  /** Word 0: copies in transit; word 1: queries left out because too many were in transit. */
  readonly waiting: Int32Array<SharedArrayBuffer>;
}

/** Maximum copies in transit from one worker. */
const mostWaiting = 1024;

export const makeTap = (sample: number): TapShare => ({
  sample,
  waiting: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
});

export class Tap {
  readonly #share: TapShare;
  readonly #report: (tapped: Tapped) => void;
  #next: number;

  constructor(share: TapShare, report: (tapped: Tapped) => void) {
    this.#share = share;
    this.#report = report;
    this.#next = share.sample;
  }

  /** Must be called for each query. Returns whether the query must be passed to `take` once it is answered. */
  isDue(): boolean {
    if (--this.#next > 0) return false;
    this.#next = this.#share.sample;
    return true;
  }

  take(query: Uint8Array, reply: Uint8Array | undefined, client: Client, transport: Tapped["transport"]): void {
    const { waiting } = this.#share;
    if (Atomics.load(waiting, 0) >= mostWaiting) {
      Atomics.add(waiting, 1, 1);
      return;
    }
    Atomics.add(waiting, 0, 1);
    const { family, port } = client;
    const address = client.address.slice();
    this.#report({ query: query.slice(), reply: reply?.slice(), family, address, port, transport, at: Date.now() });
  }
}
