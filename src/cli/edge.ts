/** `fairlead edge`: DNS without the API, following the store's change stream. */
import { hostname } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { version } from "../config/version.ts";
import type { Edge } from "../edge/edge.ts";
import { scanPrefix } from "../lib/address/ip.ts";
import { type Log, newLog } from "../lib/log.ts";
import { raiseSession } from "../lib/priority.ts";
import { invalid } from "../lib/problem.ts";
import { holdDirectory, masterKeyFile } from "./host/directory.ts";
import { operatorExtras } from "./host/health.ts";
import { metricsEndpoint, serveMetrics } from "./host/metrics.ts";
import { assertFree, dnsPlaces, httpPlaces } from "./host/ports.ts";
import { closeStarted, endOnSignal, hasSupervisor, type Running, runChild } from "./supervisor/child-side.ts";
import { freeMemoryOnceIdle } from "./supervisor/free-memory.ts";
import type { Question, Start } from "./supervisor/link.ts";
import { StandIn } from "./supervisor/stand-in.ts";
import { edgeGreeting } from "./terminal/greeting.ts";
import { hasBecome } from "./user/become.ts";

/** The entry file of a child, and a function that gives this thread its usual priority. */
interface Entry {
  readonly main: string;
  readonly calm: () => void;
}

export async function edge(configure: () => Config, { main, calm }: Entry): Promise<void> {
  if (hasSupervisor())
    return runChild("edge", (start, log) => {
      // the edge before it answers meanwhile, and must not be displaced
      if (start.takesOver) calm();
      return calmOnceReady(start.isAlone ? runAlone(start, log) : run(start, log), calm);
    });
  const config = configure();
  const { databaseUrl: storeUrl } = config;
  if (storeUrl === undefined) throw invalid("fairlead edge requires --database-url", { key: "--database-url" });
  const log = newLog(config.log, "edge");
  const ports = async () => {
    await assertFree(httpPlaces({ metrics: metricsEndpoint(config) }));
    await assertFree(dnsPlaces(config));
  };
  const { claim } = await import("./supervisor/claim.ts");
  const { env } = await claim({ config, main, log, ports });
  // a child has the priority of the thread that starts it
  if (hasBecome()) calm();
  const running = hasBecome()
    ? (await import("./supervisor/alone.ts")).runForRoot({ role: "edge", main, env, config, storeUrl, log })
    : calmOnceReady(startAlone(config, storeUrl, log), calm);
  endOnSignal(() => closeStarted(running));
  process.on("SIGHUP", () => log.warn("nothing was reloaded: restart an edge that runs without a supervisor"));
  await running;
  freeMemoryOnceIdle();
}

/** Milliseconds. An edge without a snapshot may have to build all zones first, for which nobody else must wait. */
const hurryFor = 10_000;

/** Ends the hurry of the start: the thread that follows changes must not displace those that answer. */
function calmOnceReady<T>(running: Promise<T>, calm: () => void): Promise<T> {
  const late = setTimeout(calm, hurryFor).unref();
  const end = () => {
    clearTimeout(late);
    calm();
  };
  running.then(end, end);
  return running;
}

/** Returns sockets and certificate for encrypted DNS. The code for them is loaded only when it is needed. */
async function secureOf(config: Config) {
  const { tlsCert, tlsKey, dot, doh } = config;
  if (tlsCert === undefined && tlsKey === undefined && dot.length + doh.length === 0) return undefined;
  const { provideCertificate, secureSockets } = await import("./host/certificate.ts");
  const certificate = await provideCertificate(config);
  return certificate && { listen: secureSockets(config), certificate };
}

async function startAlone(config: Config, storeUrl: string, log: Log): Promise<Running> {
  const secure = await secureOf(config);
  // loaded only when it is needed
  const xdp = config.xdp.length > 0 ? (await import("./supervisor/xdp.ts")).ownQueues(config, log) : [];
  return await runAlone({ config, storeUrl, listen: config.dns, ...(secure ? { secure } : {}), xdp }, log);
}

async function runAlone({ metrics: fd, ...given }: Given, log: Log): Promise<Running> {
  const { config } = given;
  const edge = await open(given, log, await lockSnapshots(config, log));
  const health = { store: undefined, edge: async () => edge.status(), metrics: () => edge.metrics() };
  const metrics = await serveMetrics(metricsEndpoint(config), operatorExtras(health), fd);
  process.stdout.write(edgeGreeting(config));
  await edge.ready;
  log.info("the edge is ready");
  return {
    answer: (question) => answer(edge, question),
    close: () => Promise.all([metrics.close(), edge.close()]).then(() => {}),
  };
}

type Given = Pick<Start, "config" | "storeUrl" | "listen" | "secure" | "xdp" | "takesOver" | "metrics">;

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

async function open({ config, storeUrl, listen, secure, xdp, takesOver }: Given, log: Log, hasSnapshots: boolean) {
  // not loaded by a process of root, whose child is the edge
  const [{ startEdge }, { postgresSite }] = await Promise.all([
    import("../edge/start.ts"),
    import("../sync/postgres/site.ts"),
  ]);
  return await startEdge({
    listen,
    ...(secure ? { secure } : {}),
    ...(xdp ? { xdp } : {}),
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

async function answer(edge: Edge, question: Question): Promise<string> {
  if (question === "metrics") return await edge.metrics();
  return JSON.stringify(question === "keep" ? await edge.writeSnapshot() : edge.status());
}

async function run(given: Given, log: Log): Promise<Running> {
  raiseSession();
  const running = await open(given, log, true);
  await running.ready;
  const standIn = new StandIn(given, log);
  return {
    answer: (question) => answer(running, question),
    number: (holder) => standIn.number(holder),
    retire: () => Promise.all([standIn.close(), running.retire()]).then(() => {}),
    close: () => Promise.all([standIn.close(), running.close()]).then(() => {}),
  };
}
