/** A clock that is wrong for the processes that are started with it, by as much as a test says. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class WrongClock {
  /**
   * For `service`. Wall time of all of its processes but the store's, which has an environment of its own; monotonic time
   * stays (faketime(1)).
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

  /** Seconds that it is ahead from now on. The file is read at each look at the clock, so it is never there in part. */
  set(ahead: number): void {
    writeFileSync(`${this.#file}.new`, `${ahead < 0 ? "" : "+"}${ahead}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }

  /** Once nobody looks at it any more. */
  remove(): void {
    rmSync(this.#directory, { recursive: true });
  }
}
