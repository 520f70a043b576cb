/** SQL of the whole installation: edges, control processes, the store itself and the accounts. */
import { sql } from "kysely";
import type { Page } from "../../http/route/route.ts";
import { type Standby, serverVersion, standbysText, synchronousNames } from "../../storage/facts.ts";
import { across, acrossAccounts } from "../../storage/fence/exceptions.ts";
import { storeNow } from "../../storage/lease.ts";
import { configuration } from "../../sync/change.ts";
import { live } from "../../sync/live.ts";
import type { AboutEdge, Comparison } from "../../sync/site.ts";
import { type Db, rowsOf, statement } from "../kit/store.ts";
import { awayAfter } from "./alive-store.ts";

export interface EdgeRow {
  readonly id: string;
  readonly revision: number;
  /** Revisions that it lacks. */
  readonly behind: number;
  readonly seen_at: number;
  /** Seconds since then, by the store's clock. */
  readonly age: number;
  readonly comparison: Comparison | null;
  readonly about: AboutEdge | null;
}

export const listEdges = (db: Db, { after = "", limit }: Page): Promise<readonly EdgeRow[]> =>
  rowsOf(db, statement<EdgeRow>(edgesText, [after, limit]));

const edgesText = `
  select id, follower.revision, greatest(0, head.revision - follower.revision) as behind, seen_at,
    greatest(0, extract(epoch from clock_timestamp())::bigint - seen_at) as age, comparison, about
  from follower, (select revision from sequencer where subject = '${configuration}') as head
  where id > $1 order by id limit $2`;

export interface ControlRow {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly started: number;
  readonly seen_at: number;
  /** The names of the leases that it holds. */
  readonly leases: readonly string[];
}

export const listControls = (db: Db, { after = "", limit }: Page): Promise<ControlRow[]> =>
  db
    .selectFrom("control_process")
    .selectAll()
    .select(
      sql<readonly string[]>`coalesce((
        select json_agg(name order by name) from lease
        where lease.holder = control_process.id and lease.expires_at > ${storeNow}), '[]')`.as("leases"),
    )
    .where("id", ">", after)
    .where("seen_at", ">=", sql<number>`${storeNow} / 1000 - ${awayAfter}::bigint`)
    .orderBy("id")
    .limit(limit)
    .execute();

export interface StoreFacts {
  readonly server: string;
  /** Unix seconds. */
  readonly started: number;
  readonly size: number;
  readonly schema: string;
  readonly epoch: number;
  readonly revision: number;
  readonly live_revision: number;
  readonly unnumbered: number;
  readonly connections: number;
  readonly most_connections: number;
  readonly synchronous: string;
}

export async function findStoreFacts(db: Db): Promise<StoreFacts> {
  const [row] = await rowsOf(db, statement<StoreFacts>(factsText, []));
  return row!;
}

const headOf = (subject: string) => `coalesce((select revision from sequencer where subject = '${subject}'), 0)`;
const factsText = `${acrossAccounts("operator")}
  select ${serverVersion} as server, extract(epoch from pg_postmaster_start_time())::bigint as started,
    pg_database_size(current_database()) as size, (select max(name) from kysely_migration) as schema, (select number from epoch) as epoch,
    ${headOf(configuration)} as revision, ${headOf(live)} as live_revision,
    (select count(*) from change where revision is null) as unnumbered,
    (select count(*) from pg_stat_activity where datname = current_database()) as connections,
    current_setting('max_connections')::int as most_connections, ${synchronousNames} as synchronous`;

/** A store that is itself a standby has none that this can say anything about. */
export const listStandbys = (db: Db): Promise<readonly Standby[]> =>
  rowsOf(db, statement<Standby>(`${standbysText} order by application_name limit 1000`, []));

export const accountsAfter = (db: Db, { after = "", limit }: Page) =>
  db
    .selectFrom("account")
    .select(["id", "name", "created", "suspended_at", "operator"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .modifyEnd(across("operator"))
    .execute();

/** Counting ends there, so that no account is expensive to list. */
export const mostCounted = 100_000;

export interface Counts {
  readonly zones: number;
  readonly records: number;
  readonly users: number;
  readonly keys: number;
}

export async function countsOf(db: Db, account_id: string): Promise<Counts> {
  const [row] = await rowsOf(db, statement<Counts>(countsText, [account_id, mostCounted]));
  return row!;
}

const countUpTo = (table: string) =>
  `(select count(*) from (select from ${table} where account_id = $1 limit $2) as counted)`;
const countsText = `
  select ${countUpTo("zone")} as zones, ${countUpTo("record")} as records, ${countUpTo("account_user")} as users,
    ${countUpTo("api_key")} as keys`;
