/** `fairlead serve`: the supervisor. Starts the store, opens the DNS sockets, keeps control and edge running. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Config } from "../config.ts";
import type { FirstSteps } from "../control/bootstrap.ts";
import type { DnsSocket, SecureSocket } from "../edge/start.ts";
import { credentialsFile } from "../lib/credentials.ts";
import { type Log, newLog } from "../lib/log.ts";
import { readMasterKeys } from "../lib/secrets.ts";
import { hasLibc } from "../net/libc.ts";
import { closeFd, openTcp, openUdp } from "../net/sockets.ts";
import { openStore } from "../storage/db.ts";
import { startPostgres } from "../storage/postgres.ts";
import { provideCertificate, secureSockets } from "./certificate.ts";
import { endOnSignal } from "./child.ts";
import { holdDirectory, masterKeyFile } from "./directory.ts";
import { greeting, keyShown } from "./greeting.ts";
import type { Question, Role } from "./link.ts";
import { assertDnsFree } from "./ports.ts";
import { Child } from "./supervisor.ts";

/** Runs until a signal ends it. `main` is the file that a child starts with. */
export async function serve(config: Config, main: string): Promise<void> {
  const log = newLog(config.log, "supervisor");
  const ending = new AbortController();
  const starting = start(config, main, log, ending.signal);
  endOnSignal(async () => {
    ending.abort();
    await (await starting).close();
  });
  await starting;
  if (ending.signal.aborted) return;
  const { firstSteps } = await starting;
  process.stdout.write(greeting(config, { ...(await firstSteps()), ...keyShown(config), dns: config.dns }));
}

/** Resolves when everything runs; as soon as what there is can be closed, when it is to end before. */
async function start(config: Config, main: string, log: Log, ending: AbortSignal) {
  await holdDirectory(config.data);
  const keys = masterKeyFile(config);
  if (existsSync(keys)) readMasterKeys(keys);
  await assertDnsFree(config);
  const certificate = provideCertificate(config);
  const store = await reachStore(config, log);
  const children = new Map<Role, Child>();
  const descriptors: number[] = [];
  const relay = async (of: Role, what: Question) => children.get(of)!.ask(what);
  const close = async () => {
    await Promise.all([...children.values()].map((child) => child.stop()));
    for (const descriptor of descriptors) closeFd(descriptor);
    await store.stop();
  };
  try {
    const listen = openSockets(config, descriptors);
    const secure = certificate && { listen: openSecure(config, descriptors), certificate };
    const start = { kind: "start", config, storeUrl: store.url, listen, ...(secure ? { secure } : {}) } as const;
    for (const role of ["control", "edge"] as const) {
      children.set(role, new Child({ role, main, log, start, descriptors: role === "edge" ? descriptors : [], relay }));
    }
    const ready = Promise.all([...children.values()].map((child) => child.ready));
    await Promise.race([ready, aborted(ending)]);
  } catch (error) {
    await close();
    throw error;
  }
  const firstSteps = (): Promise<FirstSteps> =>
    relay("control", "status").then(JSON.parse, () => ({
      hasKey: existsSync(credentialsFile(config.data)),
      hasZones: true,
    }));
  return { close, firstSteps };
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
    await (await openStore(postgres.url, { log, poolSize: 1 })).close();
    return postgres;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/**
 * The DNS sockets belong to the supervisor, so that an edge can be replaced while queries wait in their buffers.
 * They are added to `descriptors`, which in the child follow stdin, stdout, stderr and the IPC channel: the first is 4.
 * Where the system's sockets cannot be reached the edge opens its own.
 */
function openSockets(config: Config, descriptors: number[]): DnsSocket[] {
  if (!hasLibc()) return [...config.dns];
  const hand = (descriptor: number) => 3 + descriptors.push(descriptor);
  const workers = config.workers ?? Math.min(4, availableParallelism());
  return config.dns.map(({ address, port }) => ({
    address,
    port,
    udpFds: config.udp === "portable" ? [] : Array.from({ length: workers }, () => hand(openUdp(address, port))),
    tcpFd: hand(openTcp(address, port)),
  }));
}

/** The same for those of TLS and HTTPS. */
function openSecure(config: Config, descriptors: number[]): SecureSocket[] {
  return secureSockets(config).map((socket) =>
    hasLibc() ? { ...socket, fd: 3 + descriptors.push(openTcp(socket.address, socket.port)) } : socket,
  );
}
