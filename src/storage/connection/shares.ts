/**
 * The shares of accounts in the connections to the store. An account has at most a quarter of them, at all times: a
 * connection that is in use cannot be taken back when others need it. The service itself has what accounts cannot use.
 * Requests of a network whose caller is not known have the share of one account.
 */
import { Costs } from "../../lib/fair/costs.ts";
import { type Slot, Slots } from "../../lib/fair/slots.ts";
import { limited, unavailable } from "../../lib/problem.ts";

export interface TransactionShare {
  readonly account_id: string;
  /** Milliseconds to wait for a connection. */
  readonly within: number;
  /** Locks the account's row: waits for the account's other exclusive transactions before it takes a connection. */
  readonly isExclusive?: boolean | undefined;
  /** May take long: an account has only one of these at a time. */
  readonly isLong?: boolean | undefined;
}

/** An account that keeps more than half of a connection busy, after two seconds beyond that, reads one thing at a time. */
const costLimits = { share: 0.5, burst: 2000 };
const waiting = { all: 20_000, own: 2000 };
/** Milliseconds for which exclusive transactions wait for one another, and reads of accounts over their share. */
const exclusiveWithin = 30_000;
const costlyWithin = 10_000;
/** How many times as long a request waits while others are done: a queue that moves is no reason to refuse. */
const mostPatient = 5;

/** The slots of accounts among `size` connections. */
export function shareLimits(size: number) {
  const part = (share: number) => Math.max(1, Math.floor(size * share));
  const own = part(1 / 4);
  return {
    connections: { all: part(4 / 5), own, waiting },
    /** They leave the account a connection for reads. */
    transactions: { all: part(3 / 5), own: Math.max(1, own - 1), waiting },
    long: { all: part(2 / 5), own: 1, most: part(3 / 5), waiting },
    /** Reads of accounts over their share of time. */
    costly: { all: part(1 / 10), own: 1, waiting },
  };
}

export class ConnectionShares {
  readonly #patience: number;
  readonly #costs = new Costs(costLimits);
  /** The time at which work with a connection was done last. */
  #doneAt = Number.NEGATIVE_INFINITY;
  readonly #connections: Slots;
  readonly #transactions: Slots;
  readonly #long: Slots;
  readonly #costly: Slots;
  readonly #exclusive = new Slots({ all: Number.POSITIVE_INFINITY, own: 1, waiting });

  /** `size` is the number of connections, `patience` the milliseconds for which a read waits for one. */
  constructor(size: number, patience: number) {
    this.#patience = patience;
    const { connections, transactions, long, costly } = shareLimits(size);
    this.#connections = new Slots(connections);
    this.#transactions = new Slots(transactions);
    this.#long = new Slots(long);
    this.#costly = new Slots(costly);
  }

  /** Runs reads of an account, which take one connection. */
  async read<T>(account_id: string, run: () => Promise<T>): Promise<T> {
    await using held = new AsyncDisposableStack();
    const enter = this.#entry(account_id, held);
    if (this.#costs.isOver(account_id)) await enter(this.#costly, costlyWithin);
    await enter(this.#connections, this.#patience);
    const since = performance.now();
    held.defer(() => this.#costs.add(account_id, performance.now() - since));
    return await this.#done(run());
  }

  /** Runs a transaction of an account. */
  async transaction<T>({ account_id, within, ...kind }: TransactionShare, run: () => Promise<T>): Promise<T> {
    await using held = new AsyncDisposableStack();
    const enter = this.#entry(account_id, held);
    if (kind.isExclusive) await enter(this.#exclusive, exclusiveWithin);
    if (kind.isLong) await enter(this.#long, within);
    await enter(this.#transactions, within);
    await enter(this.#connections, within);
    return await this.#done(run());
  }

  async #done<T>(run: Promise<T>): Promise<T> {
    const result = await run;
    this.#doneAt = performance.now();
    return result;
  }

  /** Returns a function that waits for a slot of the account, and gives it back at the end. */
  #entry =
    (account_id: string, held: AsyncDisposableStack) =>
    async (slots: Slots, within: number): Promise<void> => {
      const isMoving = () => performance.now() - this.#doneAt < within;
      const slot = await slotWithin(slots, account_id, within, isMoving);
      if (slot) held.defer(() => slot.leave());
      else throw slots.holds(account_id) ? crowded() : unavailable("the store is busy");
    };
}

/** Waits for a slot for `within` milliseconds, and longer while the queue moves; undefined if there is none. */
async function slotWithin(
  slots: Slots,
  account_id: string,
  within: number,
  isMoving: () => boolean,
): Promise<Slot | undefined> {
  const free = slots.take(account_id);
  if (free) return free;
  const { promise, resolve } = Promise.withResolvers<Slot | undefined>();
  let isLate = false;
  let turns = 1;
  const late = setInterval(() => {
    if (turns++ < mostPatient && isMoving()) return;
    isLate = true;
    resolve(undefined);
  }, within);
  void slots.wait(account_id).then((slot) => {
    if (isLate) slot?.leave();
    else resolve(slot);
  });
  return await promise.finally(() => clearInterval(late));
}

const crowded = () =>
  limited("too many requests of the account, or of this network without a known key, are waiting for one another", {
    retry_after: 1,
  });
