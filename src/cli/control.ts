/** `fairlead control`: the API without an edge, on a PostgreSQL that edges follow. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Config } from "../config/config.ts";
import type { Control } from "../control/start.ts";
import { type Log, newLog } from "../lib/log.ts";
import { invalid, unavailable } from "../lib/problem.ts";
import { lowerOwnProcess } from "../lib/system/priority.ts";
import { publicNames } from "../net/client/public-names.ts";
import { assertNumbered, streamProgress } from "../storage/sequencer/progress.ts";
import { forgetAddress, keepAddress } from "./host/address.ts";
import { changeMetrics } from "./host/change-metrics.ts";
import { controlOptions } from "./host/control-options.ts";
import { assertNoImport, makeDirectory } from "./host/directory.ts";
import { type Health, operatorExtras, publicExtras } from "./host/health.ts";
import { mailDelivery } from "./host/mail.ts";
import { metricsEndpoint, serveMetrics } from "./host/metrics.ts";
import { PortalFiles } from "./host/portal.ts";
import { assertFree, httpPlaces, refused } from "./host/ports.ts";
import { closeStarted, endOnSignal, hasSupervisor, type Running, runChild } from "./supervisor/child-side.ts";
import { freeMemoryOnceIdle } from "./supervisor/free-memory.ts";
import { restartWithGcFlags } from "./supervisor/gc-flags.ts";
import type { Link, Question, Start } from "./supervisor/link.ts";
import { firstLink } from "./terminal/first-link.ts";
import { greeting, keyShown } from "./terminal/greeting.ts";
import { hasBecome } from "./user/become.ts";

/** The entry file of children, and the configuration file. */
interface Entry {
  readonly main: string;
  readonly file: string | undefined;
}

export async function control(configure: () => Config, { main, file }: Entry): Promise<void> {
  if (hasSupervisor())
    return runChild("control", (start, log, link) => run(start, log, start.isAlone ? undefined : link));
  const config = configure();
  const { databaseUrl: storeUrl } = config;
  if (storeUrl === undefined) throw invalid("fairlead control requires --database-url", { key: "--database-url" });
  assertNoImport(config);
  restartWithGcFlags();
  const log = newLog(config.log, "control");
  const ports = () => assertFree(httpPlaces({ http: config.http, metrics: metricsEndpoint(config) }));
  const { claim } = await import("./supervisor/claim.ts");
  const { env } = await claim({ config, main, log, ports, directory: () => makeDirectory(config.data) });
  const running = hasBecome()
    ? (await import("./supervisor/alone.ts")).runForRoot({ role: "control", main, env, config, storeUrl, log })
    : run({ config, storeUrl }, log, undefined);
  endOnSignal(() => closeStarted(running));
  const { answer } = await running;
  const steps = JSON.parse(await answer("status"));
  const first = await firstLink(config, () => answer("first token"));
  process.stdout.write(greeting(config, { ...steps, ...keyShown(config), first, dns: [], file }));
  freeMemoryOnceIdle();
}

/** Milliseconds between two samples of the event loop's delay. */
const sampleEvery = 10;

/** Starts the process's own metrics at the first request for metrics: sampling wakes the process 100 times a second. */
function metricsSince(registry: Registry): () => Promise<string> {
  let collecting: Promise<void> | undefined;
  const collect = () => {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: sampleEvery });
    // until there is a sample, the smallest delay is reported as the largest possible number
    return delay(2 * sampleEvery);
  };
  return async () => {
    collecting ??= collect();
    await collecting;
    return await registry.metrics();
  };
}

type Given = Pick<Start, "config" | "storeUrl" | "holder" | "http" | "metrics">;

/** `link` leads to the edge that runs under the same supervisor, if any. */
async function run(
  { config, storeUrl, holder, ...sockets }: Given,
  log: Log,
  link: Link | undefined,
): Promise<Running> {
  lowerOwnProcess();
  // not loaded by a process of root, whose child is control
  const { startControl } = await import("../control/start.ts");
  const registry = new Registry();
  const metricsOf = metricsSince(registry);
  let started: Control | undefined;
  const progress = async () => {
    if (!started) throw unavailable("is starting");
    return await streamProgress(started.store.db);
  };
  changeMetrics(registry, progress);
  const health: Health = {
    async store() {
      if (!started) throw unavailable("is starting");
      await started.store.ping();
    },
    changes: async () => assertNumbered(await progress()),
    async cutOff() {
      if (!started) throw unavailable("is starting");
      return await started.countCutOff();
    },
    edge: link && (async () => JSON.parse(await link.ask("edge", "status"))),
    metrics: async () => (await metricsOf()) + (link ? await link.ask("edge", "metrics").catch(() => "") : ""),
  };
  log.debug({ mail: mailDelivery(config) }, "how mails are sent");
  const options = controlOptions(config, storeUrl);
  const portal = config.noPortal ? undefined : new PortalFiles(join(config.data, "portal"), log);
  started = await startControl({
    ...options,
    portal,
    listen: { ...options.listen, fd: sockets.http },
    publicNames: config.resolver === "none" ? undefined : publicNames(config.resolver ?? []),
    isStoreEmbedded: config.databaseUrl === undefined,
    holder,
    log,
    registry,
    extra: publicExtras(health),
  }).catch((error) => {
    throw error.syscall === "listen" ? refused("--http", config.http, error) : error;
  });
  portal?.provide();
  const metrics = await serveMetrics(metricsEndpoint(config), operatorExtras(health), sockets.metrics);
  keepAddress(config, log);
  const control = started;
  const answers: Readonly<Record<Question, () => Promise<string>>> = {
    metrics: metricsOf,
    status: async () => JSON.stringify(await control.firstSteps()),
    "first token": async () => JSON.stringify((await control.firstToken()) ?? null),
    keep: () => Promise.reject(invalid("control keeps no state on disk")),
  };
  const close = async () => {
    portal?.close();
    await metrics.close();
    await control.close();
  };
  return {
    answer: (question) => answers[question](),
    async retire() {
      await control.retire();
      // the next process has the same address
      await close();
    },
    async close() {
      await close();
      forgetAddress(config);
    },
  };
}
