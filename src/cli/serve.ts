/** `fairlead serve`: starts the store, opens the DNS sockets, and supervises control and edge until a signal comes. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { isatty } from "node:tty";
import type { Config } from "../config/config.ts";
import type { FirstSteps } from "../control/bootstrap.ts";
import { credentialsFile } from "../lib/files/credentials.ts";
import { type Log, newLog } from "../lib/log.ts";
import { readMasterKeys } from "../lib/secrets.ts";
import { assertStoreReleased, type Postgres, startPostgres } from "../storage/embedded/postgres.ts";
import { migrateInProcess } from "../storage/migrating.ts";
import type { Program, ReloadRequest } from "./commands/reload.ts";
import { provideCertificate } from "./host/certificate.ts";
import { assertNoImport, masterKeyFile } from "./host/directory.ts";
import { metricsEndpoint } from "./host/metrics.ts";
import { assertFree, dnsPlaces, httpPlaces, type OpenHere } from "./host/ports.ts";
import { Succession } from "./succession/succession.ts";
import { endOnSignal } from "./supervisor/child-side.ts";
import { claim } from "./supervisor/claim.ts";
import { freeMemoryOnceIdle } from "./supervisor/free-memory.ts";
import { Launcher } from "./supervisor/launcher.ts";
import { DnsSockets, hereIn } from "./supervisor/sockets.ts";
import { Supervisor, type SupervisorOptions } from "./supervisor/supervisor.ts";
import { firstLink } from "./terminal/first-link.ts";
import { greeting, keyShown } from "./terminal/greeting.ts";
import { privileged } from "./user/become.ts";

/** Runs until a signal ends it, or until another service takes over. `main` is the entry file of children, `file` the configuration file. */
export async function serve(
  configure: () => Config,
  { main, file }: { main: string; file: string | undefined },
): Promise<void> {
  const succession = await Succession.begin();
  try {
    await run({ configure, main, file, succession });
  } catch (error) {
    await succession.failed(error);
    throw error;
  }
}

interface Run {
  readonly configure: () => Config;
  readonly main: string;
  readonly file: string | undefined;
  readonly succession: Succession;
}

async function run({ configure, main, file, succession }: Run): Promise<void> {
  const config = configure();
  const log = newLog(config.log, "supervisor");
  const ending = new AbortController();
  const starting = start({ configure, config, main, log, succession }, ending.signal);
  endOnSignal(async () => {
    ending.abort();
    await (await starting).close();
  });
  const { reload, handOver, firstSteps, firstToken } = await starting;
  if (ending.signal.aborted) return;
  const take = ({ program }: ReloadRequest) => (program ? handOver(program) : reload());
  await succession.lead({ data: config.data, take }, log);
  reloadOnSignal(() => reload().catch(() => {}));
  const shown = { ...(await firstSteps()), ...keyShown(config), first: await firstLink(config, firstToken) };
  process.stdout.write(greeting(config, { ...shown, dns: config.dns, file }));
  freeMemoryOnceIdle();
}

interface Given extends Pick<SupervisorOptions, "configure" | "config" | "main" | "log"> {
  readonly succession: Succession;
}

/** Resolves when everything runs. After `ending` is aborted, resolves as soon as `close` can be called. */
async function start({ succession, ...given }: Given, ending: AbortSignal) {
  const { config, log } = given;
  const { held, position } = succession;
  assertNoImport(config);
  if (config.databaseUrl === undefined) assertStoreReleased(config.data);
  const keys = masterKeyFile(config);
  if (existsSync(keys)) readMasterKeys(keys);
  const { env } = await claim({
    ...given,
    ports: async () => {
      const isHere: OpenHere = { has: (_, endpoint) => held.has("http", endpoint) };
      await assertFree(httpPlaces({ http: config.http, metrics: metricsEndpoint(config) }), isHere);
      await assertFree(dnsPlaces(config), hereIn(held));
    },
    directory: () => succession.hold(config.data),
  });
  await provideCertificate(config);
  const store = await reachStore(config, log, env);
  const sockets = new DnsSockets(held, log);
  let supervisor: Supervisor | undefined;
  const close = async () => {
    await supervisor?.close();
    sockets.close();
    if (succession.isService) await store.stop();
    else store.leave();
  };
  try {
    const handed = await sockets.hand(config);
    const launcher = new Launcher({ storeUrl: store.url, env, held, log });
    const configure = () => privileged(given.configure);
    supervisor = new Supervisor({ ...given, configure, launcher, sockets, handed, takesOver: position });
    succession.keepSockets(log);
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
  const retire = async () => {
    store.leave();
    await running.retire();
  };
  const handOver = (program: Program) =>
    logged(
      running.handOver((position) => succession.handOver({ config, program, position, retire })),
      log,
    );
  return {
    close,
    firstSteps,
    firstToken: () => running.ask("control", "first token"),
    handOver,
    reload: () => logged(running.reload(), log),
  };
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
): Promise<Pick<Postgres, "url" | "stop" | "leave">> {
  const { databaseUrl, data: directory, postgresBin } = config;
  if (databaseUrl !== undefined) return { url: databaseUrl, stop: async () => {}, leave: () => {} };
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
