/** Victims: calls and queries of another tenant, one after the other, each measured. */
import { Agent, request } from "node:http";
import { exchange } from "../../src/net/client/exchange.ts";
import { queryOf } from "../scenarios/image.ts";
import { type Client, clientOf } from "../service/client.ts";
import { transfer } from "./stream.ts";

export const victimZone = "victim.example";
const name = `www.${victimZone}`;

export interface Home {
  readonly url: string;
  readonly http: number;
  readonly dns: number;
  readonly key: string;
}

/** One call or query; throws when it fails. */
type Step = (home: Home, number: number) => Promise<unknown>;

const record = { zone: victimZone, domain: name, type: "A" };
const path = `zones/${victimZone}/${name}/A`;

const clients = new Map<string, Client>();
const clientFor = ({ url, key }: Home) => {
  const known = clients.get(key) ?? clientOf(url, key);
  clients.set(key, known);
  return known;
};

const dns = (transport: "udp" | "tcp"): Step => {
  return async ({ dns: port }) => {
    const server = { address: "127.0.0.1", port, transport, timeout: 5000, attempts: 1 };
    const reply = await exchange(server, queryOf({ name, type: "A" }));
    if (((reply[6]! << 8) | reply[7]!) !== 1) throw new Error("the answer is missing");
  };
};

const victims = {
  /** Reads and writes of a record, in turn. */
  api: (home, number) =>
    number % 2 === 0
      ? clientFor(home).must("GET", path)
      : clientFor(home).must("POST", path, { ...record, answers: [{ answer: [`192.0.2.${number % 250}`] }] }),
  /** Reads over a new connection each. */
  connections: (home) => read(home),
  udp: dns("udp"),
  tcp: dns("tcp"),
  transfers: ({ dns: port }) => transfer(port, victimZone),
} satisfies Record<string, Step>;

export type VictimKind = keyof typeof victims;

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
}

/** Measures so many calls. */
export async function measure(kind: VictimKind, home: Home, count: number): Promise<Sample> {
  const times: number[] = [];
  let failed = 0;
  for (let number = 0; number < count; number++) {
    const began = performance.now();
    await victims[kind](home, number).catch(() => failed++);
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(count - 1, Math.floor(share * count))]!;
  return { p50: at(0.5), p99: at(0.99), failed };
}
