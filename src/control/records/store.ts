/** SQL of records. */
import type { Selectable } from "kysely";
import type { RecordTable } from "../../storage/tables.ts";
import { type Db, insertText, rowsOf, type Statement, statement } from "../store.ts";
import { defaultView } from "../zones/store.ts";

export type RecordRow = Selectable<RecordTable>;

/** What a record takes from its zone. */
export interface RecordZone {
  readonly id: string;
  readonly zone: string;
  readonly nx_ttl: number;
  readonly networks: readonly number[];
}

/** A zone with records in it. */
export interface RecordsInZone {
  readonly zone: RecordZone;
  readonly records: readonly RecordRow[];
}

/**
 * Locks names of a zone against other writers of the same names until the transaction ends, and reads the records there;
 * undefined without the zone. Writers of other names go on, and the zone cannot be deleted meanwhile. Names are locked in
 * order, so that two bulk writes cannot block each other.
 */
export async function lockNames(
  db: Db,
  account_id: string,
  zone: string,
  domains: readonly string[],
): Promise<RecordsInZone | undefined> {
  const one = domains.length === 1;
  const parameters = [account_id, zone, defaultView, one ? domains[0] : [...domains].sort()];
  // sent together: the second sees what was committed while the first waited
  const [, rows] = await Promise.all([
    rowsOf(db, statement(one ? lockOne : lockMany, parameters)),
    rowsOf(db, statement<ZoneWithRecord>(one ? atOne : atMany, parameters)),
  ]);
  return gather(rows);
}

/** One record with its zone: no zone, a zone alone, or both. */
export async function findRecord(
  db: Db,
  account_id: string,
  zone: string,
  domain: string,
  type: string,
): Promise<RecordsInZone | undefined> {
  return gather(await rowsOf(db, statement<ZoneWithRecord>(ofType, [account_id, zone, defaultView, domain, type])));
}

const named = "where zone.account_id = $1 and zone.zone = $2 and zone.view = $3";

// DO UPDATE locks a row that is there already, and its false condition leaves it as it is
const lock = (domain: string, from: string) => `
  insert into owner (account_id, zone_id, domain)
  select zone.account_id, zone.id, ${domain} from ${from} ${named} for key share of zone
  on conflict (account_id, zone_id, domain) do update set domain = excluded.domain where false`;
const lockOne = lock("$4::text", "zone");
const lockMany = lock("name.domain", "zone, unnest($4::text[]) as name (domain)");

const inZone = (records: string) => `
  select zone.id, zone.zone, zone.nx_ttl, zone.networks, to_json(record) as record
  from zone left join record
    on record.account_id = zone.account_id and record.zone_id = zone.id and ${records} ${named}`;
const atOne = inZone("record.domain = $4");
const atMany = inZone("record.domain = any($4::text[])");
const ofType = inZone("record.domain = $4 and record.type = $5");

type ZoneWithRecord = RecordZone & { readonly record: RecordRow | null };

function gather(rows: readonly ZoneWithRecord[]): RecordsInZone | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const { id, zone, nx_ttl, networks } = first;
  return { zone: { id, zone, nx_ttl, networks }, records: rows.flatMap(({ record }) => record ?? []) };
}

export interface RecordCursor {
  readonly domain: string;
  readonly type: string;
}

/** Stands before every record. */
export const beforeAll: RecordCursor = { domain: "", type: "" };

/** A page of a zone's records, by name and type. */
export async function listRecords(
  db: Db,
  account_id: string,
  zone_id: string,
  after: RecordCursor,
  limit: number,
): Promise<RecordRow[]> {
  const parameters = [account_id, zone_id, after.domain, after.type, limit];
  const rows = await rowsOf(db, statement<{ record: RecordRow }>(page("to_json(record) as record"), parameters));
  return rows.map(({ record }) => record);
}

/** What a line of a listing needs. */
export type ListedRecord = Pick<RecordRow, "domain" | "type" | "id" | "ttl" | "tier" | "link" | "answers">;

export const listSummaries = (
  db: Db,
  account_id: string,
  zone_id: string,
  after: RecordCursor,
  limit: number,
): Promise<readonly ListedRecord[]> =>
  rowsOf(
    db,
    statement(page("domain, type, id, ttl, tier, link, answers"), [
      account_id,
      zone_id,
      after.domain,
      after.type,
      limit,
    ]),
  );

const page = (what: string) => `
  select ${what} from record
  where account_id = $1 and zone_id = $2 and (domain, type) > ($3, $4)
  order by domain, type limit $5`;

export async function countRecords(db: Db, account_id: string, zone_id: string): Promise<number> {
  const { count } = await db
    .selectFrom("record")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", account_id)
    .where("zone_id", "=", zone_id)
    .executeTakeFirstOrThrow();
  return count;
}

/** The columns that name a record. */
const key = ["account_id", "zone_id", "domain", "type"] as const;
const fixed = ["id", "created_at"] as const;
const documents = ["answers", "filters", "regions", "meta", "feeds", "tags", "local_tags", "blocked_tags"] as const;
const plain = [
  "ttl",
  "tier",
  "link",
  "use_client_subnet",
  "override_ttl",
  "override_address_records",
  "updated_at",
] as const;
const changing = [...plain, ...documents];
const columns = [...key, ...fixed, ...changing];

const keyOf = (row: RecordRow) => key.map((column) => row[column]);
const changesOf = (row: RecordRow) => [
  ...plain.map((column) => row[column]),
  ...documents.map((column) => JSON.stringify(row[column])),
];

const insertRecordText = insertText("record", columns);
const atKey = `where ${key.map((column, i) => `${column} = $${i + 1}`).join(" and ")}`;
const assignments = changing.map((column, i) => `${column} = $${key.length + i + 1}`).join(", ");

export const insertRecord = (row: RecordRow): Statement =>
  statement(insertRecordText, [...keyOf(row), row.id, row.created_at, ...changesOf(row)]);

export const updateRecord = (row: RecordRow): Statement =>
  statement(`update record set ${assignments} ${atKey}`, [...keyOf(row), ...changesOf(row)]);

export const deleteRecord = (row: RecordRow): Statement => statement(`delete from record ${atKey}`, keyOf(row));

const insertRecordsText = `
  insert into record (${columns.join(", ")})
  select ${columns.join(", ")} from json_to_recordset($1::json) as given (
    account_id text, zone_id text, domain text, type text, id text, created_at bigint, updated_at bigint, ttl bigint,
    tier integer, link text, use_client_subnet boolean, override_ttl boolean, override_address_records boolean,
    ${documents.map((column) => `${column} json`).join(", ")})`;

export const insertRecords = (rows: readonly RecordRow[]): Statement =>
  statement(insertRecordsText, [JSON.stringify(rows)]);

export const deleteRecords = (account_id: string, zone_id: string, rows: readonly RecordCursor[]): Statement =>
  statement(deleteRecordsText, [account_id, zone_id, rows.map((row) => row.domain), rows.map((row) => row.type)]);

const deleteRecordsText = `
  delete from record using unnest($3::text[], $4::text[]) as gone (domain, type)
  where record.account_id = $1 and record.zone_id = $2 and record.domain = gone.domain and record.type = gone.type`;
