/** Whether the store can be reached, is one that this version can use, and takes writes; its standbys and its pooler. */
import type { Config } from "../../../config/config.ts";
import { hasPostgres } from "../../../storage/embedded/postgres.ts";
import { migrationNames, oldestServer } from "../../../storage/migrate.ts";
import { type Finding, findingsOf, reasonOf } from "../../terminal/finding.ts";
import type { Here } from "./processes.ts";
import type { ConnectedStore, StoreFacts } from "./store.ts";

const { ok, warning, failed } = findingsOf("store");

/** Connections of one control and one edge. */
const connectionsNeeded = 35;
const mebibyte = 2 ** 20;

export async function checkStore(
  { data, databaseUrl }: Pick<Config, "data" | "databaseUrl">,
  connecting: Promise<ConnectedStore | undefined>,
  { isHeld }: Here,
): Promise<Finding[]> {
  let store: ConnectedStore | undefined;
  try {
    store = await connecting;
  } catch (error) {
    const advice =
      databaseUrl === undefined
        ? "run the doctor as the user of the service or as root"
        : "start the server; see that its address, user and password are those of --database-url, and that pg_hba.conf lets this machine in";
    return [failed(reasonOf(error), advice)];
  }
  if (!store) return [checkStopped(data, isHeld)];
  const facts = await store.facts();
  const findings = [checkServer(facts), ...(await checkSchema(store, facts)), ...(await checkWrites(store, facts))];
  if (store.isEmbedded) return findings;
  return [...findings, ...(await checkStandbys(store, facts)), await checkPooler(store), checkConnections(facts)];
}

function checkStopped(data: string, isHeld: boolean): Finding {
  if (!hasPostgres(data)) return ok(`there is no store in ${data} yet: the first start makes it`);
  if (isHeld)
    return failed(`the service runs, and its store in ${data} does not`, "read the service's log for the reason");
  return warning(`the store in ${data} does not run, since the service does not`, "start the service");
}

function checkServer({ version, number, encoding }: StoreFacts): Finding {
  if (!version.startsWith("PostgreSQL ")) return warning(`${version} is not PostgreSQL`, "use PostgreSQL");
  if (number < oldestServer * 10_000) return failed(`${version} is too old`, `use PostgreSQL ${oldestServer} or newer`);
  if (encoding !== "UTF8") {
    const advice =
      "create a database with encoding 'UTF8' template template0, and move there with store export and import";
    return failed(`the encoding of the database is ${encoding}`, advice);
  }
  return ok(`${version} can be reached`);
}

async function checkSchema(store: ConnectedStore, { has_schema }: StoreFacts): Promise<Finding[]> {
  if (!has_schema) return [ok("the store is empty: the first start makes its tables")];
  const present = await store.migrations();
  const unknown = present.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    return [failed(`another version made the schema (${unknown.join(", ")})`, "run the version that made it")];
  }
  const missing = migrationNames.length - present.length;
  if (missing === 0) return [ok("the schema is that of this version")];
  return [warning(`the schema lacks ${missing} migrations of this version`, "start a control of this version")];
}

async function checkWrites(store: ConnectedStore, facts: StoreFacts): Promise<Finding[]> {
  const { is_standby, is_read_only, may_create, user, database, has_schema } = facts;
  if (is_standby) return [failed("the server is a standby, which takes no writes", "name the primary, or promote it")];
  if (is_read_only) {
    const advice = `alter database ${database} reset default_transaction_read_only, and the same for the role ${user}`;
    return [failed("transactions are read-only", advice)];
  }
  const findings: Finding[] = [];
  const advice = `alter database ${database} owner to ${user}`;
  if (!may_create) findings.push(failed(`${user} may not create tables in the schema public`, advice));
  const foreign = has_schema ? await store.foreignTables() : [];
  if (foreign.length > 0) {
    const text = `${foreign.length} tables, such as ${foreign[0]}, do not belong to ${user}`;
    findings.push(failed(text, `alter table ${foreign[0]} owner to ${user}, and so on for the others`));
  }
  if (findings.length > 0 || !has_schema) return findings;
  try {
    await store.tryWrite();
    return [ok("the store takes writes")];
  } catch (error) {
    return [failed(`the store takes no writes: ${reasonOf(error)}`, "mend this on the server; its log says more")];
  }
}

async function checkStandbys(store: ConnectedStore, { synchronous, is_standby }: StoreFacts): Promise<Finding[]> {
  if (is_standby) return [];
  const standbys = await store.standbys();
  const isSync = standbys.some(({ sync }) => sync === "sync" || sync === "quorum");
  const isHidden = standbys.some(({ state }) => state === null);
  if (synchronous !== "" && !isSync && !isHidden) {
    const text = `synchronous_standby_names is '${synchronous}', and no such standby is connected: writes wait`;
    return [failed(text, "start a standby with that name, or empty the setting")];
  }
  if (standbys.length === 0) return [ok("no standby is connected")];
  return standbys.map(({ name, state, sync, behind }) => {
    if (state === null) return ok(`the standby ${name} is connected; its state is shown to members of pg_monitor`);
    const text = `the standby ${name} is ${state}, ${sync}, and ${Math.floor((behind ?? 0) / mebibyte)} MiB behind`;
    const isWell = state === "streaming" && (behind ?? 0) < 64 * mebibyte;
    return isWell ? ok(text) : warning(text, "see in the standby's log what holds it up");
  });
}

async function checkPooler(store: ConnectedStore): Promise<Finding> {
  if (!(await store.isPooledByTransaction())) return ok("each session has a connection of its own");
  const text = "a pooler lends connections for single transactions, so notifications are lost";
  return failed(text, "pool sessions (PgBouncer: pool_mode = session), or connect without the pooler");
}

function checkConnections({ free_connections }: StoreFacts): Finding {
  const text = `the server has room for ${free_connections} more connections`;
  if (free_connections >= connectionsNeeded) return ok(text);
  return warning(`${text}; a control and an edge need ${connectionsNeeded}`, "raise max_connections on the server");
}
