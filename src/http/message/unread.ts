/**
 * The octets of answers that clients have not read yet, by account, or by address without one. Beyond a soft limit an
 * account gets no further answers until it reads; answers that were made at the same time are cut off beyond a hard one.
 */
import { type Slot, type SlotLimits, Slots } from "../../lib/fair/slots.ts";
import { limited } from "../../lib/problem.ts";

const mebi = 1024 * 1024;

export const unreadAnswers = { all: 256 * mebi, own: 128 * mebi, most: 512 * mebi } as const satisfies SlotLimits;
/** The octets of one account from which on its requests are refused. */
export const mostUnread = 64 * mebi;

/** Milliseconds after which a reader can lose its answer to an account that has fewer. */
const patience = 10_000;

export class UnreadAnswers {
  readonly #slots: Slots;
  readonly #mostUnread: number;

  constructor(limits: SlotLimits = unreadAnswers, most = mostUnread) {
    this.#slots = new Slots(limits);
    this.#mostUnread = most;
  }

  /** Throws `limited` if the owner must read other answers first. */
  assertRead(owner: string): void {
    if (this.#slots.weightOf(owner) < this.#mostUnread) return;
    throw limited("answers to other requests have not been read yet: read them before you send further requests", {
      limit: this.#mostUnread,
      retry_after: 1,
    });
  }

  /** Holds an answer until it is read; undefined if it must be cut off. `cutOff` does so later. */
  hold(owner: string, octets: number, cutOff: () => void): Slot | undefined {
    const since = performance.now();
    return this.#slots.take(owner, {
      weight: octets,
      holder: {
        get isSlow() {
          return performance.now() - since > patience;
        },
        loseSlot: cutOff,
      },
    });
  }
}
