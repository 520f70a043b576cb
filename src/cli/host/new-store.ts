/** A new store for an import: until it is complete, nothing takes it for a store, and a failure leaves nothing behind. */
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { makeDirectories, syncDirectory } from "../../lib/files.ts";
import { type Log, newLog } from "../../lib/log.ts";
import { forOwnerOf, give } from "../../lib/owner.ts";
import { invalid } from "../../lib/problem.ts";
import { clusterBelow } from "../../storage/embedded/cluster.ts";
import { hasPostgres, type Postgres, runningPostgres, startPostgres } from "../../storage/embedded/postgres.ts";
import { holdDirectory, importSite, makeDirectory, missingAbove } from "./directory.ts";

/**
 * Calls `run` with the URL of a server for the import, whose database has no tables. If `run` fails or a signal comes, the
 * data directory is as it was before. Throws a Problem if it has a store or is in use.
 */
export async function withNewStore(config: Config, run: (url: string, log: Log) => Promise<void>): Promise<void> {
  const log = newLog(config.log, "store");
  const place = new NewStore(config);
  const stop = async () => {
    await place.undo();
    process.stderr.write("fairlead: interrupted, and nothing was imported\n");
    process.exit(1);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    await run(await place.make(log), log);
    await place.complete();
  } catch (error) {
    await place.undo();
    throw error;
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}

class NewStore {
  readonly #config: Config;
  readonly #site: string;
  /** The directories that are made for the data directory. */
  readonly #missing: readonly string[];
  /** The names in the data directory before the import; undefined until it is ours, and once the store is complete. */
  #before: readonly string[] | undefined;
  #server: Promise<Postgres> | undefined;
  #undone: Promise<void> | undefined;

  constructor(config: Config) {
    this.#config = config;
    this.#site = importSite(config.data);
    this.#missing = missingAbove(config.data);
  }

  /** Returns the URL of the server. */
  async make(log: Log): Promise<string> {
    const { data, databaseUrl, postgresBin } = this.#config;
    if (databaseUrl === undefined) await holdDirectory(data);
    else makeDirectory(data);
    if (databaseUrl === undefined && hasPostgres(data)) {
      throw invalid(`--data: ${data} has a store: import into a new directory`, { key: "--data" });
    }
    await removeSite(this.#site);
    this.#before = readdirSync(data);
    makeDirectories(this.#site);
    forOwnerOf(data, (owner) => give(this.#site, owner));
    if (databaseUrl !== undefined) return databaseUrl;
    const binDir = postgresBin === undefined ? {} : { binDir: postgresBin };
    this.#server = startPostgres({ directory: this.#site, log, ...binDir });
    return (await this.#server).url;
  }

  async complete(): Promise<void> {
    const { data, databaseUrl } = this.#config;
    await (await this.#server)?.stop();
    // the store comes last: a directory with a store is complete
    const names = databaseUrl === undefined ? [...readdirSync(this.#site).filter(isProgram), "store"] : [];
    for (const name of names) {
      if (!existsSync(join(data, name))) renameSync(join(this.#site, name), join(data, name));
    }
    this.#before = undefined;
    syncDirectory(data);
    await removeSite(this.#site);
  }

  undo(): Promise<void> {
    this.#undone ??= this.#undo();
    return this.#undone;
  }

  async #undo(): Promise<void> {
    const { data, databaseUrl } = this.#config;
    await (await this.#server?.catch(() => undefined))?.stop();
    if (this.#before) await removeSite(this.#site);
    // only an embedded store has the directory to itself
    const made = databaseUrl === undefined && this.#before ? readdirSync(data) : [];
    for (const name of made) if (!this.#before?.includes(name)) rmSync(join(data, name), { recursive: true });
    for (const path of this.#missing) removeEmpty(path);
  }
}

/** A directory of PostgreSQL's programs. */
const isProgram = (name: string) => name.startsWith("pg-");

/** Removes what an import has left, also one that was killed, whose server may still run. */
async function removeSite(site: string): Promise<void> {
  if (!existsSync(site)) return;
  await (await runningPostgres(site))?.stop();
  rmSync(clusterBelow(site).sockets, { recursive: true, force: true });
  rmSync(site, { recursive: true });
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // it was not made, or something else is in it
  }
}
