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
  read<T>(account_id: string, run: () => Promise<T>): Promise<T> {
    const costly: readonly Wanted[] = this.#costs.isOver(account_id) ? [[this.#costly, costlyWithin]] : [];
    return this.#holding(account_id, [...costly, [this.#connections, this.#patience]], async () => {
      const since = performance.now();
      try {
        return await run();
      } finally {
        this.#costs.add(account_id, performance.now() - since);
      }
    });
  }

  /** Runs a transaction of an account. */
  transaction<T>({ account_id, within, ...kind }: TransactionShare, run: () => Promise<T>): Promise<T> {
    const exclusive: readonly Wanted[] = kind.isExclusive ? [[this.#exclusive, exclusiveWithin]] : [];
    const long: readonly Wanted[] = kind.isLong ? [[this.#long, within]] : [];
    const wanted: readonly Wanted[] = [
      ...exclusive,
      ...long,
      [this.#transactions, within],
      [this.#connections, within],
    ];
    return this.#holding(account_id, wanted, run);
  }

  /** Waits for slots of the account, one after another, and gives them back at the end. */
  async #holding<T>(account_id: string, wanted: readonly Wanted[], run: () => Promise<T>): Promise<T> {
    const held: Slot[] = [];
    try {
      for (const [slots, within] of wanted) {
        const isMoving = () => performance.now() - this.#doneAt < within;
        const slot = await slotWithin(slots, account_id, within, isMoving);
        if (!slot) throw slots.holds(account_id) ? crowded() : unavailable("the store is busy");
        held.push(slot);
      }
      const result = await run();
      this.#doneAt = performance.now();
      return result;
    } finally {
      for (const slot of held.reverse()) slot.leave();
    }
  }
}

/** Slots of which one is wanted, and the milliseconds to wait for it. */
type Wanted = readonly [slots: Slots, within: number];

/** Waits for a slot for `within` milliseconds, and longer while the queue moves; undefined if there is none. */
async function slotWithin(
  slots: Slots,
  account_id: string,
  within: number,
  isMoving: () => boolean,
): Promise<Slot | undefined> {
  const waiting = slots.wait(account_id);
  if (!(waiting instanceof Promise)) return waiting;
  const { promise, resolve } = Promise.withResolvers<Slot | undefined>();
  let isLate = false;
  let turns = 1;
  const late = setInterval(() => {
    if (turns++ < mostPatient && isMoving()) return;
    isLate = true;
    resolve(undefined);
  }, within);
  void waiting.then((slot) => {
    if (isLate) slot?.leave();
    else resolve(slot);
  });
  return await promise.finally(() => clearInterval(late));
}

const crowded = () =>
  limited("too many requests of the account, or of this network without a known key, are waiting for one another", {
    retry_after: 1,
  });
