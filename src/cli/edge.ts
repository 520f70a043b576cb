/** `fairlead edge`: DNS without the API, following the store's change stream. */
import { hostname } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { version } from "../config/version.ts";
import type { Edge } from "../edge/edge.ts";
import { scanPrefix } from "../lib/address/ip.ts";
import { type Log, newLog } from "../lib/log.ts";
import { invalid } from "../lib/problem.ts";
import { takeLongSlices } from "../lib/system/priority.ts";
import type { ReloadRequest } from "./commands/reload.ts";
import { holdDirectory, masterKeyFile } from "./host/directory.ts";
import { operatorExtras } from "./host/health.ts";
import { metricsEndpoint, serveMetrics } from "./host/metrics.ts";
import { assertFree, dnsPlaces, httpPlaces } from "./host/ports.ts";
import { Succession } from "./succession/succession.ts";
import { closeStarted, endOnSignal, hasSupervisor, type Running, runChild } from "./supervisor/child-side.ts";
import { freeMemoryOnceIdle } from "./supervisor/free-memory.ts";
import type { Question, Start } from "./supervisor/link.ts";
import { DnsSockets, hereIn } from "./supervisor/sockets.ts";
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
  const succession = await Succession.begin();
  try {
    await runAsService({ config, storeUrl, log, succession, main, calm });
  } catch (error) {
    await succession.failed(error);
    throw error;
  }
}

interface Service extends Entry, Pick<Start, "config" | "storeUrl"> {
  readonly log: Log;
  readonly succession: Succession;
}

/** Runs without a supervisor: this process has the sockets, and starts the one that follows it. */
async function runAsService({ config, storeUrl, log, succession, main, calm }: Service): Promise<void> {
  const { held, position } = succession;
  const ports = async () => {
    await assertFree(httpPlaces({ metrics: metricsEndpoint(config) }), { has: (_, one) => held.has("http", one) });
    await assertFree(dnsPlaces(config), hereIn(held));
  };
  const { claim } = await import("./supervisor/claim.ts");
  const { env } = await claim({ config, main, log, ports });
  // a child has the priority of the thread that starts it, and the edge before it must not be displaced
  if (hasBecome() || position) calm();
  const running = hasBecome()
    ? (await import("./supervisor/alone.ts")).runForRoot({ role: "edge", main, env, config, storeUrl, held, log })
    : calmOnceReady(startAlone({ config, storeUrl, log, succession }), calm);
  endOnSignal(() => closeStarted(running));
  const edge = await running;
  const retire = async () => await edge.retire?.();
  const take = async ({ program = { node: process.execPath, main: process.argv[1]! } }: ReloadRequest) => {
    const position = JSON.parse(await edge.answer("keep"));
    const done = await succession.handOver({ config, program, position, retire });
    log.info(done);
    return done;
  };
  const takeInTurn = inTurn(take);
  await succession.lead({ data: config.data, take: takeInTurn }, log);
  const complain = (error: unknown) => log.error({ reason: String(error) }, "nothing was reloaded");
  process.on("SIGHUP", () => takeInTurn({}).catch(complain));
  freeMemoryOnceIdle();
}

/** Calls one after the other. */
function inTurn<A, B>(act: (given: A) => Promise<B>): (given: A) => Promise<B> {
  let last: Promise<unknown> = Promise.resolve();
  return (given) => {
    const acted = last.then(() => act(given));
    last = acted.catch(() => {});
    return acted;
  };
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

async function startAlone({ config, storeUrl, log, succession }: Omit<Service, keyof Entry>): Promise<Running> {
  const { held, position } = succession;
  const { listen, secure } = await new DnsSockets(held, log, { isForChild: false }).hand(config);
  const metrics = held.takeHttp(metricsEndpoint(config));
  succession.keepSockets(log);
  // loaded only when it is needed
  const xdp = config.xdp.length > 0 ? (await import("./supervisor/xdp.ts")).ownQueues(config, log) : [];
  const given = {
    ...{ config, storeUrl, listen, xdp },
    ...(secure ? { secure } : {}),
    ...(metrics === undefined ? {} : { metrics }),
    ...(position ? { takesOver: position } : {}),
  };
  return await runAlone(given, log, (directory) => succession.hold(directory));
}

async function runAlone(
  { metrics: fd, ...given }: Given,
  log: Log,
  hold: (directory: string) => Promise<unknown> = holdDirectory,
): Promise<Running> {
  const { config } = given;
  const edge = await open(given, log, await lockSnapshots(config, log, hold));
  const health = { store: undefined, edge: async () => edge.status(), metrics: () => edge.metrics() };
  const metrics = await serveMetrics(metricsEndpoint(config), operatorExtras(health), fd);
  process.stdout.write(edgeGreeting(config));
  await edge.ready;
  log.info("the edge is ready");
  return {
    answer: (question) => answer(edge, question),
    retire: () => Promise.all([metrics.close(), edge.retire()]).then(() => {}),
    close: () => Promise.all([metrics.close(), edge.close()]).then(() => {}),
  };
}

type Given = Pick<Start, "config" | "storeUrl" | "listen" | "secure" | "xdp" | "takesOver" | "metrics">;

const megabyte = 2 ** 20;
const snapshotDirectory = (config: Config) => join(config.data, "edge");

/** Locks the directory of snapshots. Returns false if that fails: the edge then needs its store after a restart. */
async function lockSnapshots(
  config: Config,
  log: Log,
  hold: (directory: string) => Promise<unknown>,
): Promise<boolean> {
  try {
    await hold(snapshotDirectory(config));
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
    tailAddresses: config.tailAddresses,
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
    version,
    ...(config.workers === undefined ? {} : { workers: config.workers }),
  });
}

async function answer(edge: Edge, question: Question): Promise<string> {
  if (question === "metrics") return await edge.metrics();
  return JSON.stringify(question === "keep" ? await edge.writeSnapshot() : edge.status());
}

async function run(given: Given, log: Log): Promise<Running> {
  takeLongSlices();
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
