/** The servers for the tables: a whole service, and an edge with portable UDP on its store, over IPv4 and IPv6. */
import { join } from "node:path";
import { freePort } from "../../machine/processes.ts";
import { recordsOf } from "../../scenarios/image.ts";
import { type Service, service } from "../../service/kit.ts";
import { testDatabase } from "../../store/store.ts";
import { EdgeProcess } from "./edge-process.ts";
import { metric } from "./metrics.ts";
import { lines, nsid, zone } from "./zone.ts";

export interface Running {
  readonly service: Service;
  /** The URL of the service's store. */
  readonly databaseUrl: string;
  readonly ports: { readonly dns: number; readonly dot: number; readonly doh: number; readonly portable: number };
  /** Fails when a process or a worker was replaced since the start, or a query met a fault. */
  assertUnharmed(): Promise<void>;
  stop(): Promise<void>;
}

const everywhere = (flag: string, port: number) => [flag, `127.0.0.1:${port}`, flag, `[::1]:${port}`];

export async function startRunning(flags: readonly string[] = []): Promise<Running> {
  const [http, dns, dot, doh, portable, metrics] = await Promise.all(Array.from({ length: 6 }, freePort));
  const databaseUrl = await testDatabase();
  const own = ["--dns", `[::1]:${dns}`, ...everywhere("--dot", dot!), ...everywhere("--doh", doh!)];
  const running = await service({
    ports: { http: http!, dns: dns! },
    flags: [
      ...own,
      "--database-url",
      databaseUrl,
      "--nameservers",
      `ns1.${zone}`,
      "--workers",
      "2",
      "--nsid",
      nsid,
      ...flags,
    ],
  });
  try {
    await fill(running);
  } catch (error) {
    await running.stop();
    throw error;
  }
  const masterKey = ["--master-key-file", join(running.data, "master.key")];
  const flagsOfEdge = ["--udp", "portable", ...everywhere("--dns", portable!), ...masterKey, "--nsid", nsid];
  const edge = new EdgeProcess({ databaseUrl, metrics: metrics!, flags: flagsOfEdge });
  await edge.ready();
  const urls = [`${running.operator}/metrics`, edge.metricsUrl];
  return {
    service: running,
    databaseUrl,
    ports: { dns: dns!, dot: dot!, doh: doh!, portable: portable! },
    async assertUnharmed() {
      for (const url of urls) {
        for (const name of ["fairlead_edge_worker_restarts_total", "fairlead_dns_faults_total"]) {
          const count = await metric(url, name);
          if (count !== 0) throw new Error(`${name} is ${count}:\n${running.daemon.printed}${edge.daemon.printed}`);
        }
      }
      if (/child ended|a worker/.test(running.daemon.printed)) throw new Error(running.daemon.printed);
    },
    async stop() {
      await edge.stop();
      await running.stop();
    },
  };
}

/** Writes the zone's lines over the API, except the apex NS record, which the service has already made. */
async function fill(running: Service): Promise<void> {
  await running.zone(zone, { nx_ttl: 60 });
  const put = recordsOf(zone, lines)
    .filter(({ domain, type }) => !(domain === zone && type === "NS"))
    .map(({ domain, type, ttl, answers }) => ({ domain, type, ttl, answers }));
  const { status, body } = await running.api("POST", `zones/${zone}/records`, { put });
  if (status !== 200) throw new Error(JSON.stringify(body));
}
