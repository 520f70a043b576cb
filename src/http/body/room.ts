/**
 * The octets that all bodies may hold at the same time, from their first octet until the request is answered. Accounts
 * share them, and addresses share those of requests without a caller. A body that finds no room waits unread.
 */
import { type Floor, PeerSpeed } from "../../lib/fair/measured-input.ts";
import { type Holder, Slot, type SlotLimits, Slots } from "../../lib/fair/slots.ts";
import { limited } from "../../lib/problem.ts";

/** Bodies of up to so many octets have room of their own, so that no number of large bodies makes them wait. */
export const mostSmall = 16 * 1024;

const mebi = 1024 * 1024;

/** Octets of bodies. */
export const bodyRooms = {
  small: { all: 64 * mebi, own: 8 * mebi, most: 96 * mebi, waiting: { all: 5000 } },
  large: { all: 32 * mebi, own: 16 * mebi, most: 64 * mebi, waiting: { all: 5000, own: 1000 } },
} as const satisfies Record<string, SlotLimits>;

/** Bodies arrive within half a minute, so a sender that needs longer than this while others wait loses its room. */
const floor: Floor = { octets: 32 * 1024, over: 10_000 };

export class BodyRoom {
  readonly #small = new Slots(bodyRooms.small);
  readonly #large = new Slots(bodyRooms.large);

  /** The octets that bodies of both sizes hold. */
  held() {
    return { small: this.#small.total, large: this.#large.total };
  }

  /** The room of one request. `account` is that of the caller, or stands for the address of a request without one. */
  share(account: string, address: string): BodyShare {
    return new BodyShare((weight, holder) => {
      const slots = weight <= mostSmall ? this.#small : this.#large;
      return slots.wait(account, address, { weight, holder });
    });
  }
}

type Take = (octets: number, holder: Holder) => ReturnType<Slots["wait"]>;

/** The room that the body of one request holds. */
export class BodyShare implements Holder {
  readonly speed = new PeerSpeed(floor);
  /** Called with the reason when another request takes over the room. */
  whenLost: (reason: Error) => void = () => {};
  readonly #take: Take;
  #slot: Slot | undefined;
  #isOver = false;

  constructor(take: Take) {
    this.#take = take;
  }

  get isSlow(): boolean {
    return this.speed.isSlow;
  }

  loseSlot(): void {
    this.whenLost(noRoom());
  }

  /** Takes room for a body of so many octets, in place of the room that it has; undefined if there is room at once. */
  hold(octets: number): Promise<void> | undefined {
    const slot = this.#take(octets, this);
    if (!(slot instanceof Slot)) return this.#wait(slot);
    this.#keep(slot);
    return undefined;
  }

  async #wait(waiting: ReturnType<Take>): Promise<void> {
    const slot = await waiting;
    if (!slot) throw noRoom();
    this.#keep(slot);
  }

  #keep(slot: Slot): void {
    this.#slot?.leave();
    this.#slot = slot;
    // room that was waited for longer than the request lasted
    if (this.#isOver) slot.leave();
  }

  /** Gives back the room beyond so many octets. */
  shrink(octets: number): void {
    if (this.#slot && octets < this.#slot.weight) this.#slot.resize(octets);
  }

  /** Gives the room back. */
  leave(): void {
    this.#isOver = true;
    this.#slot?.leave();
  }
}

const noRoom = () =>
  limited("bodies of other requests take up the memory for bodies: send fewer large requests at a time", {
    limit: bodyRooms.large.own,
    retry_after: 1,
  });
