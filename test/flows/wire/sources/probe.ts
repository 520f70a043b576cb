/**
 * Runs inside a network namespace: sends datagrams with forged sources to edges there, and prints the results as JSON.
 * Arguments: the port of DNS and that of metrics, of each edge in turn.
 */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { summary } from "../../../engine/states.ts";
import { queryOf } from "../../../scenarios/image.ts";
import { metric } from "../metrics.ts";
import { apex } from "../zone.ts";
import { type Endpoint, RawSender } from "./raw.ts";

export interface Probed {
  /** By forged source: the answer to a plain query sent afterwards. */
  readonly after: Readonly<Record<string, string>>;
  /** The growth of the edge's counters by the forged datagrams alone. */
  readonly dropped: number;
  readonly datagrams: number;
  readonly restarts: number;
  /** By queried address: the source address of the reply. */
  readonly replies: Readonly<Record<string, string>>;
}

const asked = ["10.9.0.1", "10.9.0.2", "fd00::1", "fd00::2"];
const query = (id: number) => queryOf({ name: apex, type: "SOA", id });
const payloads = [query(7), Uint8Array.from([0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), new Uint8Array(3)];
const forged = (own: Endpoint): Readonly<Record<string, Endpoint>> => ({
  "port 0": { address: "10.9.0.7", port: 0 },
  "the address and port that are asked": own,
  "another address of ours, and our port": { address: "10.9.0.2", port: own.port },
  "the broadcast address": { address: "255.255.255.255", port: 4096 },
  "the broadcast address of the network": { address: "10.9.0.255", port: 4096 },
  "no address": { address: "0.0.0.0", port: 4096 },
  "a multicast address": { address: "224.0.0.251", port: 5353 },
  "a reserved address": { address: "240.0.0.1", port: 4096 },
  "an address that leads nowhere": { address: "198.51.100.1", port: 4096 },
});

const raw = new RawSender();
const ports = process.argv.slice(2).map(Number);
const probed: Probed[] = [];
for (let at = 0; at < ports.length; at += 2) probed.push(await probe(ports[at]!, ports[at + 1]!));
process.stdout.write(JSON.stringify(probed));

async function probe(port: number, metrics: number): Promise<Probed> {
  const own = { address: "10.9.0.1", port };
  await untilAnswered(own);
  const url = `http://127.0.0.1:${metrics}/metrics`;
  await untilServed(url);
  const counts = (name: string) => metric(url, name);
  const before = [await counts("fairlead_udp_dropped_total"), await counts("fairlead_udp_datagrams_total")];
  const after: Record<string, string> = {};
  for (const [name, from] of Object.entries(forged(own))) {
    for (const payload of payloads) raw.send(from, own, payload);
    after[name] = (await ask(own)).answer;
  }
  // answers to our own address would loop
  await delay(300);
  const replies: Record<string, string> = {};
  for (const address of asked) replies[address] = (await ask({ address, port })).from;
  return {
    after,
    dropped: (await counts("fairlead_udp_dropped_total")) - before[0]!,
    datagrams: (await counts("fairlead_udp_datagrams_total")) - before[1]!,
    restarts: await counts("fairlead_edge_worker_restarts_total"),
    replies,
  };
}

/** Asks, and accepts the reply from any address. */
async function ask({ address, port }: Endpoint, within = 5000): Promise<{ answer: string; from: string }> {
  const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
  try {
    const reply = once(socket, "message", { signal: AbortSignal.timeout(within) });
    socket.send(query(9), port, address);
    const [octets, from]: [Buffer, Endpoint] = (await reply) as [Buffer, Endpoint];
    return { answer: octets[1] === 9 ? summary(octets) : "another ID", from: from.address };
  } finally {
    socket.close();
  }
}

async function untilAnswered(server: Endpoint): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const found = await ask(server, 300).catch(() => undefined);
    if (found?.answer.startsWith("NOERROR")) return;
  }
  throw new Error(`no answer on port ${server.port}`);
}

/** An edge answers before it serves its metrics. */
async function untilServed(url: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const isServed = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isServed) return;
    await delay(50);
  }
  throw new Error(`no server at ${url}`);
}
