/**
 * Limits concurrent password checks. Accounts take turns, and so do the client addresses of one account. No other limit
 * applies to right passwords, since only wrong ones are guesses.
 */
import { Slots } from "../../../lib/fair/slots.ts";
import { unavailable } from "../../../lib/problem.ts";

/** The account or login whose password is checked, and the address of the client. */
export interface Entrant {
  readonly party: string;
  readonly address: string;
}

/** Concurrent checks: each occupies one of the threads that file access and look-ups share. */
const atOnce = 2;
/** Checks that may wait; each takes some hundredths of a second. With more, a client is refused and must try again. */
export const mostWaiting = 200;

export class Entrance {
  readonly #slots = new Slots({ all: atOnce, own: atOnce, waiting: { all: mostWaiting } });

  /** When too many wait, throws `unavailable` to the last one of the address and account with the most waiting. */
  async pass<T>({ party, address }: Entrant, work: () => Promise<T>): Promise<T> {
    const slot = await this.#slots.wait(party, address);
    if (!slot) throw unavailable("too many are signing in at once: try again in a moment");
    try {
      return await work();
    } finally {
      slot.leave();
    }
  }
}
