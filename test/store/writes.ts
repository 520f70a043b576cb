/** Writes as the control plane makes them, for tests and benchmarks of the store: same locks, same statements, same order. */
import { type Insertable, sql, type Transaction } from "kysely";
import { newId } from "../../src/lib/ids.ts";
import { sendLast } from "../../src/storage/connection/transaction.ts";
import type { Store } from "../../src/storage/db.ts";
import { insertChanges, type NewChange, newChange } from "../../src/storage/outbox/changes.ts";
import type { Tables } from "../../src/storage/tables/index.ts";
import type { RecordTable } from "../../src/storage/tables/records.ts";
import type { ZoneTable } from "../../src/storage/tables/zones.ts";
import type { Change, RecordState, ZoneState } from "../../src/sync/change.ts";
import { recordState, zoneState } from "../../src/sync/state.ts";

export const now = () => Math.floor(Date.now() / 1000);

export async function insertAccount(store: Store): Promise<string> {
  const id = newId();
  await store.db.insertInto("account").values({ id, name: "test", dnssec: false, created: now() }).execute();
  return id;
}

/** Inserts one change, as the last statement of the transaction. */
export async function insertChange(tx: Transaction<Tables>, change: Omit<NewChange, "id">): Promise<NewChange> {
  const made = newChange(change);
  await insertChanges(tx, [made]);
  return made;
}

export interface ZoneKey {
  readonly account_id: string;
  readonly id: string;
  readonly zone: string;
}

export async function insertZone(store: Store, account_id: string, zone: string): Promise<ZoneKey> {
  const id = newId();
  await store.transaction(async (tx) => {
    const row = zoneRow(account_id, id, zone);
    await tx.insertInto("zone").values(row).execute();
    await insertChange(tx, {
      account_id,
      zone_ids: [id],
      changes: [{ kind: "zone", zone: zoneOf(row) }],
      history: [],
      now: now(),
    });
  });
  return { account_id, id, zone };
}

/** Changes the zone's own fields: the zone's row is locked FOR UPDATE. */
export async function updateZone(store: Store, { account_id, id }: ZoneKey, ttl: number): Promise<string> {
  return await store.transaction(async (tx) => {
    const locked = tx.selectFrom("zone").selectAll().where("account_id", "=", account_id).where("id", "=", id);
    const row = await locked.forUpdate().executeTakeFirstOrThrow();
    await tx.updateTable("zone").set({ ttl }).where("account_id", "=", account_id).where("id", "=", id).execute();
    const change: Change = { kind: "zone", zone: zoneState({ ...row, ttl }) };
    return (await insertChange(tx, { account_id, zone_ids: [id], changes: [change], history: [], now: now() })).id;
  });
}

export interface Put {
  readonly label: string;
  readonly address: string;
  /** Called before the change is inserted: may throw, so that the transaction is rolled back. */
  readonly interrupt?: () => void | Promise<void>;
  readonly resource?: string;
}

/** Creates or replaces an A record; returns the id of the change. */
export async function putRecord(store: Store, zone: ZoneKey, put: Put): Promise<string> {
  return await store.transaction(async (tx) => {
    const row = recordRow(zone, put);
    await lock(tx, zone, row.domain);
    const before = await tx
      .insertInto("record")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(["account_id", "zone_id", "domain", "type"])
          .doUpdateSet({ answers: row.answers, updated_at: row.updated_at }),
      )
      .returning(sql<string>`id`.as("id"))
      .executeTakeFirstOrThrow();
    await put.interrupt?.();
    const record = recordOf({ ...row, id: before.id });
    sendLast(tx, insertActivity(tx, zone.account_id, record));
    const change = await insertChange(tx, {
      account_id: zone.account_id,
      zone_ids: [zone.id],
      changes: [{ kind: "record", record }],
      history: [{ zone_id: zone.id, removed: [], added: [record] }],
      now: now(),
    });
    return change.id;
  });
}

