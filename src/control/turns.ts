/** Long work in pieces, so that other requests are answered meanwhile. */
import { setImmediate as turn } from "node:timers/promises";

/** Milliseconds after which others have their turn. */
const atOnce = 5;

export class Turns {
  #since = performance.now();

  /** To be called between the steps of long work. */
  async giveWay(): Promise<void> {
    if (performance.now() - this.#since < atOnce) return;
    await turn();
    this.#since = performance.now();
  }
}
