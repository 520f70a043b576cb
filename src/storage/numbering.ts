/** One batch of the sequencer: committed changes get revisions in order, and their zones serials, in one transaction. */
import { CompiledQuery, sql, type Transaction } from "kysely";
import type { Clock } from "../lib/clock.ts";
import { nextSerial } from "../lib/serial.ts";
import { changeChannel, configuration } from "../sync/change.ts";
import { plannedEachTime } from "./connection.ts";
import type { Store } from "./db.ts";
import type { Lease } from "./lease.ts";
import type { Tables } from "./tables.ts";
import { sendLast } from "./transaction.ts";

const mostInBatch = 500;
/** A zone that a long transaction holds is passed over; after this time, and then each second, it is waited for. */
const passOver = 250;
const waitAgainAfter = 1000;
const waitFor = 100;

interface Waiting {
  readonly account_id: string;
  readonly id: string;
  readonly zone_ids: readonly string[];
}

interface Numbered extends Waiting {
  readonly revision: number;
  readonly serials: ReadonlyMap<string, number>;
}

export class Numbering {
  #store: Store;
  #clock: Clock;
  /** Whether followers are told of each batch: not every engine of the dialect has NOTIFY. */
  readonly notifies: boolean;
  #passedOverSince: number | undefined;
  #waitedAt = Number.NEGATIVE_INFINITY;

  constructor(store: Store, clock: Clock, notifies = true) {
    this.#store = store;
    this.#clock = clock;
    this.notifies = notifies;
  }

  /** A look that costs next to nothing. */
  async isWaiting(): Promise<boolean> {
    const { db } = this.#store;
    return (await db.selectFrom("change").select("seq").where("revision", "is", null).limit(1).execute()).length > 0;
  }

  /** `more`: there are probably further changes that could be numbered now. */
  async run(lease: Lease): Promise<{ numbered: number; more: boolean }> {
    const patient = this.#isTimeToWait();
    const { numbered, waiting } = await this.#store.transaction((tx) => this.#number(tx, lease, patient));
    if (numbered === waiting) this.#passedOverSince = undefined;
    else this.#passedOverSince ??= performance.now();
    return { numbered, more: numbered === mostInBatch };
  }

  /** Passing over for ever would starve a zone that is written without pause; waiting always would hold up all others. */
  #isTimeToWait(): boolean {
    const now = performance.now();
    if (this.#passedOverSince === undefined || now - this.#passedOverSince < passOver) return false;
    if (now - this.#waitedAt < waitAgainAfter) return false;
    this.#waitedAt = now;
    return true;
  }

  async #number(
    tx: Transaction<Tables>,
    lease: Lease,
    patient: boolean,
  ): Promise<{ numbered: number; waiting: number }> {
    const [revision, waiting] = await Promise.all([lockRevision(tx, lease), findWaiting(tx)]);
    if (waiting.length === 0) return { numbered: 0, waiting: 0 };
    const zones = await lockZones(tx, waiting, patient);
    const numbered = this.#assign(waiting, zones, await findHeld(tx, waiting, zones), revision);
    if (numbered.length > 0) {
      for (const update of [updateChanges, updateZones, updateHistory]) sendLast(tx, update(numbered));
      sendLast(tx, updateRevision(tx, revision + numbered.length));
      if (this.notifies) sendLast(tx, CompiledQuery.raw(`notify ${changeChannel}`));
    }
    return { numbered: numbered.length, waiting: waiting.length };
  }

  /** In order of `seq`. A change that waits for a zone makes every later one of its zones wait, too. */
  #assign(waiting: readonly Waiting[], zones: Zones, held: Set<string>, revision: number): Numbered[] {
    const now = Math.floor(this.#clock.now() / 1000);
    const numbered: Numbered[] = [];
    for (const change of waiting) {
      if (change.zone_ids.some((id) => held.has(id))) {
        for (const id of change.zone_ids) held.add(id);
        continue;
      }
      const serials = new Map<string, number>();
      for (const id of change.zone_ids) {
        const zone = zones.get(id);
        // a zone that was removed meanwhile needs no serial
        if (!zone) continue;
        zone.serial = nextSerial(zone.serial, now);
        serials.set(id, zone.serial);
      }
      numbered.push({ ...change, revision: revision + numbered.length + 1, serials });
    }
    return numbered;
  }
}

type Zones = Map<string, { readonly account_id: string; serial: number }>;

/**
 * This row's lock keeps two sequencers apart even when one of them lost its lease without noticing: what is read after
 * it is what the other one left.
 */
