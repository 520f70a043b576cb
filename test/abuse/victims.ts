/** Victims: calls and queries of another tenant, one after the other, each measured. */
import { once } from "node:events";
import { Agent, request } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { exchange } from "../../src/net/client/exchange.ts";
import { freePort } from "../machine/processes.ts";
import { askHttp2, coded, get } from "../network/doh.ts";
import { openTls } from "../network/streams.ts";
import { queryOf } from "../scenarios/image.ts";
import { type Client, clientOf } from "../service/client.ts";
import type { Ports } from "./attack.ts";
import { Primary } from "./primary.ts";
import { framed, open, transfer } from "./stream.ts";

const victimZone = "victim.example";
const name = `www.${victimZone}`;

export interface Home {
  readonly url: string;
  readonly ports: Ports;
  readonly key: string;
}

/** One call or query; throws when it fails. */
type Step = (home: Home, number: number) => Promise<unknown>;

const record = { zone: victimZone, domain: name, type: "A" };
const path = `zones/${victimZone}/${name}/A`;
/** Milliseconds after which a step has failed: nothing may hold up the run. */
const patience = 30_000;

const clients = new Map<string, Client>();
const clientFor = ({ url, key }: Home) => {
  const known = clients.get(key) ?? clientOf(url, key);
  clients.set(key, known);
  return known;
};

const query = queryOf({ name, type: "A" });

function assertAnswer(reply: Uint8Array): void {
  if (((reply[6]! << 8) | reply[7]!) !== 1) throw new Error("the answer is missing");
}

const dns = (transport: "udp" | "tcp"): Step => {
  return async ({ ports }) => {
    const server = { address: "127.0.0.1", port: ports.dns, transport, timeout: 5000, attempts: 1 };
    assertAnswer(await exchange(server, query));
  };
};

const victims = {
  /** Reads and writes of a record, in turn. */
  api: (home, number) => (number % 2 === 0 ? clientFor(home).must("GET", path) : write(home, number)),
  /** Reads, while others write fifteen times a second. */
  reads: async (home, number) => {
    if (performance.now() - lastWrite.at > 1000 / 15) {
      lastWrite.at = performance.now();
      lastWrite.done = write(home, number);
      lastWrite.done.catch(() => {});
    }
    await clientFor(home).must("GET", path);
    if (number % 10 === 0) await lastWrite.done;
  },
  /** Reads over a new connection each. */
  connections: (home) => read(home),
  udp: dns("udp"),
  tcp: dns("tcp"),
  /** Queries over connections that are kept, each of which is quiet for a second between two. */
  kept: async ({ ports }, number) => {
    await delay(1000 / keptConnections);
    const place = `${ports.dns} ${number % keptConnections}`;
    const known = kept.get(place);
    // after a pause between two measurements, it may have been closed as idle
    const isKept = known !== undefined && performance.now() - known.at < 5000;
    const socket = isKept ? known.socket : open(ports.dns).resume();
    if (socket.destroyed) {
      kept.delete(place);
      throw new Error("a connection that is kept was closed");
    }
    kept.set(place, { socket, at: performance.now() });
    socket.write(framed(query));
    const [reply]: Buffer[] = await once(socket, "data", { signal: AbortSignal.timeout(5000) });
    assertAnswer(reply!.subarray(2));
  },
  /** Notices from a primary, each until the primary is asked. */
  notices: async ({ ports }, number) => (await notifying()).notify(`s${number % secondaries}.${victimZone}`, ports.dns),
  tls: async ({ ports }) => {
    const socket = await openTls(ports.dot);
    try {
      socket.write(framed(query));
      const [reply]: Buffer[] = await once(socket, "data");
      assertAnswer(reply!.subarray(2));
    } finally {
      socket.destroy();
    }
  },
  https: async ({ ports }) => assertAnswer((await askHttp2(ports.doh, get(`?dns=${coded(query)}`))).body),
  transfers: ({ ports }) => transfer(ports.dns, victimZone),
  /** Pushes to a feed, each until the answer over DNS has changed. */
  feeds: async (home, number) => {
    const label = number % feeds;
    const isUp = Math.floor(number / feeds) % 2 === 1;
    await clientFor(home).must("POST", `feed/${await sourceOf(home)}`, { [`f${label}`]: { up: isUp } });
    const server = {
      address: "127.0.0.1",
      port: home.ports.dns,
      transport: "udp",
      timeout: 5000,
      attempts: 1,
    } as const;
    const asked = queryOf({ name: `f${label}.${victimZone}`, type: "A" });
    const until = performance.now() + 5000;
    // the other answer is always up
    while (((await exchange(server, asked))[7] === 2) !== isUp) {
      if (performance.now() > until) throw new Error("the pushed value is not in the answer");
      await delay(1);
    }
  },
} satisfies Record<string, Step>;

