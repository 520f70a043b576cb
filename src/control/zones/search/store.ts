/** SQL of the search: slices of an account's zones and records in the order of their keys, and the matches in each slice. */
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { type Db, rowsOf, type Statement, statement } from "../../kit/store.ts";

export interface Scope {
  readonly account_id: string;
  /** Limits the search to this zone. */
  readonly zone_id?: string | undefined;
}

export interface RecordKey {
  readonly zone_id: string;
  readonly domain: string;
  readonly type: string;
}

/** The matches of a slice, and where the next slice begins; undefined after the last slice. */
export interface Slice<Found, Position> {
  readonly found: readonly Found[];
  readonly next: Position | undefined;
}

/** Rows in a slice, which is read by one statement. */
export const mostRows = 20_000;
/** Octets of answers in a slice, of which only the stored size is known. */
const mostOctets = 8 * 1024 * 1024;
const inflation = "case when pg_column_compression(answers) is null then 1 else 10 end";
/** Matches in a slice: names alone, or with their answers. */
const mostNames = 500;
const mostAnswers = 100;

type Ended<Row> = Row & { readonly found: boolean };

/** Splits the rows of a slice into its matches and its end. The next slice begins earlier when there are too many matches. */
function sliceOf<Row>(rows: readonly Ended<Row>[], most: number): Slice<Row, Row> {
  const found = rows.filter((row) => row.found);
  return { found, next: found.length === most ? found.at(-1) : rows.find((row) => !row.found) };
}

/** Zones whose names match a LIKE pattern, after the name `after`. */
export async function searchZones(
  db: Db,
  { account_id, zone_id }: Scope,
  like: string,
  after: string,
): Promise<Slice<Pick<ZoneRow, "zone">, Pick<ZoneRow, "zone">>> {
  const parameters = [account_id, after, mostRows, like, mostNames];
  const query: Statement<Ended<Pick<ZoneRow, "zone">>> =
    zone_id === undefined
      ? statement(zonesOf(""), parameters)
      : statement(zonesOf("and id = $6"), [...parameters, zone_id]);
  return sliceOf(await rowsOf(db, query), mostNames);
}

const zonesOf = (inScope: string) => `
  with slice as materialized (
    select zone from zone where account_id = $1 ${inScope} and zone > $2 order by zone limit $3)
  (select zone, true as found from slice where zone like $4 order by zone limit $5)
  union all
  (select zone, false as found from slice order by zone desc limit 1)`;

/** Zones with these names or ids. */
export const findZones = (
  db: Db,
  account_id: string,
  { names, ids }: { readonly names: readonly string[]; readonly ids: readonly string[] },
): Promise<readonly ZoneRow[]> =>
  Promise.all([
    rowsOf(db, statement<{ row: ZoneRow }>(zonesWith("zone"), [account_id, names])),
    rowsOf(db, statement<{ row: ZoneRow }>(zonesWith("id"), [account_id, ids])),
  ]).then((found) => found.flat().map(({ row }) => row));

const zonesWith = (column: string) => `
  select to_json(whole) as row from zone as whole where account_id = $1 and ${column} = any($2::text[])`;

export const findZoneNames = (
  db: Db,
  account_id: string,
  ids: readonly string[],
): Promise<readonly Pick<ZoneRow, "id" | "zone">[]> =>
  rowsOf(db, statement("select id, zone from zone where account_id = $1 and id = any($2::text[])", [account_id, ids]));

export interface FoundRecord extends RecordKey {
  /** The RDATA of its answers; null in a search for names. */
  readonly answers: readonly (readonly (string | number)[])[] | null;
}

export interface RecordPattern {
  readonly in: "domain" | "answers";
  /** For LIKE; with `answers` for their JSON text. */
  readonly like: string;
  /** Only records that are steered by place. */
  readonly byPlace: boolean;
}

/** Records that match, after the key `after`. Rows of zones that do not exist are among them. */
export async function searchRecords(
  db: Db,
  { account_id, zone_id }: Scope,
  { in: where, like, byPlace }: RecordPattern,
  after: RecordKey,
): Promise<Slice<FoundRecord, RecordKey>> {
  const most = where === "answers" ? mostAnswers : mostNames;
  const parameters = [account_id, after.zone_id, after.domain, after.type, mostRows, like, most];
  const inScope = zone_id === undefined ? "" : "and zone_id = $8";
  const text = where === "answers" ? answersOf(inScope, byPlace) : namesOf(inScope, byPlace);
  const query = statement<Ended<FoundRecord>>(text, zone_id === undefined ? parameters : [...parameters, zone_id]);
  return sliceOf(await rowsOf(db, query), most);
}

const key = "zone_id, domain, type";
const isByPlace = `
  and exists (
    select from json_array_elements(filters) as step where step->>'filter' ~ '^geo(target|fence)_')`;

/** The keys come from the primary key alone, unless filters are read. */
const namesOf = (inScope: string, byPlace: boolean) =>
  matchesIn(
    `select ${key} ${byPlace ? ", filters" : ""} from record ${placed(inScope)}`,
    "null::json",
    `domain like $6 ${byPlace ? isByPlace : ""}`,
  );

const answersOf = (inScope: string, byPlace: boolean) =>
  matchesIn(
    `select * from (
       select *, sum(octets) over (order by ${key} rows unbounded preceding) - octets as before
       from (
         select ${key}, answers, filters, pg_column_size(answers) * ${inflation} as octets
         from record ${placed(inScope)}) as sized
     ) as summed where before < ${mostOctets}`,
    "(select json_agg(one->'answer') from json_array_elements(answers) as one)",
    `lower(answers::text) like $6 ${byPlace ? isByPlace : ""}`,
  );

const placed = (inScope: string) =>
  `where account_id = $1 ${inScope} and (${key}) > ($2, $3, $4) order by ${key} limit $5`;

const matchesIn = (slice: string, answers: string, isFound: string) => `
  with slice as materialized (${slice})
  (select ${key}, true as found, ${answers} as answers from slice where ${isFound} order by ${key} limit $7)
  union all
  (select ${key}, false as found, null as answers from slice order by zone_id desc, domain desc, type desc limit 1)`;

/** The records with these keys, in any order. */
export async function findRecords(db: Db, account_id: string, keys: readonly RecordKey[]): Promise<RecordRow[]> {
  const columns = [keys.map((one) => one.zone_id), keys.map((one) => one.domain), keys.map((one) => one.type)];
  const rows = await rowsOf(db, statement<{ record: RecordRow }>(withKeys, [account_id, ...columns]));
  return rows.map(({ record }) => record);
}

const withKeys = `
  select to_json(record) as record
  from unnest($2::text[], $3::text[], $4::text[]) as given (zone_id, domain, type)
  join record on record.account_id = $1 and record.zone_id = given.zone_id and record.domain = given.domain
    and record.type = given.type`;
