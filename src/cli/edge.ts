/** `fairlead edge`: DNS alone, following the store's change stream. */
import { hostname } from "node:os";
import type { Config } from "../config.ts";
import { type DnsSocket, startEdge } from "../edge/start.ts";
import { type Log, newLog } from "../lib/log.ts";
import { invalid } from "../lib/problem.ts";
import { closeStarted, endOnSignal, hasSupervisor, type Running, runChild } from "./child.ts";
import { edgeMetricsEndpoint, serveMetrics } from "./metrics.ts";
import { assertFree } from "./ports.ts";

export async function edge(configure: () => Config): Promise<void> {
  if (hasSupervisor())
    return runChild("edge", ({ config, storeUrl, listen }, log) => run(config, storeUrl, listen, log));
  const config = configure();
  if (config.databaseUrl === undefined)
    throw invalid("--database-url: an edge alone needs it", { key: "--database-url" });
  for (const endpoint of config.dns) await assertFree("--dns", endpoint);
  const running = runAlone(config, config.databaseUrl);
  endOnSignal(() => closeStarted(running));
  await running;
}

async function runAlone(config: Config, storeUrl: string) {
  const running = await run(config, storeUrl, config.dns, newLog(config.log, "edge"));
  const metrics = await serveMetrics(edgeMetricsEndpoint(config), () => running.tell("metrics"));
  return { close: () => Promise.all([metrics.close(), running.close()]).then(() => {}) };
}

async function run(config: Config, storeUrl: string, listen: readonly DnsSocket[], log: Log): Promise<Running> {
  const running = await startEdge({
    listen,
    storeUrl,
    log,
    udp: config.udp,
    geo: config.geo,
    id: `${hostname()}:${config.dns[0]?.port}`,
    ...(config.workers === undefined ? {} : { workers: config.workers }),
  });
  await running.ready;
  return {
    tell: async (what) => (what === "metrics" ? await running.metrics() : JSON.stringify(running.status())),
    close: () => running.close(),
  };
}
