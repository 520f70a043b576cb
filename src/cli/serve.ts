/** `fairlead serve`: starts the store, opens the DNS sockets, and has control and edge supervised until a signal comes. */

import { existsSync } from "node:fs";
import { isatty } from "node:tty";
import type { Config } from "../config/config.ts";
import type { FirstSteps } from "../control/bootstrap.ts";
import { credentialsFile } from "../lib/files/credentials.ts";
import { type Log, newLog } from "../lib/log.ts";
import { readMasterKeys } from "../lib/secrets.ts";
import { assertStoreReleased, startPostgres } from "../storage/embedded/postgres.ts";
import { migrateApart } from "../storage/migrating.ts";
import { takeReloads } from "./commands/reload.ts";
import { provideCertificate } from "./host/certificate.ts";
import { holdDirectory, masterKeyFile } from "./host/directory.ts";
import { metricsEndpoint } from "./host/metrics.ts";
import { assertDnsFree, assertHttpFree } from "./host/ports.ts";
import { endOnSignal } from "./supervisor/child-side.ts";
import { giveBackOnceIdle } from "./supervisor/leftovers.ts";
import { DnsSockets } from "./supervisor/sockets.ts";
import { Supervisor, type SupervisorOptions } from "./supervisor/supervisor.ts";
import { greeting, keyShown } from "./terminal/greeting.ts";

/** Runs until a signal ends it. `main` is the file that a child starts with, `file` that of the configuration. */
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
  giveBackOnceIdle();
}

type Given = Pick<SupervisorOptions, "configure" | "config" | "main" | "log">;

/** Resolves when everything runs; as soon as what there is can be closed, when it is to end before. */
async function start(given: Given, ending: AbortSignal) {
  const { config, log } = given;
  if (config.databaseUrl === undefined) assertStoreReleased(config.data);
  await takePlace(config);
  const keys = masterKeyFile(config);
  if (existsSync(keys)) readMasterKeys(keys);
  await provideCertificate(config);
  const store = await reachStore(config, log);
  const sockets = new DnsSockets();
  let supervisor: Supervisor | undefined;
  const close = async () => {
    await supervisor?.close();
    sockets.close();
    await store.stop();
  };
  try {
    const handed = await sockets.hand(config);
    supervisor = new Supervisor({ ...given, storeUrl: store.url, sockets, handed });
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

/** A start that cannot have its ports makes no directory; where there is one, who holds it says more than a port that is taken. */
async function takePlace(config: Config): Promise<void> {
  const isNew = !existsSync(config.data);
  if (!isNew) await holdDirectory(config.data);
  await assertHttpFree({ http: config.http, metrics: metricsEndpoint(config) });
  await assertDnsFree(config);
  if (isNew) await holdDirectory(config.data);
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

/** A terminal that goes away sends the same signal: what was started from one ends with it, as programs do. */
function reloadOnSignal(reload: () => void): void {
  if (!isatty(0)) process.on("SIGHUP", reload);
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** A store of the operator's is for control to reach. Ours is started, and its schema made current. */
async function reachStore(config: Config, log: Log): Promise<{ url: string; stop(): Promise<void> }> {
  const { databaseUrl, data: directory, postgresBin } = config;
  if (databaseUrl !== undefined) return { url: databaseUrl, stop: async () => {} };
  const postgres = await startPostgres({
    directory,
    log,
    ...(postgresBin === undefined ? {} : { binDir: postgresBin }),
  });
  try {
    await migrateApart(postgres.url, log);
    return postgres;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
