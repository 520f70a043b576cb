/** Names locked by a transaction: calls of the same turn, of whichever writes, are two statements sent together. */
import type { Db, Statement } from "../store.ts";
import { lockNames, type NameInZone, removeUnused } from "./lock-store.ts";
import { gather, type RecordsInZone, type ZoneWithRecord } from "./store.ts";

/** A name is locked by the transaction already, for another of its writes. */
export class NameInUse extends Error {
  override readonly name = "NameInUse";
}

interface Call {
  readonly names: readonly NameInZone[];
  readonly resolve: (found: RecordsInZone | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** What one write of a transaction locks. */
export class NameLocks {
  readonly #all: LockedNames;
  readonly #own: NameInZone[] = [];

  /** `all` is what the transaction's other writes lock, too. */
  constructor(all: LockedNames) {
    this.#all = all;
  }

  /**
   * Locks names of a zone against other writers of the same names until the transaction ends, and reads the records
   * there; undefined without the zone. Writers of other names go on, and the zone cannot be deleted meanwhile. Throws
   * NameInUse for a name that is locked already by this transaction.
   */
  lock(account_id: string, zone: string, domains: readonly string[]): Promise<RecordsInZone | undefined> {
    const names = domains.map((domain) => ({ account_id, zone, domain }));
    this.#own.push(...names);
    return this.#all.lock(names);
  }

  /** What takes the names back that were locked first by this write and have no records: for one that is refused. */
  get undone(): Statement[] {
    return this.#own.length > 0 ? [removeUnused(this.#own)] : [];
  }
}

/** All that one transaction locks. */
export class LockedNames {
  readonly #db: Db;
  readonly #held = new Set<string>();
  #calls: Call[] = [];

  constructor(db: Db) {
    this.#db = db;
  }

  lock(names: readonly NameInZone[]): Promise<RecordsInZone | undefined> {
    const keys = names.map(keyOf);
    if (keys.some((key) => this.#held.has(key))) throw new NameInUse();
    for (const key of keys) this.#held.add(key);
    return new Promise((resolve, reject) => {
      if (this.#calls.length === 0) queueMicrotask(() => void this.#send());
      this.#calls.push({ names, resolve, reject });
    });
  }

  async #send(): Promise<void> {
    const calls = this.#calls;
    this.#calls = [];
    try {
      const found = await this.#lock(calls.flatMap(({ names }) => names));
      for (const { names, resolve } of calls) {
        resolve(gather(names.flatMap((name) => found.get(keyOf(name)) ?? [])));
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  /** What stands at each name. Names are locked in order, so that two transactions cannot block each other. */
  async #lock(names: readonly NameInZone[]): Promise<Map<string, ZoneWithRecord[]>> {
    const ordered = names.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const found = new Map<string, ZoneWithRecord[]>();
    for (const { n, ...row } of await lockNames(this.#db, ordered)) {
      const key = keyOf(ordered[n - 1]!);
      const others = found.get(key);
      if (others) others.push(row);
      else found.set(key, [row]);
    }
    return found;
  }
}

const keyOf = ({ account_id, zone, domain }: NameInZone) => `${account_id} ${zone} ${domain}`;
