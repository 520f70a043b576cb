/** SQL of records. */

import { plannedEachTime } from "../../../../storage/connection/connection.ts";
import type { RecordRow } from "../../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import { mostOctets, type Part, sizeOf } from "../../../kit/parts.ts";
import { inserted, type RowKind } from "../../../kit/rows.ts";
import { type Db, rowsOf, statement } from "../../../kit/store.ts";
import { gather, type RecordsInZone, type ZoneWithRecord } from "../../../write/lock-store.ts";
import { defaultView } from "../../../write/zone-lock.ts";

/** A record and its zone: the zone alone if it has no such record, undefined if there is no such zone. */
export async function findRecord(
  db: Db,
  account_id: string,
  zone: string,
  domain: string,
  type: string,
): Promise<RecordsInZone | undefined> {
  return gather(await rowsOf(db, statement<ZoneWithRecord>(ofType, [account_id, zone, defaultView, domain, type])));
}

const ofType = `
  select zone.id, zone.zone, zone.nx_ttl, zone.networks, zone.tags, zone.link, to_json(record) as record
  from zone left join record
    on record.account_id = zone.account_id and record.zone_id = zone.id and record.domain = $4 and record.type = $5
  where zone.account_id = $1 and zone.zone = $2 and zone.view = $3`;

/** All records at these names of a zone. */
export async function recordsAt(
  db: Db,
  { account_id, id }: Pick<ZoneRow, "account_id" | "id">,
  names: readonly string[],
): Promise<RecordRow[]> {
  const rows = await rowsOf(db, statement<{ record: RecordRow }>(atNames, [account_id, id, names]));
  return rows.map(({ record }) => record);
}

const atNames = `
  select to_json(record) as record from record
  where account_id = $1 and zone_id = $2 and domain = any($3::text[])`;

/** A record named without its zone, which follows from the domain. */
export interface RecordName {
  readonly domain: string;
  readonly type: string;
}

/** The record after which a page begins. */
export type RecordCursor = RecordName;

/** A position before every record. */
export const beforeFirst: RecordCursor = { domain: "", type: "" };

type Owner = Pick<ZoneRow, "account_id" | "id">;

/** At most `limit` records of a zone after a position, within the octets of one statement. */
export async function listPart(db: Db, zone: Owner, after: RecordCursor, limit: number): Promise<Part<RecordRow>> {
  const part = await partOf<{ record: RecordRow }>(db, zone, after, limit, wholeRecords);
  return { ...part, items: part.items.map(({ record }) => record) };
}

/** Like `listPart`, with the fields that a listing shows. */
export const listSummaries = (db: Db, zone: Owner, after: RecordCursor, limit: number): Promise<Part<ListedRecord>> =>
  partOf(db, zone, after, limit, summaries);

async function partOf<Row>(
  db: Db,
  { account_id, id }: Owner,
  after: RecordCursor,
  limit: number,
  text: string,
): Promise<Part<Row>> {
  const parameters = [account_id, id, after.domain, after.type, limit];
  const items = await rowsOf(db, statement<Row & { octets: number }>(text, parameters));
  return { items, isLast: items.length < limit && (items.at(-1)?.octets ?? 0) < mostOctets };
}

/** A page of a zone's records, ordered by name and type; fewer than `limit` only at the end. */
export async function listRecords(
  db: Db,
  account_id: string,
  zone_id: string,
  after: RecordCursor,
  limit: number,
): Promise<RecordRow[]> {
  const found: RecordRow[] = [];
  for (;;) {
    const { items, isLast } = await listPart(
      db,
      { account_id, id: zone_id },
      found.at(-1) ?? after,
      limit - found.length,
    );
    found.push(...items);
    if (isLast || found.length === limit) return found;
  }
}

/** All records of a zone in pages of `limit`, ordered by name and type; the last page is smaller, and may be empty. */
export async function* pagesOf(db: Db, { account_id, id }: ZoneRow, limit: number): AsyncGenerator<RecordRow[]> {
  for (let after: RecordCursor | undefined = beforeFirst; after; ) {
    const rows = await listRecords(db, account_id, id, after, limit);
    yield rows;
    after = rows.length < limit ? undefined : rows.at(-1);
  }
}

