/** `fairlead serve`: starts the store, opens the DNS sockets, and supervises control and edge until a signal comes. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { isatty } from "node:tty";
import type { Config } from "../config/config.ts";
import type { FirstSteps } from "../control/bootstrap.ts";
import { credentialsFile } from "../lib/files/credentials.ts";
import { type Log, newLog } from "../lib/log.ts";
import { readMasterKeys } from "../lib/secrets.ts";
import { assertStoreReleased, startPostgres } from "../storage/embedded/postgres.ts";
import { migrateInProcess } from "../storage/migrating.ts";
import { takeReloads } from "./commands/reload.ts";
import { provideCertificate } from "./host/certificate.ts";
import { assertNoImport, holdDirectory, masterKeyFile } from "./host/directory.ts";
import { metricsEndpoint } from "./host/metrics.ts";
import { assertFree, dnsPlaces, httpPlaces } from "./host/ports.ts";
import { endOnSignal } from "./supervisor/child-side.ts";
import { claim } from "./supervisor/claim.ts";
import { freeMemoryOnceIdle } from "./supervisor/free-memory.ts";
import { Launcher } from "./supervisor/launcher.ts";
import { DnsSockets } from "./supervisor/sockets.ts";
import { Supervisor, type SupervisorOptions } from "./supervisor/supervisor.ts";
import { greeting, keyShown } from "./terminal/greeting.ts";
import { privileged } from "./user/become.ts";

/** Runs until a signal ends it. `main` is the entry file of children, `file` the configuration file. */
export async function serve(
  configure: () => Config,
  { main, file }: { main: string; file: string | undefined },
): Promise<void> {
  const config = configure();
  const log = newLog(config.log, "supervisor");
  const ending = new AbortController();
  const starting = start({ configure, config, main, log }, ending.signal);
  endOnSignal(async () => {
    ending.abort();
    await (await starting).close();
  });
  const { reload, firstSteps } = await starting;
  if (ending.signal.aborted) return;
  const requests = await takeReloads(config.data, reload);
  requests.unref();
  reloadOnSignal(() => reload().catch(() => {}));
  process.stdout.write(greeting(config, { ...(await firstSteps()), ...keyShown(config), dns: config.dns, file }));
  freeMemoryOnceIdle();
}

type Given = Pick<SupervisorOptions, "configure" | "config" | "main" | "log">;

/** Resolves when everything runs. After `ending` is aborted, resolves as soon as `close` can be called. */
async function start(given: Given, ending: AbortSignal) {
  const { config, log } = given;
  assertNoImport(config);
  if (config.databaseUrl === undefined) assertStoreReleased(config.data);
  const keys = masterKeyFile(config);
  if (existsSync(keys)) readMasterKeys(keys);
  const { env } = await claim({
    ...given,
    ports: async () => {
      await assertFree(httpPlaces({ http: config.http, metrics: metricsEndpoint(config) }));
      await assertFree(dnsPlaces(config));
    },
    directory: () => holdDirectory(config.data),
  });
  await provideCertificate(config);
  const store = await reachStore(config, log, env);
  const sockets = new DnsSockets(log);
  let supervisor: Supervisor | undefined;
  const close = async () => {
    await supervisor?.close();
    sockets.close();
    await store.stop();
  };
  try {
    const handed = await sockets.hand(config);
    const launcher = new Launcher({ storeUrl: store.url, env, log });
    const configure = () => privileged(given.configure);
    supervisor = new Supervisor({ ...given, configure, launcher, sockets, handed });
    await Promise.race([supervisor.ready, aborted(ending)]);
  } catch (error) {
    await close();
    throw error;
  }
  const running = supervisor;
  const firstSteps = (): Promise<FirstSteps> =>
    running.ask("control", "status").then(JSON.parse, () => ({
      hasKey: existsSync(credentialsFile(config.data)),
      hasZones: true,
    }));
  return { close, firstSteps, reload: () => logged(running.reload(), log) };
}

async function logged(reload: Promise<string>, log: Log): Promise<string> {
  try {
    const done = await reload;
    log.info(done);
    return done;
  } catch (error) {
    log.error({ reason: error instanceof Error ? error.message : String(error) }, "nothing was reloaded");
    throw error;
  }
}

/** Reloads at SIGHUP, except on a terminal: a closed terminal also sends SIGHUP, which then ends the process as usual. */
function reloadOnSignal(reload: () => void): void {
  if (!isatty(0)) process.on("SIGHUP", reload);
}

const aborted = async (signal: AbortSignal) => signal.aborted || once(signal, "abort");

/** Starts and migrates the embedded store. For a configured PostgreSQL, only returns the URL: control migrates it. */
async function reachStore(
  config: Config,
  log: Log,
  env: NodeJS.ProcessEnv | undefined,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { databaseUrl, data: directory, postgresBin } = config;
  if (databaseUrl !== undefined) return { url: databaseUrl, stop: async () => {} };
  const postgres = await startPostgres({
    directory,
    log,
    ...(postgresBin === undefined ? {} : { binDir: postgresBin }),
  });
  try {
    await migrateInProcess(postgres.url, log, env);
    return postgres;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
