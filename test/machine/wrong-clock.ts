/** A clock that is wrong for the processes that are started with it, by an amount that a test sets. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class WrongClock {
  /**
   * The start of a command line, for `service`: it changes the wall time of all processes except the store's, which
   * have another environment. Monotonic time is unchanged (faketime(1)).
   */
  readonly inside: readonly string[];
  readonly #directory = mkdtempSync(join(tmpdir(), "fairlead-clock-"));
  readonly #file = join(this.#directory, "offset");

  constructor() {
    this.set(0);
    this.inside = [
      "env",
      "LD_PRELOAD=/usr/$LIB/faketime/libfaketime.so.1",
      "FAKETIME_DONT_FAKE_MONOTONIC=1",
      "FAKETIME_NO_CACHE=1",
      "FAKETIME_DONT_RESET=1",
      `FAKETIME_TIMESTAMP_FILE=${this.#file}`,
    ];
  }

  /**
   * Sets how many seconds the clock is ahead. The file is read at each use of the clock, so it is replaced as a whole.
   */
  set(ahead: number): void {
    writeFileSync(`${this.#file}.new`, `${ahead < 0 ? "" : "+"}${ahead}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }

  /** Call this after the last process has ended. */
  remove(): void {
    rmSync(this.#directory, { recursive: true });
  }
}
