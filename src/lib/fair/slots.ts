/**
 * Concurrency slots with a global and a per-account limit; accounts below their fair share may exceed the global limit
 * up to a hard maximum.
 *
 * The fair share is the global limit divided by the number of accounts that hold slots or ask for one; it is at least 1.
 * If an account below its share finds no slot, a slow holder of another account loses its slot. A slot may have a weight
 * above 1, such as its octets of memory.
 */
import { FairQueue } from "./queue.ts";

export interface SlotLimits {
  /** The global limit, and the limit of one account. */
  readonly all: number;
  readonly own: number;
  /** The hard maximum; `all` when left out. */
  readonly most?: number;
  /** Requests for slots that may wait: none when left out. */
  readonly waiting?: { readonly all: number; readonly own?: number };
}

/** A holder of a slot that other accounts may take over. */
export interface Holder {
  readonly isSlow: boolean;
  /** Called when another account takes over the slot. */
  loseSlot(): void;
}

export interface SlotOptions {
  /** 1 when left out. */
  readonly weight?: number;
  readonly holder?: Holder;
}

export class Slots {
  /** The weight of all slots that are held. */
  total = 0;
  readonly #limits: SlotLimits;
  readonly #held = new Set<Slot>();
  /** The weight that each account holds: counted like the total, since both are asked for all the time. */
  readonly #weights = new Map<string, number>();
  readonly #queue = new FairQueue<Waiting>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Takes a slot, which the caller must give back; undefined when there is none for this account. */
  take(account: string, { weight = 1, holder }: SlotOptions = {}): Slot | undefined {
    const slot: Slot = new Slot(account, holder, {
      resize: (weight) => this.#resize(slot, weight),
      leave: () => this.#leave(slot),
    });
    this.#held.add(slot);
    if (slot.resize(weight)) return slot;
    this.#held.delete(slot);
    return undefined;
  }

  /**
   * Takes a slot, or waits for one; accounts take turns, and so do the addresses of one account. Undefined if refused: at
   * once when the account has too many waiting requests; when too many wait in all, the account with the most loses the
   * last one of its busiest address.
   */
  wait(account: string, address = "", options: SlotOptions = {}): Slot | undefined | Promise<Slot | undefined> {
    const slot = this.take(account, options);
    const { all = 0, own = all } = this.#limits.waiting ?? {};
    if (slot || this.#queue.count(account) >= own) return slot;
    return new Promise((resolve) => {
      this.#queue.add(account, address, { account, options, resolve });
      if (this.#queue.size > all) this.#queue.drop()?.resolve(undefined);
    });
  }

  holds(account: string): boolean {
    return this.weightOf(account) > 0;
  }

  /** Whether `take` would find a slot for the account without taking it from another account. */
  hasRoom(account: string, weight = 1): boolean {
    const { all, own, most = all } = this.#limits;
    const held = this.weightOf(account);
    return held + weight <= own && this.total + weight <= (this.#isBelowShare(account) ? most : all);
  }

  /** Accounts that have reached their fair share or their own limit, and cannot get another slot now. */
  accountsAtLimit(): string[] {
    return [...this.#weights.keys()].filter((account) => {
      const isBelow = this.#isBelowShare(account) && this.weightOf(account) < this.#limits.own;
      return !isBelow && !this.hasRoom(account);
    });
  }

  #isBelowShare(account: string): boolean {
    const accounts = this.#weights.size + (this.#weights.has(account) ? 0 : 1);
    return this.weightOf(account) < Math.max(1, Math.floor(this.#limits.all / accounts));
  }

  #resize(slot: Slot, weight: number): boolean {
    const more = weight - slot.weight;
    const isHeld = this.#held.has(slot);
    if (more > 0 && !(isHeld && this.#makeRoom(slot.account, more))) return false;
    if (isHeld) this.#count(slot.account, more);
    slot.weight = weight;
    return true;
  }

  /** Whether the account has room; slow holders of other accounts lose their slots if needed. */
  #makeRoom(account: string, more: number): boolean {
    while (!this.hasRoom(account, more)) {
      const isOver = this.weightOf(account) + more > this.#limits.own;
      const slow = isOver || !this.#isBelowShare(account) ? undefined : this.#slowOther(account);
      if (!slow) return false;
      this.#remove(slow);
      slow.holder?.loseSlot();
    }
    return true;
  }

  /** Among slow holders of other accounts: the account that holds the most, and its largest slot. */
  #slowOther(account: string): Slot | undefined {
    const slow = [...this.#held].filter((slot) => slot.account !== account && slot.weight > 0 && slot.holder?.isSlow);
    const [first] = slow.sort(
      (one, other) => this.weightOf(other.account) - this.weightOf(one.account) || other.weight - one.weight,
    );
    return first;
  }

  #leave(slot: Slot): void {
    if (!this.#remove(slot)) return;
    const next = () =>
      this.#queue.take(
        (account) => this.hasRoom(account),
        (account, _address, { options }) => this.hasRoom(account, options.weight),
      );
    for (let waiting = next(); waiting; waiting = next()) waiting.resolve(this.take(waiting.account, waiting.options));
  }

  /** The weight that an account holds. */
  weightOf(account: string): number {
    return this.#weights.get(account) ?? 0;
  }

  #remove(slot: Slot): boolean {
    if (!this.#held.delete(slot)) return false;
    this.#count(slot.account, -slot.weight);
    return true;
  }

  #count(account: string, more: number): void {
    this.total += more;
    const weight = this.weightOf(account) + more;
    if (weight > 0) this.#weights.set(account, weight);
    else this.#weights.delete(account);
  }
}

export class Slot {
  readonly account: string;
  readonly holder: Holder | undefined;
  weight = 0;
  readonly #owner: Owner;

  constructor(account: string, holder: Holder | undefined, owner: Owner) {
    this.account = account;
    this.holder = holder;
    this.#owner = owner;
  }

  /** If the weight would exceed the limits, or the slot was lost, returns false and changes nothing. */
  resize(weight: number): boolean {
    return this.#owner.resize(weight);
  }

  /** Gives the slot back. May be called again. */
  leave(): void {
    this.#owner.leave();
  }
}

/** The functions of the `Slots` to which a slot belongs. */
interface Owner {
  readonly resize: (weight: number) => boolean;
  readonly leave: () => void;
}

interface Waiting {
  readonly account: string;
  readonly options: SlotOptions;
  readonly resolve: (slot: Slot | undefined) => void;
}
