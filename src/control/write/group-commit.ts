/** Group commit: concurrent writes share a transaction, because a commit or statement costs nearly the same for one row as for many. */
import { setTimeout as delay } from "node:timers/promises";
import { FairQueue } from "../../lib/fair/queue.ts";
import { unavailable } from "../../lib/problem.ts";
import { isOfStore, waitedForLock, wasRefused } from "../../storage/connection/failure.ts";
import { sendLast } from "../../storage/connection/transaction.ts";
import type { Store } from "../../storage/db.ts";
import type { Tx } from "../kit/store.ts";
import { LockedNames, NameInUse, NameLocks } from "./locks.ts";
import { type Prepared, sendAll, type Write } from "./write.ts";

/** Concurrent transactions: while the store works on one, requests for the next are read. */
const mostAtOnce = 2;
const mostTogether = 64;
/** Milliseconds that a locked name may delay a shared transaction; then each write runs and waits alone. */
const lockWithin = 100;
/** Milliseconds for which the writes of an account run alone after one of them has waited longer for a lock. */
const aloneFor = 10_000;
/** Accounts whose writes run alone. */
const mostAlone = 1000;

interface Member {
  readonly write: Write;
  readonly since: number;
  readonly resolve: (prepared: Prepared) => void;
  readonly reject: (error: unknown) => void;
}

/** The result of a member: undefined when it must wait for a name that another member of the transaction writes. */
type Result = PromiseSettledResult<Prepared> | undefined;

export class GroupCommit {
  readonly #store: Store;
  /** Writes that must wait for a name that their transaction had locked: they go first in the next one. */
  #again: Member[] = [];
  readonly #waiting = new FairQueue<Member>();
  /** Accounts whose locked names would delay the writes of others, with the time until which their writes run alone. */
  readonly #alone = new Map<string, number>();
  #underWay = 0;
  #starting = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Commits a shareable write, in a transaction with other writes or alone. */
  async run(write: Write): Promise<Prepared> {
    const { account_id } = write;
    const counting = write.ready();
    if (counting) await counting;
    if ((this.#alone.get(account_id) ?? 0) > performance.now()) return this.#runAlone(write);
    return new Promise((resolve, reject) => {
      this.#waiting.add(account_id, "", { write, since: performance.now(), resolve, reject });
      this.#start();
    });
  }

  async #runAlone(write: Write): Promise<Prepared> {
    const since = performance.now();
    try {
      return await write.run();
    } finally {
      const now = performance.now();
      if (now - since > lockWithin) this.#alone.set(write.account_id, now + aloneFor);
      for (const [account_id, until] of this.#alone) {
        if (until > now && this.#alone.size <= mostAlone) break;
        this.#alone.delete(account_id);
      }
    }
  }

  /** Starts a transaction with the writes that arrive in this turn of the event loop. */
  #start(): void {
    const count = this.#again.length + this.#waiting.size;
    if (this.#starting || this.#underWay === mostAtOnce || count === 0) return;
    this.#starting = true;
    setImmediate(() => {
      this.#starting = false;
      const members = this.#take();
      if (members.length > 0) void this.#send(members);
      // more writes may be waiting than one transaction takes, or all of these had waited too long
      this.#start();
    });
  }

  #take(): Member[] {
    const oldest = performance.now() - this.#store.patience;
    const members = this.#again.splice(0, mostTogether);
    while (members.length < mostTogether && this.#waiting.size > 0) members.push(this.#waiting.take()!);
    for (const { since, reject } of members) if (since < oldest) reject(unavailable("the store is busy"));
    return members.filter(({ since }) => since >= oldest);
  }

  async #send(members: readonly Member[]): Promise<void> {
    this.#underWay++;
    try {
      const results = await this.#store.transaction((tx) => prepareAll(tx, members), { lockWithin });
      this.#settle(members, results);
    } catch (error) {
      // the store has rolled everything back: a fault of one member must not fail the others
      if (members.length > 1 ? wasRefused(error) : waitedForLock(error)) await this.#sendAlone(members);
      else for (const { reject } of members) reject(error);
    }
    this.#underWay--;
    this.#start();
  }

  #settle(members: readonly Member[], results: readonly Result[]): void {
    const again: Member[] = [];
    for (const [i, member] of members.entries()) {
      const result = results[i];
      if (result === undefined) again.push(member);
      else if (result.status === "fulfilled") member.resolve(result.value);
      else member.reject(result.reason);
    }
    this.#again.unshift(...again);
  }

  /** Ends once all have ended that do not wait for a lock: the others must not hold up the next transaction. */
  async #sendAlone(members: readonly Member[]): Promise<void> {
    const all = members.map(({ write, resolve, reject }) => this.#runAlone(write).then(resolve, reject));
    await Promise.race([Promise.all(all), delay(lockWithin)]);
  }
}

async function prepareAll(tx: Tx, members: readonly Member[]): Promise<readonly Result[]> {
  const all = new LockedNames(tx);
  const names = members.map(() => new NameLocks(all));
  const settled = await Promise.allSettled(members.map(({ write }, i) => write.prepare(tx, names[i]!)));
  for (const [i, result] of settled.entries()) {
    if (result.status === "fulfilled" || result.reason instanceof NameInUse) continue;
    // after an error of the store, its transaction cannot continue
    if (isOfStore(result.reason)) throw result.reason;
    for (const statement of names[i]!.undone) sendLast(tx, statement);
  }
  await sendAll(
    tx,
    settled.flatMap((result) => (result.status === "fulfilled" ? result.value : [])),
  );
  return settled.map((result) =>
    result.status === "rejected" && result.reason instanceof NameInUse ? undefined : result,
  );
}
