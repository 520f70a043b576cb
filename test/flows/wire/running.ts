/** The servers for the tables: a whole service, and an edge with portable UDP on its store, over IPv4 and IPv6. */
import { join } from "node:path";
import { type Daemon, freePort } from "../../machine/processes.ts";
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
  readonly ports: { readonly dns: number; readonly dot: number; readonly doh: number };
  /** Fails when a process or a worker was replaced since the start, or a query met a fault. */
  assertUnharmed(): Promise<void>;
  stop(): Promise<void>;
}

export interface RunningWithPortable extends Running {
  readonly ports: Running["ports"] & { readonly portable: number };
}

const everywhere = (flag: string, port: number) => [flag, `127.0.0.1:${port}`, flag, `[::1]:${port}`];

export async function startRunning(): Promise<Running> {
  const [http, dns, dot, doh] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const databaseUrl = await testDatabase();
  const running = await service({
    ports: { http, dns },
    flags: [
      ...["--dns", `[::1]:${dns}`, ...everywhere("--dot", dot), ...everywhere("--doh", doh)],
      ...["--database-url", databaseUrl, "--nameservers", `ns1.${zone}`, "--workers", "2", "--nsid", nsid],
    ],
  });
  try {
    await fill(running);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return {
    service: running,
    databaseUrl,
    ports: { dns, dot, doh },
    async assertUnharmed() {
      await assertFaultless(`${running.operator}/metrics`, running.daemon);
      if (/child ended|a worker/.test(running.daemon.printed)) throw new Error(running.daemon.printed);
    },
    stop: async () => void (await running.stop()),
  };
}

/** Also starts the edge with portable UDP. */
export async function startWithPortable(): Promise<RunningWithPortable> {
  const running = await startRunning();
  const { service, databaseUrl } = running;
  const [portable, metrics] = [await freePort(), await freePort()];
  const masterKey = ["--master-key-file", join(service.data, "master.key")];
  const flags = ["--udp", "portable", ...everywhere("--dns", portable), ...masterKey, "--nsid", nsid];
  const edge = new EdgeProcess({ databaseUrl, metrics, flags });
  await edge.ready();
  return {
    ...running,
    ports: { ...running.ports, portable },
    async assertUnharmed() {
      await running.assertUnharmed();
      await assertFaultless(edge.metricsUrl, edge.daemon);
    },
    async stop() {
      await edge.stop();
      await running.stop();
    },
  };
}

async function assertFaultless(url: string, { printed }: Daemon): Promise<void> {
  for (const name of ["fairlead_edge_worker_restarts_total", "fairlead_dns_faults_total"]) {
    const count = await metric(url, name);
    if (count !== 0) throw new Error(`${name} is ${count}:\n${printed}`);
  }
}

/** Writes the zone's lines over the API, except the apex NS record, which the service has already made. */
async function fill(running: Service): Promise<void> {
  await running.zone(zone, { nx_ttl: 60 });
  const put = recordsOf(zone, lines)
    .filter(({ domain, type }) => !(domain === zone && type === "NS"))
    .map(({ domain, type, ttl, answers }) => ({ domain, type, ttl, answers }));
  const { status, body } = await running.api("POST", `zones/${zone}/records`, { put });
  if (status !== 200) throw new Error(JSON.stringify(body));
  await running.daemon.until(async () => (await running.dig(`www.${zone} A`)).includes("192.0.2.10"));
}
