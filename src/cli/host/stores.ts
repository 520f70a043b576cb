/** The store, for commands that work on it directly, with or without a running service. */
import { type Config, readConfig } from "../../config/config.ts";
import { type Log, newLog } from "../../lib/log.ts";
import { invalid, Problem } from "../../lib/problem.ts";
import { readMasterKeys, type Secrets, secretsFrom } from "../../lib/secrets.ts";
import { openStore, type Store } from "../../storage/db.ts";
import { hasPostgres, runningPostgres, startPostgres } from "../../storage/embedded/postgres.ts";
import { masterKeysOf } from "../../storage/secrets/master-key.ts";
import { holdDirectory, masterKeyFile } from "./directory.ts";

/** The options of a command, as given. */
export type Options = Parameters<typeof readConfig>[0];

/**
 * The configuration of a command for an existing store. Throws a Problem if there is no store, so that a command with the
 * wrong directory does not create one.
 */
export function configOfStore(options: Options): Config {
  const config = quietConfig(options);
  if (config.databaseUrl === undefined && !hasPostgres(config.data)) {
    throw invalid(`no store in ${config.data}: name its directory with --data or --config`, { key: "--data" });
  }
  return config;
}

/** The configuration of a command, which logs only warnings and errors by default. */
export const quietConfig = (options: Options): Config => readConfig({ log: "warn", ...options });

type Run = (store: Store, url: string) => Promise<void>;

/** Calls `run` with the store and its URL, after migrations. Starts the embedded store unless a service runs it. */
export const withStore = (config: Config, run: Run) => use(config, run, true);

/**
 * Like `withStore`, for a command that must have the store to itself: throws a Problem while a service
 * holds the data directory. A store at `databaseUrl` is not checked.
 */
export const withStoreAlone = (config: Config, run: Run) => use(config, run, false);

/** Like `withStore`, with the store's secrets. Throws without a master key, before a store is started. */
export async function withSecrets(
  config: Config,
  run: (store: Store, secrets: Secrets, url: string) => Promise<void>,
): Promise<void> {
  const file = masterKeyFile(config);
  readMasterKeys(file);
  await withStore(config, async (store, url) => run(store, secretsFrom(await masterKeysOf(store, file)), url));
}

async function use(config: Config, run: Run, isShared: boolean): Promise<void> {
  const log = newLog(config.log, "store");
  const { url, release } = await reach(config, isShared, log);
  try {
    const store = await openStore(url, { log, poolSize: 2 });
    try {
      await run(store, url);
    } finally {
      await store.close();
    }
  } finally {
    await release();
  }
}

async function reach(config: Config, isShared: boolean, log: Log): Promise<{ url: string; release(): Promise<void> }> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, release: async () => {} };
  try {
    await holdDirectory(config.data);
  } catch (error) {
    const running = isShared && error instanceof Problem ? await runningPostgres(config.data) : undefined;
    if (!running) throw error;
    return { url: running.url, release: async () => {} };
  }
  const binDir = config.postgresBin === undefined ? {} : { binDir: config.postgresBin };
  const postgres = await startPostgres({ directory: config.data, log, ...binDir });
  return { url: postgres.url, release: () => postgres.stop() };
}
