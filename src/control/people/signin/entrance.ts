/**
 * Looks at passwords when many come at once: a few at a time, in turns of accounts, and of the addresses that sign in to
 * one. Right passwords are no guesses, so no other limit applies to them.
 */
import { Slots } from "../../../lib/fair/slots.ts";
import { unavailable } from "../../../lib/problem.ts";

/** The account or login whose password is looked at, and the address of the client. */
export interface Entrant {
  readonly party: string;
  readonly address: string;
}

/** Two of the threads that files and look-ups share. */
const atOnce = 2;
/** Each takes some hundredths of a second; a client that would wait for more is asked to try again. */
export const mostWaiting = 200;

export class Entrance {
  readonly #slots = new Slots({ all: atOnce, own: atOnce, waiting: { all: mostWaiting } });

  /** Throws `unavailable` when too many wait, to the last of the address and account with most. */
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
