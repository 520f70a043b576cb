/** SQL that measures what accounts keep of the past. */
import type { Tables } from "../storage/tables/index.ts";
import { type Db, rowsOf, statement } from "./kit/store.ts";
import { recordOctets } from "./write/quota/store.ts";

/** A table of rows with a time, and the octets of a row: those of its large columns as they are stored, and some for the rest. */
interface KeptTable {
  readonly table: keyof Tables;
  readonly time: string;
  readonly octets: string;
  /** The condition of the rows that count; all if left out. */
  readonly only?: string;
}

export const keptTables = {
  versions: { table: "zone_history", time: "at", octets: "pg_column_size(removed) + pg_column_size(added) + 300" },
  activity: {
    table: "activity",
    time: "timestamp",
    octets: "coalesce(pg_column_size(resource), 0) + coalesce(pg_column_size(before), 0) + 500",
  },
  zones: {
    table: "deleted_zone",
    time: "deleted_at",
    octets: `pg_column_size(fields) + 1000 + coalesce((
      select sum(${recordOctets} + 400) from record
      where record.account_id = deleted_zone.account_id and record.zone_id = deleted_zone.id), 0)`,
    // those that cannot be brought back are removed soon
    only: "kept_until > 0",
  },
  replies: { table: "idempotency", time: "created", octets: "pg_column_size(body) + pg_column_size(headers) + 300" },
} as const satisfies Record<string, KeptTable>;

export type Kept = keyof typeof keptTables;

/** The octets of an account's rows from one time on, up to another one and from it on. */
export async function octetsSince(db: Db, kept: Kept, account_id: string, since: number, split: number) {
  const { table, time, octets, only = "true" }: KeptTable = keptTables[kept];
  const text = `
    select coalesce(sum(${octets}) filter (where ${time} < $3), 0)::float8 as settled,
      coalesce(sum(${octets}) filter (where ${time} >= $3), 0)::float8 as recent
    from ${table} where account_id = $1 and ${time} >= $2 and ${only}`;
  const rows = await rowsOf(db, statement<{ settled: number; recent: number }>(text, [account_id, since, split]));
  return rows[0]!;
}

/** Rows that one statement counts. */
const sliceRows = 20_000;

interface Counted {
  /** The octets of the rows that were counted. */
  readonly octets: number;
  /** The time up to which rows do not fit; undefined if all fit. */
  readonly cut: number | undefined;
}

/** Counts the rows of an account before a time, from the newest on, as long as they fit into so many octets. */
export async function countNewest(
  db: Db,
  kept: Kept,
  account_id: string,
  { before, most }: { readonly before: number; readonly most: number },
): Promise<Counted> {
  const { table, time, octets, only = "true" }: KeptTable = keptTables[kept];
  // rows of the same second are in the same slice
  const text = `
    with slice as materialized (
      select ${time} as at, ${octets} as octets from ${table} where account_id = $1 and ${time} < $2 and ${only}
      order by ${time} desc fetch first ${sliceRows} rows with ties),
    summed as (select at, sum(octets) over (order by at desc) as octets from slice)
    select count(*) as rows, coalesce(max(octets), 0)::float8 as octets, min(at) as oldest,
      max(at) filter (where octets > $3::float8) as cut
    from summed`;
  interface Slice {
    readonly rows: number;
    readonly octets: number;
    readonly oldest: number | null;
    readonly cut: number | null;
  }
  for (let [sum, end] = [0, before]; ; ) {
    const [slice] = await rowsOf(db, statement<Slice>(text, [account_id, end, most - sum]));
    sum += slice!.octets;
    if (slice!.cut !== null) return { octets: sum, cut: slice!.cut };
    if (slice!.oldest === null || slice!.rows < sliceRows) return { octets: sum, cut: undefined };
    end = slice!.oldest;
  }
}
