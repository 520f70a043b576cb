/** The store, for commands that work on it directly, with or without a running service. */
import { type Config, readConfig } from "../../config/config.ts";
import { type Log, newLog } from "../../lib/log.ts";
import { invalid, Problem } from "../../lib/problem.ts";
import { openStore, type Store } from "../../storage/db.ts";
import { hasPostgres, runningPostgres, startPostgres } from "../../storage/embedded/postgres.ts";
import { holdDirectory } from "./directory.ts";

/**
 * The configuration of a command for an existing store. Throws a Problem if there is none, so that a command with the
 * wrong directory does not create one.
 */
export function configOfStore(options: Parameters<typeof readConfig>[0]): Config {
  const config = quietConfig(options);
  if (config.databaseUrl === undefined && !hasPostgres(config.data)) {
    throw invalid(`no store in ${config.data}: name its directory with --data or --config`, { key: "--data" });
  }
  return config;
}

/** The configuration of a command, which logs only warnings and errors by default. */
export const quietConfig = (options: Parameters<typeof readConfig>[0]): Config =>
  readConfig({ log: "warn", ...options });

/**
 * Runs with the configured store and its URL, after migrations. Starts the embedded store if needed; with `shared`, the
 * embedded store of a running service is used.
 */
export async function withStore(
  config: Config,
  { shared }: { shared: boolean },
  run: (url: string, store: Store) => Promise<void>,
) {
  const log = newLog(config.log, "store");
  const { url, release } = await reach(config, shared, log);
  try {
    const store = await openStore(url, { log, poolSize: 2 });
    try {
      await run(url, store);
    } finally {
      await store.close();
    }
  } finally {
    await release();
  }
}

async function reach(config: Config, shared: boolean, log: Log): Promise<{ url: string; release(): Promise<void> }> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, release: async () => {} };
  try {
    await holdDirectory(config.data);
  } catch (error) {
    const running = shared && error instanceof Problem ? await runningPostgres(config.data) : undefined;
    if (!running) throw error;
    return { url: running.url, release: async () => {} };
  }
  const binDir = config.postgresBin === undefined ? {} : { binDir: config.postgresBin };
  const postgres = await startPostgres({ directory: config.data, log, ...binDir });
  return { url: postgres.url, release: () => postgres.stop() };
}
