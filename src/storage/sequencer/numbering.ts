/** Numbers a batch of committed changes in one transaction: changes get revisions in order, and their zones serials. */
import { CompiledQuery, sql, type Transaction } from "kysely";
import { type Clock, seconds } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import { laterSerial, nextSerial } from "../../lib/serial.ts";
import { changeChannel, configuration } from "../../sync/change.ts";
import type { Numeral } from "../../sync/stream-source.ts";
import { isDuplicate } from "../connection/failure.ts";
import { sendLast } from "../connection/transaction.ts";
import type { Store } from "../db.ts";
import { acrossAccounts } from "../fence/exceptions.ts";
import type { Lease } from "../lease.ts";
import type { Tables } from "../tables/index.ts";
import { beginEpoch, type Epoch, epochColumns, isEpochDue, moveZones, serialStep } from "./epoch.ts";
import { type GivenSerial, keepSerials, replaceSerials } from "./serials.ts";

const mostInBatch = 500;
/** Milliseconds for which a zone that a long transaction has locked is skipped; then the batch waits for the lock. */
const skipFor = 250;
/** Milliseconds between two such waits, and their length. */
const waitEvery = 1000;
const waitFor = 100;

interface Waiting {
  readonly account_id: string;
  readonly id: string;
  readonly seq: number;
  readonly zone_ids: readonly string[];
  readonly given: Readonly<Record<string, number | null>> | null;
}

interface Numbered extends Waiting {
  readonly serials: ReadonlyMap<string, number>;
}

const isWaiting = CompiledQuery.raw(`${acrossAccounts("order")}
  select where exists (select from change where revision is null) or ${isEpochDue}`);

export class Numbering {
  #store: Store;
  #clock: Clock;
  #log: Log;
  /** Whether followers are notified of each batch: not every engine of the dialect has NOTIFY. */
  readonly notifies: boolean;
  #skippingSince: number | undefined;
  #waitedAt = Number.NEGATIVE_INFINITY;

