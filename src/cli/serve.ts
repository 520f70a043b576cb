/** `fairlead serve`: the supervisor. Starts the store, opens the DNS sockets, keeps control and edge running. */
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { DnsSocket } from "../edge/start.ts";
import { type Log, newLog } from "../lib/log.ts";
import { closeFd, openTcp, openUdp } from "../net/sockets.ts";
import { startPostgres } from "../storage/postgres.ts";
import { endOnSignal } from "./child.ts";
import { holdDirectory } from "./directory.ts";
import { greeting } from "./greeting.ts";
import type { Question, Role } from "./link.ts";
import { assertFree } from "./ports.ts";
import { Child } from "./supervisor.ts";

/** Runs until a signal ends it. `main` is the file that a child starts with. */
export async function serve(config: Config, main: string): Promise<void> {
  const log = newLog(config.log, "supervisor");
  const starting = start(config, main, log);
  endOnSignal(() => starting);
  await starting;
  process.stdout.write(greeting(config, process.stdout.isTTY ? firstKey(config) : undefined));
}

async function start(config: Config, main: string, log: Log) {
  await holdDirectory(config.data);
  for (const endpoint of config.dns) await assertFree("--dns", endpoint);
  const store = await openStore(config, log);
  const { listen, descriptors } = openSockets(config);
  const children = new Map<Role, Child>();
  const relay = async (of: Role, what: Question) => children.get(of)!.ask(what);
  const stop = async () => {
    await Promise.all([...children.values()].map((child) => child.stop()));
    for (const descriptor of descriptors) closeFd(descriptor);
    await store.stop();
  };
  const message = { kind: "start", config, storeUrl: store.url, listen } as const;
  for (const role of ["control", "edge"] as const) {
    const own = role === "edge" ? descriptors : [];
    children.set(role, new Child({ role, main, log, start: message, descriptors: own, relay }));
  }
  try {
    await Promise.all([...children.values()].map((child) => child.ready));
  } catch (error) {
    await stop();
    throw error;
  }
  return { close: stop };
}

const openStore = async (config: Config, log: Log) =>
  config.databaseUrl === undefined
    ? await startPostgres({
        directory: config.data,
        log,
        ...(config.postgresBin === undefined ? {} : { binDir: config.postgresBin }),
      })
    : { url: config.databaseUrl, stop: async () => {} };

/**
 * The DNS sockets belong to the supervisor, so that an edge can be replaced while queries wait in their buffers.
 * In the child the descriptors follow stdin, stdout, stderr and the IPC channel: the first is 4.
 */
function openSockets(config: Config): { listen: DnsSocket[]; descriptors: number[] } {
  const descriptors: number[] = [];
  const hand = (descriptor: number) => 3 + descriptors.push(descriptor);
  const workers = config.workers ?? Math.min(4, availableParallelism());
  const listen = config.dns.map(({ address, port }) => ({
    address,
    port,
    udpFds: config.udp === "portable" ? [] : Array.from({ length: workers }, () => hand(openUdp(address, port))),
    tcpFd: hand(openTcp(address, port)),
  }));
  return { listen, descriptors };
}

function firstKey(config: Config): string | undefined {
  const file = join(config.data, "credentials.json");
  if (!existsSync(file)) return undefined;
  return /"key": "([^"]*)"/.exec(readFileSync(file, "utf8"))?.[1];
}
