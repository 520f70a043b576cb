/** What transfers hold in memory until they are written: bounded for all together, and for those of one account. */
import type { TransferLimits } from "../../../dns/transfer/reply.ts";
import { WireError } from "../../../dns/wire/wire.ts";
import { type LeastSpeed, Speed } from "../../../lib/fair/speed.ts";

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
  readonly #least: LeastSpeed;
  readonly #under = new Set<TransferShare>();
  /** Those that were told to end, and have not. */
  readonly #ending = new Set<TransferShare>();

  constructor(limits: RoomLimits, least: LeastSpeed) {
    this.#limits = limits;
    this.#least = least;
  }

  /** To be given back. */
  enter(account_id: string): TransferShare {
    const share: TransferShare = new TransferShare(account_id, {
      least: this.#least,
      grown: () => this.#makeRoom(account_id),
      left: () => {
        this.#under.delete(share);
        this.#ending.delete(share);
      },
    });
    this.#under.add(share);
    return share;
  }

  /** One of those that are slow ends, so that an account gets its place: of the other account that has most. */
  makeWay(account_id: string): void {
    if (this.#ending.size > 0) return;
    const count = (share: TransferShare) => this.#of(share.account_id).length;
    const [slow] = this.#slowBeside(account_id).sort((one, other) => count(other) - count(one));
    if (slow) this.#end(slow);
  }

  /** Throws when there is no room for what an account has come to have, and others have none that they give up. */
  #makeRoom(account_id: string): void {
    const { own, all } = this.#limits;
    if (exceeded(this.#of(account_id), own)) throw full();
    for (let what = exceeded([...this.#under], all); what; what = exceeded([...this.#under], all)) {
      const by = what;
      const slow = this.#slowBeside(account_id).filter((share) => share[by] > 0);
      const [giving] = slow.sort((one, other) => other[by] - one[by]);
      const ending = giving ?? (by === "large" ? this.#secondBeside(account_id) : undefined);
      if (!ending) throw full();
      this.#end(ending);
    }
  }

  /** What another account has begun last of several that go on to the store, where this account has one. */
  #secondBeside(account_id: string): TransferShare | undefined {
    const large = (of: string) => this.#of(of).filter((share) => share.large > 0);
    if (large(account_id).length > 1) return undefined;
    return [...this.#under].findLast((share) => share.large > 0 && large(share.account_id).length > 1);
  }

  #slowBeside(account_id: string): TransferShare[] {
    return [...this.#under].filter((share) => share.account_id !== account_id && share.speed.isSlow);
  }

  #of(account_id: string): TransferShare[] {
    return [...this.#under].filter((share) => share.account_id === account_id);
  }

  #end(share: TransferShare): void {
    this.#under.delete(share);
    this.#ending.add(share);
    share.giveWay();
  }
}

interface ShareRoom {
  readonly least: LeastSpeed;
  readonly grown: () => void;
  readonly left: () => void;
}

/** What one look at a zone's primaries holds. */
export class TransferShare {
  readonly account_id: string;
  readonly speed: Speed;
  readonly #room: ShareRoom;
  readonly #giving = new AbortController();
  records = 0;
  octets = 0;
  large = 0;

  constructor(account_id: string, room: ShareRoom) {
    this.account_id = account_id;
    this.speed = new Speed(room.least);
    this.#room = room;
  }

  /** Aborted when others need the place, with the reason as a WireError. */
  get signal(): AbortSignal {
    return this.#giving.signal;
  }

  giveWay(): void {
    this.#giving.abort(new WireError("is too slow while other zones wait for its place, and is asked again later"));
  }

  /** Throws a WireError when there is no room for it. */
  take({ records, octets }: TransferLimits): void {
    this.signal.throwIfAborted();
    this.records += records;
    this.octets += octets;
    this.#room.grown();
  }

  /** What comes goes on to the store. Throws a WireError when there is no room for that: then it does not. */
  enlarge(): void {
    this.signal.throwIfAborted();
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

const full = () =>
  new WireError("is not heard to its end: other transfers take up the room, and it is asked again later");

const exceeded = (shares: readonly TransferShare[], limits: Room) =>
  (["records", "octets", "large"] as const).find(
    (what) => shares.reduce((sum, share) => sum + share[what], 0) > limits[what],
  );
