/** A steady load of queries over UDP and TCP to a service, and the outcome of each query. */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint } from "../../src/lib/address/egress.ts";
import type { Random } from "../../src/lib/random.ts";
import { question } from "../dns/message.ts";
import { labels } from "../dns/names.ts";

/** One name, so that every answer is known. */
export const loadName = "www.load.example";
export const loadAddress = "192.0.2.53";

export interface LoadOptions {
  readonly port: number;
  /** Of the service, for UDP: loopback when left out. */
  readonly address?: string;
  /** Queries a second over UDP. */
  readonly rate: number;
  /** Clients over TCP: each asks on one connection for a while, then on another. */
  readonly streams: number;
  readonly random: Random;
}

export interface Tally {
  readonly asked: number;
  readonly lost: number;
  readonly wrong: number;
  /** Answers after more than a second, and the greatest delay, in milliseconds. */
  readonly late: number;
  readonly slowest: number;
}

export interface StreamTally extends Tally {
  readonly connections: number;
  /** Questions asked again because the connection ended before the answer (RFC 7766 section 6.2.4). */
  readonly again: number;
}

/** Queries come from several ports, so that every worker has its share. */
const sockets = 16;
const tick = 4;
/** Milliseconds after which a query counts as lost. */
const patience = 20_000;
const lateAfter = 1000;

export interface Load {
  /** The longest time without an answer over UDP since the last call, in milliseconds. */
  silence(): number;
  /** Ends when every query was answered or lost. */
  end(): Promise<{ readonly udp: Tally; readonly tcp: StreamTally }>;
}

export async function startLoad({ port, address = "127.0.0.1", rate, streams, random }: LoadOptions): Promise<Load> {
  const query = question(labels(loadName), 1);
  const udp = new Count();
  const tcp = new Count();
  const stop = new AbortController();
  const clients = await Promise.all(
    Array.from({ length: sockets }, () => UdpClient.open({ address, port }, query, udp)),
  );
  const sending = send(clients, rate, stop.signal);
  const asking = Array.from({ length: streams }, () => askStreams(port, query, tcp, random, stop.signal));
  return {
    silence: () => udp.silence(),
    async end() {
      stop.abort();
      await sending;
      const connections = await Promise.all(asking);
      const deadline = performance.now() + patience;
      while (performance.now() < deadline && clients.some(({ waiting }) => waiting > 0)) await delay(20);
      for (const client of clients) udp.lost += client.close();
      const sum = (which: "connections" | "again") => connections.reduce((total, one) => total + one[which], 0);
      return { udp: udp.tally(), tcp: { ...tcp.tally(), connections: sum("connections"), again: sum("again") } };
    },
  };
}

/** A summary of queries and answers: "5000 queries, 0 lost, ...". */
export const describeTally = ({ asked, lost, wrong, late, slowest }: Tally) =>
  `${asked} queries, ${lost} lost, ${wrong} wrong, ${late} after more than a second, slowest ${slowest} ms`;

class Count {
  asked = 0;
  lost = 0;
  #answeredAt = performance.now();
  #silence = 0;
  #wrong = 0;
  #late = 0;
  #slowest = 0;

  answered(sentAt: number, reply: Buffer): void {
    const now = performance.now();
    const took = now - sentAt;
    this.#silence = Math.max(this.#silence, now - this.#answeredAt);
    this.#answeredAt = now;
    if (took > lateAfter) this.#late++;
    this.#slowest = Math.max(this.#slowest, took);
    if (!isRight(reply)) this.#wrong++;
  }

