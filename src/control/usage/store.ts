/** SQL of usage: the queries that edges reported, added up over time, and the numbers of zones, records and feeds. */
import { sql } from "kysely";
import { across } from "../../storage/fence/exceptions.ts";
import type { Db } from "../kit/store.ts";
import { defaultView } from "../write/zone-lock.ts";

/** The scope of a query: an account, one of its zones, or one record. */
export interface Scope {
  readonly account_id: string;
  readonly zone?: string | undefined;
  readonly domain?: string | undefined;
  readonly type?: string | undefined;
}

export interface Span {
  /** The seconds that each row covers. */
  readonly span: 60 | 3600 | 86400;
  /** The start of the first row, in Unix seconds; a multiple of `step`. */
  readonly since: number;
  /** The seconds of each step of the result. */
  readonly step: number;
}

export interface CountedRow {
  /** Empty when rows are not separated by zone. */
  readonly zone: string;
  readonly domain: string;
  readonly type: string;
  /** The record's tier; 1 without a record. */
  readonly tier: number;
  readonly at: number;
  readonly queries: number;
}

/** The level at which rows are separated. */
export type Detail = "account" | "zone" | "record";

export async function readUsage(db: Db, scope: Scope, { span, since, step }: Span, detail: Detail) {
  const named = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));
  const none = sql`''`;
  const zone = detail === "account" ? none : named(["usage.zone"]);
  const [domain, type, tier] =
    detail === "record"
      ? [named(["usage.domain"]), named(["usage.type"]), sql`coalesce(record.tier, 1)`]
      : [none, none, sql`1`];
  const records = sql`
    left join zone on zone.account_id = usage.account_id and zone.zone = usage.zone and zone.view = ${defaultView}
    left join record on record.account_id = zone.account_id and record.zone_id = zone.id
      and record.domain = usage.domain and record.type = usage.type`;
  const only = (column: string, value: string | undefined) =>
    value === undefined ? sql`` : sql`and ${sql.ref(column)} = ${value}`;
  const { rows } = await sql<CountedRow>`
    select ${zone} as zone, ${domain} as domain, ${type} as type, ${tier} as tier,
      usage.at - usage.at % ${step}::bigint as at, sum(usage.queries)::bigint as queries
    from usage ${detail === "record" ? records : sql``}
    where usage.account_id = ${scope.account_id} and usage.span = ${span} and usage.at >= ${since}
      ${only("usage.zone", scope.zone)} ${only("usage.domain", scope.domain)} ${only("usage.type", scope.type)}
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5`.execute(db);
  return rows;
}

export interface MixedRow {
  readonly zone: string;
  readonly type: string;
  readonly rcode: string;
  readonly transport: string;
  readonly at: number;
  readonly queries: number;
}

/** Answered queries by zone, type, RCODE and transport. */
export async function readMix(db: Db, { account_id, zone }: Scope, { span, since, step }: Span) {
  const { rows } = await sql<MixedRow>`
    select zone, type, rcode, transport, at - at % ${step}::bigint as at, sum(queries)::bigint as queries
    from usage_mix
    where account_id = ${account_id} and span = ${span} and at >= ${since}
      ${zone === undefined ? sql`` : sql`and zone = ${zone}`}
    group by 1, 2, 3, 4, 5`.execute(db);
  return rows;
}

/** The names that do not exist with the most queries since a time, and these queries. */
export async function readMissing(db: Db, account_id: string, zone: string, since: number, limit: number) {
  const { rows } = await sql<{ readonly domain: string; readonly queries: number }>`
    select domain, sum(queries)::bigint as queries from usage_missing
    where account_id = ${account_id} and zone = ${zone} and at >= ${since}
    group by domain order by queries desc, domain limit ${limit}`.execute(db);
  return rows;
}

/** Counts records by zone, including zones without records. */
export async function countZones(db: Db, account_id: string, zone?: string) {
  return await db
    .selectFrom("zone")
    .leftJoin("record", (join) =>
      join.onRef("record.account_id", "=", "zone.account_id").onRef("record.zone_id", "=", "zone.id"),
    )
    .select(["zone.zone", (eb) => eb.fn.count<number>("record.id").as("records")])
    .where("zone.account_id", "=", account_id)
    .$if(zone !== undefined, (query) => query.where("zone.zone", "=", zone ?? ""))
    .groupBy("zone.zone")
    .execute();
}

export async function recordKeys(db: Db, account_id: string, zone: string) {
  return await db
    .selectFrom("record")
    .innerJoin("zone", (join) =>
      join.onRef("zone.account_id", "=", "record.account_id").onRef("zone.id", "=", "record.zone_id"),
    )
    .select(["record.domain", "record.type"])
    .where("zone.account_id", "=", account_id)
    .where("zone.zone", "=", zone)
    .execute();
}

export async function countFeeds(db: Db, account_id: string): Promise<number> {
  const feeds = db.selectFrom("feed").where("account_id", "=", account_id);
  return (await feeds.select((eb) => eb.fn.countAll<number>().as("feeds")).executeTakeFirstOrThrow()).feeds;
}

const day = 86_400;
/** Pairs of a span and the seconds after which rows with this span are removed. */
const lifetimes = [
  [60, 2 * 3600],
  [3600, 35 * day],
  [day, 100 * day],
] as const;
/** Seconds for which missing names are kept, and the number of them that is kept of each zone and hour. */
const missingKept = 35 * day;
const mostMissing = 100;
/** Seconds for which watched queries are kept when nobody watches any more. */
const tailKept = 60;
/** Seconds for which reporters are kept: longer than reports may wait in an edge. */
const reportersKept = 2 * day;

/** Removes usage older than all periods, and the reporters (one for each start of an edge) that no longer report. */
export async function trimUsage(db: Db, now: number): Promise<void> {
  for (const [span, lifetime] of lifetimes) {
    for (const table of ["usage", "usage_mix"] as const) {
      const old = db
        .deleteFrom(table)
        .where("span", "=", span)
        .where("at", "<", now - lifetime);
      await old.modifyEnd(across("age")).execute();
    }
  }
  const old = db.deleteFrom("usage_missing").where("at", "<", now - missingKept);
  await old.modifyEnd(across("age")).execute();
  // names that strangers make up would fill the table
  await sql`
    delete from usage_missing using (
      select account_id, zone, at, domain,
        row_number() over (partition by account_id, zone, at order by queries desc, domain) as place
      from usage_missing where at >= ${now - 2 * 3600}) as ranked
    where ranked.place > ${mostMissing} and usage_missing.account_id = ranked.account_id
      and usage_missing.zone = ranked.zone and usage_missing.at = ranked.at and usage_missing.domain = ranked.domain
    ${across("age")}`.execute(db);
  await db
    .deleteFrom("tail_query")
    .where("at", "<", (now - tailKept) * 1000)
    .modifyEnd(across("age"))
    .execute();
  await db.deleteFrom("tail_watch").where("until", "<", now).modifyEnd(across("age")).execute();
  await db
    .deleteFrom("usage_reporter")
    .where("seen_at", "<", now - reportersKept)
    .execute();
}