const lastWrite = { at: 0, done: Promise.resolve<unknown>(undefined) };

const write = (home: Home, number: number) =>
  clientFor(home).must("POST", path, { ...record, answers: [{ answer: [`192.0.2.${number % 250}`] }] });

const keptConnections = 100;
const kept = new Map<string, { readonly socket: Socket; readonly at: number }>();

const secondaries = 40;
let listening: Promise<Primary> | undefined;
const notifying = () => (listening ??= freePort().then((port) => Primary.listen(port)));

/** So many feeds take turns, because pushes to one feed are sent ten times a second. */
const feeds = 40;

const sourceOf = async (home: Home) => {
  const known = sources.get(home.url);
  const [found] = known === undefined ? await clientFor(home).must<{ id: string }[]>("GET", "data/sources") : [];
  if (found) sources.set(home.url, found.id);
  return known ?? found!.id;
};
const sources = new Map<string, string>();

export type VictimKind = keyof typeof victims;

/** Makes the zone of victims and, for those that need them, feeds or secondary zones. */
export async function prepareVictim(kind: VictimKind, home: Home): Promise<void> {
  const client = clientFor(home);
  const primary = { enabled: true, secondaries: [{ ip: "127.0.0.1", port: 53 }] };
  await client.must("PUT", `zones/${victimZone}`, { zone: victimZone, primary });
  await client.must("PUT", path, { ...record, answers: [{ answer: ["192.0.2.1"] }] });
  if (kind === "notices") {
    const from = await notifying();
    for (let n = 0; n < secondaries; n++) {
      const zone = `s${n}.${victimZone}`;
      const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: from.port };
      await client.must("PUT", `zones/${zone}`, { zone, secondary });
    }
    // the edge learns of the primary
    const isHeard = () =>
      from.notify(`s0.${victimZone}`, home.ports.dns).then(
        () => true,
        () => false,
      );
    for (let tries = 0; !(await isHeard()); tries++) if (tries === 20) throw new Error("no notice led to a question");
  }
  if (kind !== "feeds") return;
  await client.must("PUT", "data/sources", { name: "victim", sourcetype: "nsone_v1", config: {} });
  const source = await sourceOf(home);
  for (let n = 0; n < feeds; n++) {
    const domain = `f${n}.${victimZone}`;
    const { id } = await client.must<{ id: string }>("PUT", `data/feeds/${source}`, {
      name: `f${n}`,
      config: { label: `f${n}` },
    });
    await client.must("PUT", `zones/${victimZone}/${domain}/A`, {
      ...{ zone: victimZone, domain, type: "A", filters: [{ filter: "up", config: {} }] },
      answers: [
        { answer: ["192.0.2.1"], meta: { up: { feed: id } } },
        { answer: ["192.0.2.2"], meta: { up: true } },
      ],
    });
  }
}

const agent = new Agent({ keepAlive: false });

const read = ({ url, key }: Home) =>
  new Promise<void>((done, fail) => {
    const sent = request(`${url}/v1/${path}`, { agent, headers: { "X-NSONE-Key": key } }, (reply) => {
      reply.resume().on("error", fail);
      reply.on("end", () => (reply.statusCode === 200 ? done() : fail(new Error(`status ${reply.statusCode}`))));
    });
    sent.on("error", fail).end();
  });

export interface Sample {
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  /** Why the last step failed. */
  readonly reason: string | undefined;
}

/** Measures so many calls at least, and as many as fit into so many milliseconds: short calls need more for their p99. */
export async function measure(kind: VictimKind, home: Home, least: number, milliseconds: number): Promise<Sample> {
  const times: number[] = [];
  let failed = 0;
  let reason: string | undefined;
  const until = performance.now() + milliseconds;
  for (let number = 0; number < least || performance.now() < until; number++) {
    const began = performance.now();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`nothing within ${patience} ms`)), patience);
    await Promise.race([victims[kind](home, number), late.promise]).catch((error: unknown) => {
      failed++;
      reason = String(error);
    });
    clearTimeout(timer);
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * times.length)]!;
  return { p50: at(0.5), p99: at(0.99), failed, reason };
}
