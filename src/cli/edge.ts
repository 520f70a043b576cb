/** `fairlead edge`: DNS without the API, following the store's change stream. */
import { hostname } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { version } from "../config/version.ts";
import type { EdgeOptions } from "../edge/edge.ts";
import { startEdge } from "../edge/start.ts";
import { scanPrefix } from "../lib/address/ip.ts";
import { type Log, newLog } from "../lib/log.ts";
import { raiseSession } from "../lib/priority.ts";
import { invalid } from "../lib/problem.ts";
import { postgresSite } from "../sync/postgres/site.ts";
import { holdDirectory, masterKeyFile } from "./host/directory.ts";
import { operatorExtras } from "./host/health.ts";
import { metricsEndpoint, serveMetrics } from "./host/metrics.ts";
import { assertDnsFree, assertHttpFree } from "./host/ports.ts";
import { closeStarted, endOnSignal, hasSupervisor, type Running, runChild } from "./supervisor/child-side.ts";
import { freeMemoryOnceIdle } from "./supervisor/free-memory.ts";
import { edgeGreeting } from "./terminal/greeting.ts";

export async function edge(configure: () => Config): Promise<void> {
  if (hasSupervisor())
    return runChild("edge", ({ config, storeUrl, ...given }, log) => run(config, storeUrl, given, log));
  const config = configure();
  if (config.databaseUrl === undefined)
    throw invalid("fairlead edge requires --database-url", { key: "--database-url" });
  await assertHttpFree({ metrics: metricsEndpoint(config) });
  await assertDnsFree(config);
  const log = newLog(config.log, "edge");
  const running = runAlone(config, config.databaseUrl, log);
  endOnSignal(() => closeStarted(running));
  process.on("SIGHUP", () => log.warn("nothing was reloaded: restart an edge that runs without a supervisor"));
  await running;
}

/** Returns sockets and certificate for encrypted DNS. The code for them is loaded only when it is needed. */
async function secureOf(config: Config) {
  const { tlsCert, tlsKey, dot, doh } = config;
  if (tlsCert === undefined && tlsKey === undefined && dot.length + doh.length === 0) return undefined;
  const { provideCertificate, secureSockets } = await import("./host/certificate.ts");
  const certificate = await provideCertificate(config);
  return certificate && { listen: secureSockets(config), certificate };
}

async function runAlone(config: Config, storeUrl: string, log: Log) {
  const secure = await secureOf(config);
  const sockets = { listen: config.dns, ...(secure ? { secure } : {}) };
  const edge = await open(config, storeUrl, sockets, log, await lockSnapshots(config, log));
  const health = { store: undefined, edge: async () => edge.status(), metrics: () => edge.metrics() };
  const metrics = await serveMetrics(metricsEndpoint(config), operatorExtras(health));
  process.stdout.write(edgeGreeting(config));
  await edge.ready;
  log.info("the edge is ready");
  freeMemoryOnceIdle();
  return { close: () => Promise.all([metrics.close(), edge.close()]).then(() => {}) };
}

type Given = Pick<EdgeOptions, "listen" | "secure" | "takesOver">;

const megabyte = 2 ** 20;
const snapshotDirectory = (config: Config) => join(config.data, "edge");

/** Locks the directory of snapshots. Returns false if that fails: the edge then needs its store after a restart. */
async function lockSnapshots(config: Config, log: Log): Promise<boolean> {
  try {
    await holdDirectory(snapshotDirectory(config));
    return true;
  } catch (error) {
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, "no snapshots of zones are written");
    return false;
  }
}

function open(config: Config, storeUrl: string, { listen, secure, takesOver }: Given, log: Log, hasSnapshots: boolean) {
  return startEdge({
    listen,
    ...(secure ? { secure } : {}),
    proxies: config.dnsProxy,
    site: postgresSite(storeUrl, config.databaseUrl === undefined),
    log,
    udp: config.udp,
    geo: config.geo,
    ...(config.serveNetworks.length > 0 ? { networks: [...new Set(config.serveNetworks)].sort((a, b) => a - b) } : {}),
    cookieSecrets: config.cookieSecret.map((secret) => Buffer.from(secret, "hex")),
    limits: {
      answers: config.dnsLimit,
      equal: config.dnsEqualLimit,
      errors: config.dnsErrorLimit,
      exempt: config.dnsLimitExempt.flatMap((text) => scanPrefix(text) ?? []),
    },
    ...(config.nsid === undefined ? {} : { nsid: Buffer.from(config.nsid) }),
    masterKeyFile: masterKeyFile(config),
    snapshots: hasSnapshots ? { directory: snapshotDirectory(config) } : undefined,
    ...(config.dnstap === undefined
      ? {}
      : {
          queryLog: {
            target: config.dnstap,
            sample: config.dnstapSample,
            identity: config.nsid ?? hostname(),
            version,
          },
        }),
    takesOver,
    transfers: config.transfersOut,
    memoryLimit: config.edgeMemoryLimit * megabyte,
    id: `${hostname()}:${config.dns[0]?.port}`,
    ...(config.workers === undefined ? {} : { workers: config.workers }),
  });
}

async function run(config: Config, storeUrl: string, given: Given, log: Log): Promise<Running> {
  raiseSession();
  const running = await open(config, storeUrl, given, log, true);
  await running.ready;
  return {
    async answer(question) {
      if (question === "metrics") return await running.metrics();
      return JSON.stringify(question === "keep" ? await running.writeSnapshot() : running.status());
    },
    retire: () => running.retire(),
    close: () => running.close(),
  };
}