  silence(): number {
    const longest = Math.max(this.#silence, performance.now() - this.#answeredAt);
    this.#silence = 0;
    this.#answeredAt = performance.now();
    return Math.round(longest);
  }

  tally(): Tally {
    const { asked, lost } = this;
    return { asked, lost, wrong: this.#wrong, late: this.#late, slowest: Math.round(this.#slowest) };
  }
}

const rightAddress = Buffer.from(loadAddress.split(".").map(Number));
/** NOERROR with one answer, which ends the message. */
const isRight = (reply: Buffer) =>
  (reply[3]! & 15) === 0 && reply.readUInt16BE(6) === 1 && reply.subarray(-4).equals(rightAddress);

/** Asks from one port. */
class UdpClient {
  readonly #socket: Socket;
  readonly #query: Buffer;
  readonly #count: Count;
  readonly #sentAt = new Map<number, number>();
  #id = 0;

  static async open({ address, port }: Endpoint, query: Buffer, count: Count): Promise<UdpClient> {
    const socket = createSocket({ type: address.includes(":") ? "udp6" : "udp4", recvBufferSize: 4 << 20 });
    socket.connect(port, address);
    await once(socket, "connect");
    return new UdpClient(socket, query, count);
  }

  private constructor(socket: Socket, query: Buffer, count: Count) {
    this.#socket = socket;
    this.#query = query;
    this.#count = count;
    // no process listens at the moment: the query is lost, and reported as lost
    socket.on("error", () => {});
    socket.on("message", (reply) => {
      const id = reply.readUInt16BE(0);
      const sentAt = this.#sentAt.get(id);
      if (sentAt === undefined) return;
      this.#sentAt.delete(id);
      count.answered(sentAt, reply);
    });
  }

  get waiting(): number {
    return this.#sentAt.size;
  }

  send(): void {
    this.#id = (this.#id + 1) & 0xffff;
    const id = this.#id;
    // a query without an answer so long ago that its id is used again
    if (this.#sentAt.has(id)) this.#count.lost++;
    this.#count.asked++;
    this.#sentAt.set(id, performance.now());
    const packet = Buffer.from(this.#query);
    packet.writeUInt16BE(id);
    this.#socket.send(packet, () => {});
  }

  /** Returns the number of queries without an answer. */
  close(): number {
    this.#socket.close();
    return this.#sentAt.size;
  }
}

async function send(clients: readonly UdpClient[], rate: number, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  for (let sent = 0; !signal.aborted; ) {
    const due = ((performance.now() - began) * rate) / 1000;
    for (; sent < due; sent++) clients[sent % clients.length]!.send();
    await delay(tick);
  }
}

/** One client: asks at intervals, and changes its connection after some questions. */
async function askStreams(port: number, query: Buffer, count: Count, random: Random, signal: AbortSignal) {
  let [connections, again] = [0, 0];
  while (!signal.aborted) {
    connections++;
    const connection = new StreamClient(port);
    const questions = 1 + Math.floor(random() * 40);
    for (let n = 0; n < questions && !signal.aborted; n++) {
      const sentAt = performance.now();
      count.asked++;
      let reply = await connection.ask(query);
      if (!reply) {
        again++;
        const other = new StreamClient(port);
        reply = await other.ask(query);
        other.close();
        n = questions;
      }
      if (reply) count.answered(sentAt, reply);
      else count.lost++;
      await delay(random() * 60);
    }
    connection.close();
  }
  return { connections, again };
}

class StreamClient {
  readonly #socket;
  #received: Buffer = Buffer.alloc(0);
  #reply: ((reply: Buffer | undefined) => void) | undefined;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => this.#reply?.(undefined));
    this.#socket.on("data", (data) => {
      this.#received = Buffer.concat([this.#received, data]);
      const { length } = this.#received;
      if (length < 2 || length < 2 + this.#received.readUInt16BE(0)) return;
      this.#reply?.(this.#received.subarray(2));
      this.#received = Buffer.alloc(0);
    });
  }

  /** Undefined when the connection ends first, or nothing arrives in time. */
  async ask(query: Buffer): Promise<Buffer | undefined> {
    if (this.#socket.destroyed || this.#socket.readableEnded) return undefined;
    const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
    this.#reply = resolve;
    const timer = setTimeout(resolve, patience, undefined);
    this.#socket.write(Buffer.concat([Buffer.of(query.length >> 8, query.length & 255), query]));
    const reply = await promise;
    clearTimeout(timer);
    return reply;
  }

  close(): void {
    this.#socket.destroy();
  }
}