async function lockRevision(tx: Transaction<Tables>, { name, holder, token }: Lease): Promise<number> {
  const { rows } = await tx.executeQuery<{ revision: number }>(
    CompiledQuery.raw(
      `select sequencer.revision from sequencer, lease
       where subject = $1 and lease.name = $2 and holder = $3 and token = $4 for update of sequencer`,
      [configuration, name, holder, token],
    ),
  );
  if (!rows[0]) throw new Error("the lease went to another sequencer");
  return rows[0].revision;
}

async function findWaiting(tx: Transaction<Tables>): Promise<readonly Waiting[]> {
  const text = "select account_id, id, zone_ids from change where revision is null order by seq limit $1";
  return (await tx.executeQuery<Waiting>(CompiledQuery.raw(text, [mostInBatch]))).rows;
}

async function lockZones(tx: Transaction<Tables>, waiting: readonly Waiting[], patient: boolean): Promise<Zones> {
  const keys = zoneKeys(waiting);
  const [, { rows }] = await Promise.all([
    patient && sql`set local lock_timeout = ${sql.lit(waitFor)}`.execute(tx),
    sql<{ account_id: string; id: string; serial: number }>`${sql.raw(plannedEachTime)}
      select zone.account_id, zone.id, zone.serial
      from zone join unnest(${keys.accounts}::text[], ${keys.ids}::text[]) as key (account_id, id)
        on zone.account_id = key.account_id and zone.id = key.id
      order by zone.account_id, zone.id
      for no key update of zone ${sql.raw(patient ? "" : "skip locked")}`.execute(tx),
  ]);
  return new Map(rows.map(({ account_id, id, serial }) => [id, { account_id, serial }]));
}

/** Zones that exist but are locked by someone else's transaction. */
async function findHeld(tx: Transaction<Tables>, waiting: readonly Waiting[], zones: Zones): Promise<Set<string>> {
  const missing = waiting.flatMap(({ account_id, zone_ids }) =>
    zone_ids.filter((id) => !zones.has(id)).map((id) => ({ account_id, zone_ids: [id] })),
  );
  if (missing.length === 0) return new Set();
  const keys = zoneKeys(missing);
  const { rows } = await sql<{ id: string }>`${sql.raw(plannedEachTime)}
    select zone.id from zone join unnest(${keys.accounts}::text[], ${keys.ids}::text[]) as key (account_id, id)
      on zone.account_id = key.account_id and zone.id = key.id`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

function zoneKeys(changes: readonly Pick<Waiting, "account_id" | "zone_ids">[]) {
  const accounts = new Map(changes.flatMap(({ account_id, zone_ids }) => zone_ids.map((id) => [id, account_id])));
  return { ids: [...accounts.keys()], accounts: [...accounts.values()] };
}

const updateChanges = (numbered: readonly Numbered[]) =>
  CompiledQuery.raw(
    `${plannedEachTime}update change set revision = given.revision, previous = given.revision - 1, serials = given.serials::json
     from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) as given (account_id, id, revision, serials)
     where change.account_id = given.account_id and change.id = given.id`,
    [
      numbered.map((change) => change.account_id),
      numbered.map((change) => change.id),
      numbered.map((change) => change.revision),
      numbered.map((change) => JSON.stringify(Object.fromEntries(change.serials))),
    ],
  );

/** Each zone gets the last of its serials. */
function updateZones(numbered: readonly Numbered[]): CompiledQuery {
  const last = new Map(numbered.flatMap((change) => [...change.serials]));
  const keys = zoneKeys(numbered);
  return CompiledQuery.raw(
    `${plannedEachTime}update zone set serial = given.serial
     from unnest($1::text[], $2::text[], $3::bigint[]) as given (account_id, id, serial)
     where zone.account_id = given.account_id and zone.id = given.id and given.serial is not null`,
    [keys.accounts, keys.ids, keys.ids.map((id) => last.get(id) ?? null)],
  );
}

function updateHistory(numbered: readonly Numbered[]): CompiledQuery {
  const rows = numbered.flatMap(({ account_id, id, serials }) =>
    [...serials].map(([zone_id, serial]) => ({ account_id, zone_id, id, serial })),
  );
  return CompiledQuery.raw(
    `${plannedEachTime}update zone_history set serial = given.serial
     from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as given (account_id, zone_id, change_id, serial)
     where zone_history.account_id = given.account_id and zone_history.zone_id = given.zone_id
       and zone_history.change_id = given.change_id`,
    [
      rows.map((row) => row.account_id),
      rows.map((row) => row.zone_id),
      rows.map((row) => row.id),
      rows.map((row) => row.serial),
    ],
  );
}

const updateRevision = (tx: Transaction<Tables>, revision: number) =>
  tx.updateTable("sequencer").set({ revision }).where("subject", "=", configuration);
