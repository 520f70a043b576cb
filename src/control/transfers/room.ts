/** What transfers hold in memory until they are written: bounded for all together, and for those of one account. */
import type { TransferLimits } from "../../dns/transfer/reply.ts";
import { WireError } from "../../dns/wire.ts";

export interface Room extends TransferLimits {
  /** Transfers that go on to the store, because they are larger than what is held. */
  readonly large: number;
}

export interface RoomLimits {
  /** Of all transfers of an account together. */
  readonly own: Room;
  readonly all: Room;
}

export class TransferRoom {
  readonly #limits: RoomLimits;
  readonly #under = new Set<TransferShare>();

  constructor(limits: RoomLimits) {
    this.#limits = limits;
  }

  /** To be given back. */
  enter(account_id: string): TransferShare {
    const share: TransferShare = new TransferShare(account_id, {
      grown: () => this.#assertRoom(account_id),
      left: () => this.#under.delete(share),
    });
    this.#under.add(share);
    return share;
  }

  #assertRoom(account_id: string): void {
    const all = [...this.#under];
    const own = all.filter((share) => share.account_id === account_id);
    if (exceeds(own, this.#limits.own) || exceeds(all, this.#limits.all)) {
      throw new WireError("is not heard to its end: other transfers take up the room, and it is asked again later");
    }
  }
}

/** What one look at a zone's primaries holds. */
export class TransferShare {
  readonly account_id: string;
  readonly #room: { readonly grown: () => void; readonly left: () => void };
  records = 0;
  octets = 0;
  large = 0;

  constructor(account_id: string, room: { readonly grown: () => void; readonly left: () => void }) {
    this.account_id = account_id;
    this.#room = room;
  }

  /** Throws a WireError when there is no room for it. */
  take({ records, octets }: TransferLimits): void {
    this.records += records;
    this.octets += octets;
    this.#room.grown();
  }

  /** What comes goes on to the store. Throws a WireError when there is no room for that: then it does not. */
  enlarge(): void {
    this.large = 1;
    try {
      this.#room.grown();
    } catch (error) {
      this.large = 0;
      throw error;
    }
  }

  /** What came before is no longer held. */
  clear(): void {
    this.records = 0;
    this.octets = 0;
  }

  leave(): void {
    this.#room.left();
  }
}

const exceeds = (shares: readonly TransferShare[], limits: Room) =>
  (["records", "octets", "large"] as const).some(
    (what) => shares.reduce((sum, share) => sum + share[what], 0) > limits[what],
  );