  constructor(store: Store, { clock, log }: { readonly clock: Clock; readonly log: Log }, notifies = true) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.notifies = notifies;
  }

  /** Whether there are changes without a number, or a new epoch is due; a very cheap query. */
  async isWaiting(): Promise<boolean> {
    return (await this.#store.db.executeQuery(isWaiting)).rows.length > 0;
  }

  /** Numbers a batch; `more` if there are probably further changes to number now. */
  async run(lease: Lease): Promise<{ numbered: number; more: boolean }> {
    const patient = this.#isTimeToWait();
    const number = (keep: Keep) => this.#store.transaction((tx) => this.#number(tx, { lease, patient, keep }));
    const {
      numbered,
      waiting,
      again = false,
    } = await number(keepSerials).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      return number(replaceSerials);
    });
    if (numbered === waiting) this.#skippingSince = undefined;
    else this.#skippingSince ??= performance.now();
    return { numbered, more: again || numbered === mostInBatch };
  }

  /** Always skipping would starve a zone with constant writes; always waiting would delay all other zones. */
  #isTimeToWait(): boolean {
    const now = performance.now();
    if (this.#skippingSince === undefined || now - this.#skippingSince < skipFor) return false;
    if (now - this.#waitedAt < waitEvery) return false;
    this.#waitedAt = now;
    return true;
  }

  /** Usually needs only two round trips to the store, since each delays the propagation of the changes. */
  async #number(
    tx: Transaction<Tables>,
    { lease, patient, keep }: { lease: Lease; patient: boolean; keep: Keep },
  ): Promise<{ numbered: number; waiting: number; again?: boolean }> {
    const [last, waiting, first] = await Promise.all([
      lockLast(tx, lease),
      findWaiting(tx),
      patient ? [] : lockWaitingZones(tx),
    ]);
    if (!last.isOwn) {
      await tx.executeQuery(beginEpoch);
      this.#log.warn({ epoch: last.number + 1 }, "the store was put back or promoted: serials of zones move ahead");
      return { numbered: 0, waiting: waiting.length, again: true };
    }
    if (last.isMoving) await tx.executeQuery(moveZones(seconds(this.#clock)));
    if (waiting.length === 0) return { numbered: 0, waiting: 0, again: last.isMoving };
    const { zones, held } = await lockZones(tx, waiting, first, patient);
    const numbered = this.#assign(waiting, zones, held, last.number);
    if (numbered.length > 0) {
      const mark = newId();
      await keep(tx, serialsOf(numbered, last.revision));
      sendLast(tx, updateChanges(numbered, last, mark));
      for (const update of updateZones(numbered, zones)) sendLast(tx, update);
      sendLast(tx, updateLast(tx, { revision: last.revision + numbered.length, mark }));
      if (this.notifies) sendLast(tx, CompiledQuery.raw(`notify ${changeChannel}`));
    }
    return { numbered: numbered.length, waiting: waiting.length, again: last.isMoving };
  }

  /** Assigns serials in order of `seq`. A change that waits for a zone delays later changes of all of its zones. */
  #assign(waiting: readonly Waiting[], zones: Zones, held: Set<string>, epoch: number): Numbered[] {
    const now = seconds(this.#clock);
    const numbered: Numbered[] = [];
    for (const change of waiting) {
      if (change.zone_ids.some((id) => held.has(id))) {
        for (const id of change.zone_ids) held.add(id);
        continue;
      }
      const serials = new Map<string, number>();
      for (const id of change.zone_ids) {
        const zone = zones.get(id);
        // the zone is gone and cannot be restored
        if (!zone) continue;
        const given = change.given?.[id];
        if (given !== null) {
          const last = zone.epoch === epoch ? zone.serial : laterSerial(zone.serial, serialStep);
          zone.serial = given ?? nextSerial(last, now);
          zone.epoch = epoch;
        }
        serials.set(id, zone.serial);
      }
      numbered.push({ ...change, serials });
    }
    return numbered;
  }
}

/** The function that stores the assigned serials. */
type Keep = typeof keepSerials | typeof replaceSerials;

interface LockedZone {
  readonly table: "zone" | "deleted_zone";
  serial: number;
  epoch: number;
}
type Zones = Map<string, LockedZone>;

/**
 * Locks the row of the last revision, which keeps two sequencers apart even when one lost its lease without noticing:
 * reads after the lock see all that the other sequencer wrote.
 */
async function lockLast(tx: Transaction<Tables>, { name, holder, token }: Lease): Promise<Numeral & Epoch> {
  const { rows } = await tx.executeQuery<Numeral & Epoch>(
    CompiledQuery.raw(
      `select sequencer.revision, sequencer.mark, ${epochColumns} from sequencer, lease, epoch
       where subject = $1 and lease.name = $2 and holder = $3 and token = $4 for update of sequencer`,
      [configuration, name, holder, token],
    ),
  );
  if (!rows[0]) throw new Error("another sequencer has the lease now");
  return rows[0];
}

async function findWaiting(tx: Transaction<Tables>): Promise<readonly Waiting[]> {
  const text = `${acrossAccounts("order")}
    select account_id, id, seq, zone_ids, given from change where revision is null order by seq limit $1`;
  return (await tx.executeQuery<Waiting>(CompiledQuery.raw(text, [mostInBatch]))).rows;
}

interface ZoneSerial {
  readonly id: string;
  readonly serial: number;
  /** The epoch of the serial. */
  readonly epoch: number;
}

/** Locks the zones of all waiting changes, except zones that are locked already. Sent together with `findWaiting`. */
async function lockWaitingZones(tx: Transaction<Tables>): Promise<readonly ZoneSerial[]> {
  const text = `${acrossAccounts("order")}
    select zone.id, zone.serial, zone.epoch from (
      select distinct account_id, json_array_elements_text(zone_ids) as id from (
        select account_id, zone_ids from change where revision is null order by seq limit $1) as waiting
      order by account_id, id) as key
    ${lockOf("zone", skipping)}`;
  return (await tx.executeQuery<ZoneSerial>(CompiledQuery.raw(text, [mostInBatch]))).rows;
}

/**
 * Locks the zones of changes, and returns the ids of zones that other transactions have locked. A deleted zone that can
 * be restored still gets serials, since changes from before the deletion can be numbered after it.
 */
async function lockZones(
  tx: Transaction<Tables>,
  waiting: readonly Waiting[],
  first: readonly ZoneSerial[],
  patient: boolean,
) {
  const zones: Zones = new Map(first.map(({ id, ...zone }) => [id, { table: "zone", ...zone }]));
  const held = new Set<string>();
  if (patient) void sql`set local lock_timeout = ${sql.lit(waitFor)}`.execute(tx).catch(() => {});
  const steps = [
    [patient ? lockWaiting : lockPassing, "zone", true],
    [find, "zone", false],
    [lockPassing, "deleted_zone", true],
    [find, "deleted_zone", false],
    // the zone may have been restored between the previous queries
    [find, "zone", false],
  ] as const;
  for (const [text, table, locks] of steps) {
    const missing = waiting.flatMap(({ account_id, zone_ids }) =>
      zone_ids.filter((id) => !zones.has(id) && !held.has(id)).map((id) => ({ account_id, zone_ids: [id] })),
    );
    if (missing.length === 0) break;
    const query = CompiledQuery.raw(text(table), zoneKeys(missing));
    for (const { id, serial, epoch } of (await tx.executeQuery<ZoneSerial>(query)).rows) {
      if (locks) zones.set(id, { table, serial, epoch });
      else held.add(id);
    }
  }
  return { zones, held };
}

// OFFSET 0 prevents flattening: a plan made while there were few zones is still right when there are many
const lockOf = (table: LockedZone["table"], lock: string) => `
  cross join lateral (
    select account_id, id, serial, ${table === "zone" ? "epoch" : "current_epoch() as epoch"} from ${table} as zone
    where zone.account_id = key.account_id and zone.id = key.id offset 0 ${lock}) as zone`;
const skipping = "for no key update skip locked";

const zonesOf = (lock: string) => (table: LockedZone["table"]) =>
  `
  select zone.account_id, zone.id, zone.serial, zone.epoch from unnest($1::text[], $2::text[]) as key (account_id, id)
  ${lockOf(table, lock)}`;
const find = zonesOf("");
const lockWaiting = zonesOf("for no key update");
const lockPassing = zonesOf(skipping);

/** Returns the accounts and ids of the zones of changes, each zone once, in locking order. */
function zoneKeys(changes: readonly Pick<Waiting, "account_id" | "zone_ids">[]): [accounts: string[], ids: string[]] {
  const accounts = new Map(changes.flatMap(({ account_id, zone_ids }) => zone_ids.map((id) => [id, account_id])));
  const keys = [...accounts].map(([id, account_id]) => ({ id, account_id }));
  keys.sort((a, b) => (`${a.account_id} ${a.id}` < `${b.account_id} ${b.id}` ? -1 : 1));
  return [keys.map(({ account_id }) => account_id), keys.map(({ id }) => id)];
}

/** Finds the changes by `seq`, which has an index of unnumbered changes. Arrays are in order of the revisions. */
const updateChanges = (numbered: readonly Numbered[], last: Numeral, mark: string) =>
  CompiledQuery.raw(updateChangesText, [
    numbered.map((change) => change.seq),
    last.revision,
    numbered.map((change) => JSON.stringify(Object.fromEntries(change.serials))),
    mark,
    last.mark,
  ]);
const updateChangesText = `${acrossAccounts("order")}
  update change set
    revision = $2::bigint + array_position($1::bigint[], seq),
    previous = $2::bigint + array_position($1::bigint[], seq) - 1,
    mark = $4,
    previous_mark = case when seq = ($1::bigint[])[1] then $5 else $4 end,
    serials = (($3::text[])[array_position($1::bigint[], seq)])::json
  where revision is null and seq = any($1::bigint[])`;

/** Gives each zone the last of its serials, with one statement per account and table, which finds zones by key. */
function updateZones(numbered: readonly Numbered[], locked: Zones): CompiledQuery[] {
  const statements = new Map<string, { text: string; account_id: string; serials: Map<string, number> }>();
  for (const { account_id, serials } of numbered) {
    for (const [id, serial] of serials) {
      const { table } = locked.get(id)!;
      const key = `${table} ${account_id}`;
      const statement = statements.get(key) ?? { text: updateText(table), account_id, serials: new Map() };
      statements.set(key, { ...statement, serials: statement.serials.set(id, serial) });
    }
  }
  return [...statements.values()].map(({ text, account_id, serials }) =>
    CompiledQuery.raw(text, [account_id, [...serials.keys()], [...serials.values()]]),
  );
}
const updateText = (table: LockedZone["table"]) => `
  update ${table} set ${table === "zone" ? "epoch = current_epoch(), " : ""}
    serial = ($3::bigint[])[array_position($2::text[], id)]
  where account_id = $1 and id = any($2::text[])`;

/** Returns the serials with their revisions, which follow `revision` in order. */
const serialsOf = (numbered: readonly Numbered[], revision: number): GivenSerial[] =>
  numbered.flatMap(({ account_id, id: change_id, given, serials }, i) =>
    [...serials].map(([zone_id, serial]) => ({
      ...{ account_id, zone_id, serial, change_id },
      revision: revision + i + 1,
      isNew: given?.[zone_id] !== null,
    })),
  );

const updateLast = (tx: Transaction<Tables>, last: Numeral) =>
  tx.updateTable("sequencer").set(last).where("subject", "=", configuration);
