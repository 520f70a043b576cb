/** SQL of records. */
import { type Selectable, sql } from "kysely";
import type { RecordTable } from "../../storage/tables.ts";
import type { Db } from "../store.ts";
import { defaultView } from "../zones/store.ts";

export type RecordRow = Selectable<RecordTable>;

/** What a record takes from its zone. */
export interface RecordZone {
  readonly id: string;
  readonly zone: string;
  readonly nx_ttl: number;
  readonly networks: readonly number[];
}

/** A zone with the records of one name in it. */
export interface NameInZone {
  readonly zone: RecordZone;
  readonly records: readonly RecordRow[];
}

/**
 * Holds names of a zone against other writers of the same names, until the transaction ends; writers of other names go
 * on, and the zone cannot be deleted meanwhile. Names are locked in order, so that two bulk writes cannot block each other.
 */
export async function lockNames(db: Db, account_id: string, zone: string, domains: readonly string[]): Promise<void> {
  // DO UPDATE locks a row that is there already, and its false condition leaves it as it is
  await sql`
    insert into owner (account_id, zone_id, domain)
    select zone.account_id, zone.id, name.domain
    from zone, unnest(${[...domains].sort()}::text[]) as name (domain)
    where zone.account_id = ${account_id} and zone.zone = ${zone} and zone.view = ${defaultView}
    for key share of zone
    on conflict (account_id, zone_id, domain) do update set domain = excluded.domain where false`.execute(db);
}

/** The zone and its records at some names; undefined without the zone. */
export async function findNames(
  db: Db,
  account_id: string,
  zone: string,
  domains: readonly string[],
): Promise<NameInZone | undefined> {
  const rows = await inZone(db, account_id, zone)
    .leftJoin("record", (join) =>
      join
        .onRef("record.account_id", "=", "zone.account_id")
        .onRef("record.zone_id", "=", "zone.id")
        .on(sql<boolean>`record.domain = any(${domains}::text[])`),
    )
    .selectAll("record")
    .execute();
  return gather(rows);
}

/** One record with its zone: no zone, a zone alone, or both. */
export async function findRecord(db: Db, account_id: string, zone: string, domain: string, type: string) {
  const found = await inZone(db, account_id, zone)
    .leftJoin("record", (join) =>
      join
        .onRef("record.account_id", "=", "zone.account_id")
        .onRef("record.zone_id", "=", "zone.id")
        .on("record.domain", "=", domain)
        .on("record.type", "=", type),
    )
    .selectAll("record")
    .execute();
  return gather(found);
}

const inZone = (db: Db, account_id: string, zone: string) =>
  db
    .selectFrom("zone")
    .select([
      "zone.id as in_zone_id",
      "zone.zone as in_zone",
      "zone.nx_ttl as in_nx_ttl",
      "zone.networks as in_networks",
    ])
    .where("zone.account_id", "=", account_id)
    .where("zone.zone", "=", zone)
    .where("zone.view", "=", defaultView);

type Joined = { [K in keyof RecordRow]: RecordRow[K] | null } & {
  in_zone_id: string;
  in_zone: string;
  in_nx_ttl: number;
  in_networks: readonly number[];
};

function gather(rows: readonly Joined[]): NameInZone | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const { in_zone_id: id, in_zone: zone, in_nx_ttl: nx_ttl, in_networks: networks } = first;
  return { zone: { id, zone, nx_ttl, networks }, records: rows.map(withoutZone).filter(isRecord) };
}

function withoutZone({ in_zone_id: _, in_zone: __, in_nx_ttl: ___, in_networks: ____, ...record }: Joined) {
  return record;
}

/** A left join fills the record's columns all together or not at all. */
const isRecord = (row: ReturnType<typeof withoutZone>): row is RecordRow => row.id !== null;

export interface RecordCursor {
  readonly domain: string;
  readonly type: string;
}

/** A page of a zone's records, by name and type. */
export const listRecords = (
  db: Db,
  account_id: string,
  zone_id: string,
  after: RecordCursor | undefined,
  limit: number,
): Promise<RecordRow[]> =>
  db
    .selectFrom("record")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("zone_id", "=", zone_id)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("domain", "type"), ">", tuple(after?.domain ?? "", after?.type ?? "")),
      ),
    )
    .orderBy("domain")
    .orderBy("type")
    .limit(limit)
    .execute();

export async function countRecords(db: Db, account_id: string, zone_id: string): Promise<number> {
  const { count } = await db
    .selectFrom("record")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", account_id)
    .where("zone_id", "=", zone_id)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertRecords(db: Db, rows: readonly RecordRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto("record")
    .values(rows.map((row) => ({ ...row, ...documents(row) })))
    .execute();
}

export async function updateRecord(db: Db, row: RecordRow): Promise<void> {
  const { account_id, zone_id, domain, type, id: _, created_at: __, ...changing } = row;
  await db
    .updateTable("record")
    .set({ ...changing, ...documents(row) })
    .where("account_id", "=", account_id)
    .where("zone_id", "=", zone_id)
    .where("domain", "=", domain)
    .where("type", "=", type)
    .execute();
}

export async function deleteRecord(db: Db, { account_id, zone_id, domain, type }: RecordRow): Promise<void> {
  await db
    .deleteFrom("record")
    .where("account_id", "=", account_id)
    .where("zone_id", "=", zone_id)
    .where("domain", "=", domain)
    .where("type", "=", type)
    .execute();
}

const documents = (row: RecordRow) => ({
  answers: JSON.stringify(row.answers),
  filters: JSON.stringify(row.filters),
  regions: JSON.stringify(row.regions),
  meta: JSON.stringify(row.meta),
  feeds: JSON.stringify(row.feeds),
  tags: JSON.stringify(row.tags),
  local_tags: JSON.stringify(row.local_tags),
  blocked_tags: JSON.stringify(row.blocked_tags),
});
