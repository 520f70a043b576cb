/** Migrates a database to the schema of this version. Safe when several processes start at once. */
import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql, type Transaction } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type pg from "pg";
import { newId } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { invalid, unavailable } from "../lib/problem.ts";
import { firstMigration, unreleased } from "../sync/postgres/schema.ts";
import { releaseLease, takeLease } from "./lease.ts";
import { schema } from "./migrations/0001_schema.ts";
import { deletionGuard } from "./migrations/0002_deletion_guard.ts";
import { namesBelow } from "./migrations/0003_names_below.ts";
import { clientValues } from "./migrations/0004_client_values.ts";
import { feedCells } from "./migrations/0005_feed_cells.ts";
import { quotas } from "./migrations/0006_quotas.ts";
import { marks } from "./migrations/0007_marks.ts";
import { epoch } from "./migrations/0008_epoch.ts";
import { replyHeaders } from "./migrations/0009_reply_headers.ts";
import { formerPools } from "./migrations/0010_former_pools.ts";
import { digests } from "./migrations/0011_digests.ts";
import { plainJson } from "./migrations/0012_plain_json.ts";
import { provenAddresses } from "./migrations/0013_proven_addresses.ts";
import { keptByAccount } from "./migrations/0014_kept_by_account.ts";
import { comparisons } from "./migrations/0015_comparisons.ts";
import { deletedByAge } from "./migrations/0016_deleted_by_age.ts";
import { zoneList } from "./migrations/0017_zone_list.ts";
import { operator } from "./migrations/0018_operator.ts";
import { pushesAndAttention } from "./migrations/0019_pushes_and_attention.ts";
import { drafts } from "./migrations/0020_drafts.ts";
import { usageMix } from "./migrations/0021_usage_mix.ts";
import { tail } from "./migrations/0022_tail.ts";
import type { Tables } from "./tables/index.ts";

/** The migrations in order, one per change of the schema. */
const migrations: Record<string, Migration> = {
  [firstMigration]: schema,
  "0002_deletion_guard": deletionGuard,
  "0003_names_below": namesBelow,
  "0004_client_values": clientValues,
  "0005_feed_cells": feedCells,
  "0006_quotas": quotas,
  "0007_marks": marks,
  "0008_epoch": epoch,
  "0009_reply_headers": replyHeaders,
  "0010_former_pools": formerPools,
  "0011_digests": digests,
  "0012_plain_json": plainJson,
  "0013_proven_addresses": provenAddresses,
  "0014_kept_by_account": keptByAccount,
  "0015_comparisons": comparisons,
  "0016_deleted_by_age": deletedByAge,
  "0017_zone_list": zoneList,
  "0018_operator": operator,
  "0019_pushes_and_attention": pushesAndAttention,
  "0020_drafts": drafts,
  "0021_usage_mix": usageMix,
  "0022_tail": tail,
};

/** The names of all migrations, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

export const oldestServer = 15;
const leaseFor = 60_000;
const waitAtMost = 120_000;

/** Throws a Problem, and changes nothing, when the server is too old or the schema is unknown to this version. */
export async function migrate(db: Kysely<Tables>, log: Log): Promise<void> {
  await checkServer(db, log);
  if (await isCurrent(db)) return;
  await makeLeaseTable(db);
  const holder = newId();
  const deadline = performance.now() + waitAtMost;
  for (;;) {
    const lease = await takeLease(db, "migration", holder, leaseFor);
    if (lease) {
      try {
        return await run(db, log);
      } finally {
        await releaseLease(db, lease);
      }
    }
    if (performance.now() > deadline) throw unavailable("another process has been changing the schema for two minutes");
    await delay(50);
    if (await isCurrent(db)) return;
  }
}

/** Whether no migration is missing. Throws a Problem when an unreleased or newer version made the schema. */
async function isCurrent(db: Kysely<Tables>): Promise<boolean> {
  const table = await sql<{ name: string | null }>`select to_regclass('kysely_migration') as name`.execute(db);
  if (table.rows[0]?.name === null) return false;
  const { rows } = await sql<{ name: string; database: string }>`
    select name, current_database() as database from kysely_migration order by name`.execute(db);
  if (rows[0] && !rows.some(({ name }) => name === firstMigration)) {
    throw invalid(unreleased(`the database "${rows[0].database}"`));
  }
  const unknown = rows.find(({ name }) => !migrationNames.includes(name));
  if (unknown) throw invalid(`${changedByNewer(unknown.name)}: use that version`);
  return rows.length === migrationNames.length;
}

/**
 * Makes the schema of an earlier migration in an empty database, or brings the schema to the last one, in a transaction of
 * the caller. Throws a Problem when the server is too old.
 */
export async function migrateInside(tx: Transaction<Tables>, log: Log, until?: string): Promise<void> {
  await checkServer(tx, log);
  await leaseTable.execute(tx);
  const migrator = migratorOf(tx);
  const { error } = await (until === undefined ? migrator.migrateToLatest() : migrator.migrateTo(until));
  if (error !== undefined) throw error;
}

const migratorOf = (db: Kysely<Tables>) => new Migrator({ db, provider: { getMigrations: async () => migrations } });

const changedByNewer = (migration: string) => `the store was changed by a newer version of Fairlead (${migration})`;

/** The advisory lock of a migration; each new connection shares it for a moment. */
const lock = 6_034_771;
const newestText = `select pg_advisory_xact_lock_shared(${lock}); select max(name) as name from kysely_migration`;

/**
 * Throws a Problem if a newer version has changed the schema: what this version writes would lack something. Waits for a
 * migration that runs. For each new connection, since a migration ends those of earlier versions.
 */
export async function assertKnownSchema(client: pg.ClientBase): Promise<void> {
  // two statements give two results
  const results = (await client.query(newestText)) as unknown as readonly pg.QueryResult<{ name: string }>[];
  const { name } = results[1]!.rows[0]!;
  if (name > migrationNames.at(-1)!) throw unavailable(`${changedByNewer(name)}: upgrade this process`);
}

/** Connections over which earlier versions may write. */
const others = `application_name in ('fairlead', 'fairlead bulk') and datname = current_database()
  and usename = current_user and pid <> pg_backend_pid()`;

async function run(db: Kysely<Tables>, log: Log) {
  const results = await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(tx);
    const { error, results } = await migratorOf(tx).migrateToLatest();
    if (error !== undefined) throw error;
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${sql.raw(others)}`.execute(tx);
    return results;
  });
  for (const { migrationName, status } of results ?? []) log.debug({ migration: migrationName, status }, "schema");
  if (results?.length) log.info({ migrations: results.length }, "migrated the schema");
}

/** Makes the only table outside the migrations, because they run under a lease. */
const leaseTable = sql`create table if not exists lease (
  name text collate "C" primary key, holder text not null, token bigint not null, expires_at bigint not null)`;

// when two processes create the table at once, the later one fails in spite of "if not exists"
const makeLeaseTable = (db: Kysely<Tables>) => leaseTable.execute(db).catch(() => leaseTable.execute(db));

async function checkServer(db: Kysely<Tables>, log: Log) {
  const answer = await sql<{ version: string; number: string }>`
    select version() as version, current_setting('server_version_num') as number`.execute(db);
  const { version, number } = answer.rows[0]!;
  if (!version.startsWith("PostgreSQL ")) {
    log.warn({ version }, "this store is not PostgreSQL; Fairlead is not tested with it");
  } else if (Number(number) < oldestServer * 10_000) {
    throw invalid(`--database-url: PostgreSQL ${oldestServer} or newer is required; the server is ${version}`);
  }
}
