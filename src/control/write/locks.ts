/** Names locked by a transaction: all calls in one turn of the event loop share two statements, which are sent together. */
import type { Db, Statement } from "../kit/store.ts";
import { gather, lockNames, type NameInZone, type NthRow, type RecordsInZone, removeUnused } from "./lock-store.ts";

/** The transaction has already locked a name for another of its writes. */
export class NameInUse extends Error {
  override readonly name = "NameInUse";
}

/** The records at locked names. */
export interface LockedRecords extends RecordsInZone {
  /** The names to which records are linked. */
  readonly targets: ReadonlySet<string>;
}

interface Call {
  readonly names: readonly NameInZone[];
  readonly resolve: (found: LockedRecords | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** The names that one write of a transaction locks. */
export class NameLocks {
  readonly #all: LockedNames;
  readonly #own: NameInZone[] = [];

  /** `all` contains the names of all writes of the transaction. */
  constructor(all: LockedNames) {
    this.#all = all;
  }

  /**
   * Locks names of a zone against other writers of the same names until the transaction ends, and reads the records
   * there; undefined if there is no such zone. Writers of other names continue, but the zone cannot be deleted. Throws
   * NameInUse for a name that this transaction has already locked.
   */
  lock(account_id: string, zone: string, domains: readonly string[]): Promise<LockedRecords | undefined> {
    const names = domains.map((domain) => ({ account_id, zone, domain }));
    this.#own.push(...names);
    return this.#all.lock(names);
  }

  /**
   * Locks names of records that are not written but must not be deleted. Other writes of this transaction may hold
   * them too, and this write may have locked them already.
   */
  hold(account_id: string, zone: string, domains: readonly string[]): Promise<LockedRecords | undefined> {
    const names = domains.map((domain) => ({ account_id, zone, domain }));
    const own = new Set(this.#own.map(keyOf));
    this.#own.push(...names);
    return this.#all.hold(names, own);
  }

  /** For a write that is refused: the statement that removes the names that it locked and that have no records. */
  get undone(): Statement[] {
    return this.#own.length > 0 ? [removeUnused(this.#own)] : [];
  }
}

/** The names that one transaction locks. */
export class LockedNames {
  readonly #db: Db;
  /** Whether each name is written or only held. */
  readonly #held = new Map<string, "written" | "held">();
  #calls: Call[] = [];

  constructor(db: Db) {
    this.#db = db;
  }

  lock(names: readonly NameInZone[]): Promise<LockedRecords | undefined> {
    const keys = names.map(keyOf);
    if (keys.some((key) => this.#held.has(key))) throw new NameInUse();
    for (const key of keys) this.#held.set(key, "written");
    return this.#call(names);
  }

  /** `own` are the names that the same write has locked. */
  hold(names: readonly NameInZone[], own: ReadonlySet<string>): Promise<LockedRecords | undefined> {
    const keys = names.map(keyOf).filter((key) => !own.has(key));
    if (keys.some((key) => this.#held.get(key) === "written")) throw new NameInUse();
    for (const key of keys) this.#held.set(key, "held");
    return this.#call(names);
  }

  #call(names: readonly NameInZone[]): Promise<LockedRecords | undefined> {
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
        resolve(gathered(names, found));
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  /** The rows at each name. Names are locked in order, to prevent deadlocks between transactions. */
  async #lock(names: readonly NameInZone[]): Promise<Map<string, NthRow[]>> {
    // a name held by two writes is locked once
    const ordered = [...new Map(names.map((name) => [keyOf(name), name])).values()];
    ordered.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const found = new Map<string, NthRow[]>();
    for (const row of await lockNames(this.#db, ordered)) {
      const key = keyOf(ordered[row.n - 1]!);
      const others = found.get(key);
      if (others) others.push(row);
      else found.set(key, [row]);
    }
    return found;
  }
}

/** The records at the names of one call. */
function gathered(
  names: readonly NameInZone[],
  found: ReadonlyMap<string, readonly NthRow[]>,
): LockedRecords | undefined {
  const rows = names.flatMap((name) => found.get(keyOf(name)) ?? []);
  const inZone = gather(rows.map(({ n: _, is_target: __, ...row }) => row));
  const targets = names.filter((name) => found.get(keyOf(name))?.[0]?.is_target).map(({ domain }) => domain);
  return inZone && { ...inZone, targets: new Set(targets) };
}

const keyOf = ({ account_id, zone, domain }: NameInZone) => `${account_id} ${zone} ${domain}`;
