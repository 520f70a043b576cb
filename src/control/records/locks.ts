/** Names locked by a transaction: calls of the same turn, of whichever writes, are two statements sent together. */
import { plannedEachTime } from "../../storage/connection.ts";
import { type Db, rowsOf, type Statement, statement } from "../store.ts";
import { defaultView } from "../zones/store.ts";
import { gather, type RecordsInZone, type ZoneWithRecord } from "./store.ts";

/** A name is locked by the transaction already, for another of its writes. */
export class NameInUse extends Error {
  override readonly name = "NameInUse";
}

interface Name {
  readonly account_id: string;
  readonly zone: string;
  readonly domain: string;
}

interface Call {
  readonly names: readonly Name[];
  readonly resolve: (found: RecordsInZone | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** What one write of a transaction locks. */
export class NameLocks {
  readonly #all: LockedNames;
  readonly #own: Name[] = [];

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
    return this.#own.length > 0 ? [statement(forget, columnsOf(this.#own))] : [];
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

  lock(names: readonly Name[]): Promise<RecordsInZone | undefined> {
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
  async #lock(names: readonly Name[]): Promise<Map<string, ZoneWithRecord[]>> {
    const ordered = names.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const [first] = ordered;
    const [lock, read] = first && ordered.length === 1 ? ofOne(first) : ofMany(ordered);
    // sent together: the second sees what was committed while the first waited
    const [, rows] = await Promise.all([rowsOf(this.#db, lock), rowsOf(this.#db, read)]);
    const found = new Map<string, ZoneWithRecord[]>();
    for (const { n, ...row } of rows) {
      const key = keyOf(ordered[n - 1]!);
      const others = found.get(key);
      if (others) others.push(row);
      else found.set(key, [row]);
    }
    return found;
  }
}

const keyOf = ({ account_id, zone, domain }: Name) => `${account_id} ${zone} ${domain}`;

/** A row of the n-th name, counted from 1. */
type NthRow = ZoneWithRecord & { readonly n: number };
type Statements = readonly [lock: Statement, read: Statement<NthRow>];

function ofOne({ account_id, zone, domain }: Name): Statements {
  const parameters = [account_id, zone, defaultView, domain];
  return [statement(lockOne, parameters), statement(readOne, parameters)];
}

const ofMany = (names: readonly Name[]): Statements => [
  statement(lockMany, columnsOf(names)),
  statement(readMany, columnsOf(names)),
];

const columnsOf = (names: readonly Name[]) => [
  names.map((name) => name.account_id),
  names.map((name) => name.zone),
  defaultView,
  names.map((name) => name.domain),
];

// DO UPDATE locks a row that is there already, and its false condition leaves it as it is
const unlessThere = "on conflict (account_id, zone_id, domain) do update set domain = excluded.domain where false";
const columns = "zone.id, zone.zone, zone.nx_ttl, zone.networks";

const named = "where zone.account_id = $1 and zone.zone = $2 and zone.view = $3";
const lockOne = `
  insert into owner (account_id, zone_id, domain)
  select zone.account_id, zone.id, $4::text from zone ${named} for key share ${unlessThere}`;
const readOne = `
  select 1 as n, ${columns}, to_json(record) as record
  from zone left join record
    on record.account_id = zone.account_id and record.zone_id = zone.id and record.domain = $4 ${named}`;

// OFFSET 0 keeps each part as it stands: a plan made while the tables were small is right when they are large
const given = `unnest($1::text[], $2::text[], $4::text[]) with ordinality as given (account_id, zone, domain, n)
  cross join lateral (
    select zone.* from zone
    where zone.account_id = given.account_id and zone.zone = given.zone and zone.view = $3 offset 0`;
const lockMany = `
  insert into owner (account_id, zone_id, domain)
  select zone.account_id, zone.id, given.domain from ${given} for key share) as zone order by n ${unlessThere}`;
const readMany = `
  select n, ${columns}, record.record from ${given}) as zone
  left join lateral (
    select to_json(record) as record from record
    where record.account_id = zone.account_id and record.zone_id = zone.id and record.domain = given.domain offset 0
  ) as record on true`;
const forget = `${plannedEachTime}
  delete from owner using zone, unnest($1::text[], $2::text[], $4::text[]) as given (account_id, zone, domain)
  where zone.account_id = given.account_id and zone.zone = given.zone and zone.view = $3
    and owner.account_id = given.account_id and owner.zone_id = zone.id and owner.domain = given.domain
    and not exists (
      select from record
      where record.account_id = owner.account_id and record.zone_id = owner.zone_id and record.domain = owner.domain)`;
