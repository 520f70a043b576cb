/** Long work in slices, so that other requests are answered in between. */
import { setImmediate as turn } from "node:timers/promises";

/** Milliseconds that nobody else gets. */
const slice = 8;

export class Slices {
  #since = performance.now();

  /** Lets others go first when the slice is over. */
  async pause(): Promise<void> {
    if (performance.now() - this.#since < slice) return;
    await turn();
    this.#since = performance.now();
  }
}