/** The fields that a line of a listing needs. */
export type ListedRecord = Pick<
  RecordRow,
  "domain" | "type" | "id" | "ttl" | "tier" | "link" | "override_ttl" | "answers"
>;

export const listedColumns = "domain, type, id, ttl, tier, link, override_ttl, answers";

/** Each row has the octets of the page up to it. The first one is always read, however large it is. */
const page = (what: string, columns: string, sized: readonly string[]) => `
  select ${what}, summed.octets from (
    select *, sum(own_octets) over (order by domain, type rows unbounded preceding) as octets from (
      select ${columns}, ${sized.map(sizeOf).join(" + ")} as own_octets from record
      where account_id = $1 and zone_id = $2 and (domain, type) > ($3, $4)
      order by domain, type limit $5) as part) as summed
  cross join lateral (select ${columns}) as record
  where summed.octets - own_octets < ${mostOctets} order by summed.domain, summed.type`;

const summaries = page("record.*", listedColumns, ["answers"]);

export async function countRecords(db: Db, account_id: string, zone_id: string): Promise<number> {
  const { count } = await db
    .selectFrom("record")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", account_id)
    .where("zone_id", "=", zone_id)
    .executeTakeFirstOrThrow();
  return count;
}

/** The number of a zone's records, at most `limit`: counting a large zone takes long. */
export async function countSomeRecords(db: Db, account_id: string, zone_id: string, limit: number): Promise<number> {
  const rows = await rowsOf(db, statement<{ count: number }>(someOf, [account_id, zone_id, limit]));
  return rows[0]!.count;
}
const someOf = `
  select count(*) as count from (
    select from record where account_id = $1 and zone_id = $2 limit $3) as counted`;

const key = { account_id: "text", zone_id: "text", domain: "text", type: "text" };
/** The id too: a restored record has its old id again, even if it replaces a record that was created in its place. */
const changing = {
  ...{ id: "text", created_at: "bigint" },
  ...{ ttl: "bigint", tier: "integer", link: "text", use_client_subnet: "boolean", override_ttl: "boolean" },
  ...{ override_address_records: "boolean", updated_at: "bigint", answers: "json", filters: "json", regions: "json" },
  ...{ all_down: "json", live_guard: "double precision" },
  ...{ meta: "json", feeds: "json", tags: "json", local_tags: "json", blocked_tags: "json" },
};
const wholeRecords = page("to_json(record) as record", Object.keys({ ...key, ...changing }).join(", "), [
  ...["answers", "meta", "regions", "filters", "tags", "local_tags", "blocked_tags"],
]);

const assignments = Object.keys(changing).map((column) => `${column} = excluded.${column}`);

/** Records that are new, or that replace the record of the same name and type. */
export const recordsPut: RowKind<RecordRow> = inserted(
  "record",
  { ...key, ...changing },
  `on conflict (${Object.keys(key).join(", ")}) do update set ${assignments.join(", ")}`,
);

export const recordsRemoved: RowKind<RecordRow> = {
  write: (rows) =>
    statement(removal, [
      rows.map((row) => row.account_id),
      rows.map((row) => row.zone_id),
      rows.map((row) => row.domain),
      rows.map((row) => row.type),
    ]),
};
/** Also removes the `owner` rows of names that have no other records. */
const removal = `${plannedEachTime}
  with removed as (
    delete from record using unnest($1::text[], $2::text[], $3::text[], $4::text[]) as gone (account_id, zone_id, domain, type)
    where record.account_id = gone.account_id and record.zone_id = gone.zone_id and record.domain = gone.domain
      and record.type = gone.type
    returning record.account_id, record.zone_id, record.domain),
  name as (select account_id, zone_id, domain, count(*) as records from removed group by account_id, zone_id, domain)
  delete from owner using name
  where owner.account_id = name.account_id and owner.zone_id = name.zone_id and owner.domain = name.domain
    and name.records = (
      select count(*) from record
      where record.account_id = name.account_id and record.zone_id = name.zone_id and record.domain = name.domain)`;

/** Stores a part of a zone's contents under the id of the load that a change will refer to. */
export async function insertPart(
  db: Db,
  row: { readonly load_id: string; readonly part: number; readonly body: Uint8Array },
): Promise<void> {
  await db
    .insertInto("change_part")
    .values({ ...row, body: Buffer.from(row.body) })
    .execute();
}
