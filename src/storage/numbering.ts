/** One batch of the sequencer: committed changes get revisions in order, and their zones serials, in one transaction. */
import { sql, type Transaction } from "kysely";
import type { Clock } from "../lib/clock.ts";
import { nextSerial } from "../lib/serial.ts";
import { configuration } from "../sync/change.ts";
import type { Store } from "./db.ts";
import type { Lease } from "./lease.ts";
import type { Tables } from "./tables.ts";

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
  #passedOverSince: number | undefined;
  #waitedAt = Number.NEGATIVE_INFINITY;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** `more`: there are probably further changes that could be numbered now. */
  async run(lease: Lease): Promise<{ numbered: number; more: boolean }> {
    const waiting = await this.#store.db
      .selectFrom("change")
      .select(["account_id", "id", "zone_ids"])
      .where("revision", "is", null)
      .orderBy("seq")
      .limit(mostInBatch)
      .execute();
    if (waiting.length === 0) return { numbered: 0, more: false };
    const patient = this.#isTimeToWait();
    const numbered = await this.#store.transaction((tx) => this.#number(tx, lease, waiting, patient));
    if (numbered === waiting.length) this.#passedOverSince = undefined;
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

  async #number(tx: Transaction<Tables>, lease: Lease, waiting: readonly Waiting[], patient: boolean): Promise<number> {
    const [revision, zones] = await Promise.all([lockRevision(tx, lease), lockZones(tx, waiting, patient)]);
    const held = await findHeld(tx, waiting, zones);
    const numbered = this.#assign(waiting, zones, held, revision);
    if (numbered.length === 0) return 0;
    const [count] = await Promise.all([
      updateChanges(tx, numbered),
      updateZones(tx, numbered),
      updateHistory(tx, numbered),
      updateRevision(tx, revision + numbered.length),
    ]);
    if (count !== numbered.length) throw new Error("another sequencer numbered the same changes");
    return numbered.length;
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

/** This row's lock keeps two sequencers apart even when one of them lost its lease without noticing. */
async function lockRevision(tx: Transaction<Tables>, { name, holder, token }: Lease): Promise<number> {
  const row = await tx
    .selectFrom(["sequencer", "lease"])
    .select("sequencer.revision")
    .where("sequencer.subject", "=", configuration)
    .where("lease.name", "=", name)
    .where("lease.holder", "=", holder)
    .where("lease.token", "=", token)
    .forUpdate("sequencer")
    .executeTakeFirst();
  if (!row) throw new Error("the lease went to another sequencer");
  return row.revision;
}

async function lockZones(tx: Transaction<Tables>, waiting: readonly Waiting[], patient: boolean): Promise<Zones> {
  const keys = zoneKeys(waiting);
  const [, { rows }] = await Promise.all([
    patient && sql`set local lock_timeout = ${sql.lit(waitFor)}`.execute(tx),
    sql<{ account_id: string; id: string; serial: number }>`
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
  const { rows } = await sql<{ id: string }>`
    select zone.id from zone join unnest(${keys.accounts}::text[], ${keys.ids}::text[]) as key (account_id, id)
      on zone.account_id = key.account_id and zone.id = key.id`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

function zoneKeys(changes: readonly Pick<Waiting, "account_id" | "zone_ids">[]) {
  const accounts = new Map(changes.flatMap(({ account_id, zone_ids }) => zone_ids.map((id) => [id, account_id])));
  return { ids: [...accounts.keys()], accounts: [...accounts.values()] };
}

async function updateChanges(tx: Transaction<Tables>, numbered: readonly Numbered[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update change set revision = given.revision, previous = given.revision - 1, serials = given.serials::json
    from unnest(${numbered.map((change) => change.account_id)}::text[], ${numbered.map((change) => change.id)}::text[],
      ${numbered.map((change) => change.revision)}::bigint[],
      ${numbered.map((change) => JSON.stringify(Object.fromEntries(change.serials)))}::text[])
      as given (account_id, id, revision, serials)
    where change.account_id = given.account_id and change.id = given.id and change.revision is null`.execute(tx);
  return Number(numAffectedRows);
}

/** The last serial of each zone. */
async function updateZones(tx: Transaction<Tables>, numbered: readonly Numbered[]): Promise<void> {
  const keys = zoneKeys(numbered);
  const last = new Map(numbered.flatMap((change) => [...change.serials]));
  await sql`
    update zone set serial = given.serial
    from unnest(${keys.accounts}::text[], ${keys.ids}::text[], ${keys.ids.map((id) => last.get(id) ?? null)}::bigint[])
      as given (account_id, id, serial)
    where zone.account_id = given.account_id and zone.id = given.id and given.serial is not null`.execute(tx);
}

async function updateHistory(tx: Transaction<Tables>, numbered: readonly Numbered[]): Promise<void> {
  const rows = numbered.flatMap(({ account_id, id, serials }) =>
    [...serials].map(([zone_id, serial]) => ({ account_id, zone_id, change_id: id, serial })),
  );
  await sql`
    update zone_history set serial = given.serial
    from unnest(${rows.map((row) => row.account_id)}::text[], ${rows.map((row) => row.zone_id)}::text[],
      ${rows.map((row) => row.change_id)}::text[], ${rows.map((row) => row.serial)}::bigint[])
      as given (account_id, zone_id, change_id, serial)
    where zone_history.account_id = given.account_id and zone_history.zone_id = given.zone_id
      and zone_history.change_id = given.change_id`.execute(tx);
}

async function updateRevision(tx: Transaction<Tables>, revision: number): Promise<void> {
  await tx.updateTable("sequencer").set({ revision }).where("subject", "=", configuration).execute();
}