/** Removes an A record; returns the id of the change, or undefined if there is no such record. */
export async function removeRecord(store: Store, zone: ZoneKey, label: string): Promise<string | undefined> {
  return await store.transaction(async (tx) => {
    const domain = `${label}.${zone.zone}`;
    await lock(tx, zone, domain);
    const { numDeletedRows } = await tx
      .deleteFrom("record")
      .where("account_id", "=", zone.account_id)
      .where("zone_id", "=", zone.id)
      .where("domain", "=", domain)
      .where("type", "=", "A")
      .executeTakeFirst();
    if (numDeletedRows === 0n) return undefined;
    const change = await insertChange(tx, {
      account_id: zone.account_id,
      zone_ids: [zone.id],
      changes: [{ kind: "record_removed", zone_id: zone.id, domain, type: "A" }],
      history: [{ zone_id: zone.id, removed: [{ domain, type: "A" }], added: [] }],
      now: now(),
    });
    return change.id;
  });
}

/** Keeps the zone from being deleted, but admits other writers; writers of one owner name take turns. */
async function lock(tx: Transaction<Tables>, { account_id, id }: ZoneKey, domain: string) {
  const zone = tx.selectFrom("zone").select("id").where("account_id", "=", account_id).where("id", "=", id);
  await Promise.all([
    zone.forKeyShare().executeTakeFirstOrThrow(),
    tx
      .insertInto("owner")
      .values({ account_id, zone_id: id, domain })
      .onConflict((conflict) => conflict.columns(["account_id", "zone_id", "domain"]).doUpdateSet({ domain }))
      .execute(),
  ]);
}

const insertActivity = (tx: Transaction<Tables>, account_id: string, record: RecordState) =>
  tx.insertInto("activity").values({
    account_id,
    id: newId(),
    timestamp: now(),
    resource_type: "record",
    resource_id: record.id,
    user_id: "test",
    user_name: "test",
    user_type: "apikey",
    action: "create",
    address: "127.0.0.1",
    resource: JSON.stringify(record),
  });

function zoneRow(account_id: string, id: string, zone: string): Insertable<ZoneTable> {
  return {
    ...{ account_id, id, zone, view: "", ttl: 3600, refresh: 43200, retry: 7200, expiry: 1209600, nx_ttl: 3600 },
    ...{ hostmaster: "hostmaster@example.com", primary_master: "dns1.example.com", serial: now() },
    ...{ networks: "[0]", dns_servers: "[]", network_pools: "[]", pool: null, link: null, dnssec: false },
    ...{ disabled: false, meta: "{}", primary: "{}", secondary: "null", tags: "{}", local_tags: "[]" },
    ...{ created_at: now(), updated_at: now() },
  };
}

const zoneOf = (row: Insertable<ZoneTable>): ZoneState =>
  zoneState({ ...row, networks: JSON.parse(row.networks), secondary: null } as unknown as ZoneState);

function recordRow(zone: ZoneKey, { label, address }: Put): Insertable<RecordTable> {
  const answers = JSON.stringify([{ id: newId(), answer: [address] }]);
  return {
    ...{ account_id: zone.account_id, zone_id: zone.id, domain: `${label}.${zone.zone}`, type: "A", id: newId() },
    ...{ ttl: 3600, tier: 1, link: null, use_client_subnet: true, override_ttl: false, answers },
    ...{ override_address_records: false, filters: "[]", regions: "{}", meta: "{}", feeds: "[]", tags: "{}" },
    ...{ local_tags: "[]", blocked_tags: "[]", created_at: now(), updated_at: now() },
    ...{ all_down: null, live_guard: null },
  };
}

const recordOf = (row: Insertable<RecordTable>): RecordState =>
  recordState({
    ...row,
    answers: JSON.parse(row.answers),
    meta: JSON.parse(row.meta),
    regions: JSON.parse(row.regions),
    filters: JSON.parse(row.filters),
  } as unknown as RecordState);
