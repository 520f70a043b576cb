/** Brings a database to the schema of this version. Safe when several processes start at once. */
import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { newId } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { invalid, unavailable } from "../lib/problem.ts";
import { releaseLease, takeLease } from "./lease.ts";
import { start } from "./migrations/0001_start.ts";
import { feeds } from "./migrations/0002_feeds.ts";
import { live } from "./migrations/0003_live.ts";
import { steering } from "./migrations/0004_steering.ts";
import { serials } from "./migrations/0005_serials.ts";
import { usage } from "./migrations/0006_usage.ts";
import { versions } from "./migrations/0007_versions.ts";
import { deleted } from "./migrations/0008_deleted.ts";
import { loads } from "./migrations/0009_loads.ts";
import { importJobs } from "./migrations/0010_import_jobs.ts";
import { tsig } from "./migrations/0011_tsig.ts";
import { transfers } from "./migrations/0012_transfers.ts";
import { links } from "./migrations/0013_links.ts";
import { recordLinks } from "./migrations/0014_record_links.ts";
import { catalogs } from "./migrations/0015_catalogs.ts";
import { account } from "./migrations/0016_account.ts";
import { activityOrder } from "./migrations/0017_activity_order.ts";
import { teams } from "./migrations/0018_teams.ts";
import { users } from "./migrations/0019_users.ts";
import { signIn } from "./migrations/0020_signin.ts";
import { activityBefore } from "./migrations/0021_activity_before.ts";
import { suspension } from "./migrations/0022_suspension.ts";
import { keySecrets } from "./migrations/0023_key_secrets.ts";
import { activityZone } from "./migrations/0024_activity_zone.ts";
import { waysIn } from "./migrations/0025_ways_in.ts";
import { untold } from "./migrations/0026_untold.ts";
import { addresses } from "./migrations/0027_addresses.ts";
import type { Tables } from "./tables.ts";

const migrations: Record<string, Migration> = {
  "0001_start": start,
  "0002_feeds": feeds,
  "0003_live": live,
  "0004_steering": steering,
  "0005_serials": serials,
  "0006_usage": usage,
  "0007_versions": versions,
  "0008_deleted": deleted,
  "0009_loads": loads,
  "0010_import_jobs": importJobs,
  "0011_tsig": tsig,
  "0012_transfers": transfers,
  "0013_links": links,
  "0014_record_links": recordLinks,
  "0015_catalogs": catalogs,
  "0016_account": account,
  "0017_activity_order": activityOrder,
  "0018_teams": teams,
  "0019_users": users,
  "0020_signin": signIn,
  "0021_activity_before": activityBefore,
  "0022_suspension": suspension,
  "0023_key_secrets": keySecrets,
  "0024_activity_zone": activityZone,
  "0025_ways_in": waysIn,
  "0026_untold": untold,
  "0027_addresses": addresses,
};

/** Names of all migrations, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

const oldestServer = 15;
const leaseFor = 60_000;
const waitAtMost = 120_000;

/** Throws a Problem when the server is too old, or the schema is of a newer version of Fairlead. */
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

/** Whether nothing is left to be done. Throws a Problem when a newer version has been here. */
async function isCurrent(db: Kysely<Tables>): Promise<boolean> {
  const table = await sql<{ name: string | null }>`select to_regclass('kysely_migration') as name`.execute(db);
  if (table.rows[0]?.name === null) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const unknown = rows.find(({ name }) => !migrationNames.includes(name));
  if (unknown)
    throw invalid(`the store was changed by a newer version of Fairlead (${unknown.name}): start that version`);
  return rows.length === migrationNames.length;
}

async function run(db: Kysely<Tables>, log: Log) {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  for (const { migrationName, status } of results ?? []) log.debug({ migration: migrationName, status }, "schema");
  if (error !== undefined) throw error;
  if (results?.length) log.info({ migrations: results.length }, "the schema was brought up to date");
}

/** The one table outside the migrations, because they are run under a lease. */
async function makeLeaseTable(db: Kysely<Tables>) {
  const make = sql`create table if not exists lease (
    name text collate "C" primary key, holder text not null, token bigint not null, expires_at bigint not null)`;
  // two that make it at once: "if not exists" does not keep the later one from failing
  await make.execute(db).catch(() => make.execute(db));
}

async function checkServer(db: Kysely<Tables>, log: Log) {
  const answer = await sql<{ version: string; number: string }>`
    select version() as version, current_setting('server_version_num') as number`.execute(db);
  const { version, number } = answer.rows[0]!;
  if (!version.startsWith("PostgreSQL ")) {
    log.warn({ version }, "this store is not PostgreSQL itself: Fairlead is written for its dialect, not tested on it");
  } else if (Number(number) < oldestServer * 10_000) {
    throw invalid(`--database-url: PostgreSQL ${oldestServer} or newer is needed, this one is ${version}`);
  }
}
