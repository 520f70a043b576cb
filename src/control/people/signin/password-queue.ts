/**
 * The queue of password checks. Accounts take turns, and so do the client addresses of one account. No other limit
 * applies to right passwords, since only wrong passwords are guesses.
 */
import { Slots } from "../../../lib/fair/slots.ts";
import { unavailable } from "../../../lib/problem.ts";

/** Concurrent checks: each occupies one of the threads that file access and name look-ups share. */
const atOnce = 2;
/** The maximum number of checks that wait; each takes some hundredths of a second. */
export const mostWaiting = 200;

export class PasswordQueue {
  readonly #slots = new Slots({ all: atOnce, own: atOnce, waiting: { all: mostWaiting } });

  /**
   * Runs the work when a slot is free. `party` is the account or login whose password is checked. When too many
   * checks wait, the last one of the busiest address of the largest party throws `unavailable`.
   */
  async run<T>(
    { party, address }: { readonly party: string; readonly address: string },
    work: () => Promise<T>,
  ): Promise<T> {
    const slot = await this.#slots.wait(party, address);
    if (!slot) throw unavailable("too many are signing in at once: try again in a moment");
    try {
      return await work();
    } finally {
      slot.leave();
    }
  }
}
