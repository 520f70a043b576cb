/** A primary that follows a test's script, even against the protocol: over UDP and TCP, on one loopback port. */
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { Readable } from "node:stream";
import { afterAll } from "vitest";
import { scanRdata } from "../../src/dns/rdata/codec.ts";
import type { ResourceRecord } from "../../src/dns/reply.ts";
import { typeNamed } from "../../src/dns/type-names.ts";
import { Class } from "../../src/dns/wire/constants.ts";
import { scanName } from "../../src/dns/wire/name.ts";
import { Writer } from "../../src/dns/wire/wire.ts";

/** The record of a line such as `www.example.com. 300 A 192.0.2.1`. */
export function record(line: string): ResourceRecord {
  const [owner = "", ttl = "", name = "", ...rdata] = line.split(" ");
  const type = typeNamed(name)!;
  return { owner: scanName(owner), type, ttl: Number(ttl), rdata: scanRdata(type, rdata.join(" ")) };
}

export const soa = (zone: string, serial: number, rest = "3600 600 86400 300") =>
  record(`${zone} 300 SOA ns.${zone} host.${zone} ${serial} ${rest}`);

/** The answer to a query, with these records and other settings. */
export function answerTo(
  query: Uint8Array,
  records: readonly ResourceRecord[],
  { rcode = 0, flags = 0x8400, rrClass = Class.IN as number } = {},
): Uint8Array {
  let end = 12;
  while (query[end] !== 0) end += 1 + query[end]!;
  const writer = new Writer(new Uint8Array(65_535));
  for (const value of [(query[0]! << 8) | query[1]!, flags | rcode, 1, records.length, 0, 0]) writer.u16(value);
  writer.bytes(query.subarray(12, end + 5));
  for (const { owner, type, ttl, rdata } of records) {
    writer.name(owner, false);
    for (const value of [type.code, rrClass]) writer.u16(value);
    writer.u32(ttl);
    writer.u16(rdata.length);
    writer.bytes(rdata);
  }
  return writer.octets.slice(0, writer.at);
}

export interface Script {
  /** The zone's SOA record in answers. */
  soa: ResourceRecord;
  /** Answers AXFR and IXFR over TCP; the returned messages are sent one by one, then the connection is closed. */
  transfer: (query: Uint8Array, socket: Socket) => readonly Uint8Array[] | undefined;
  /** Replaces the answer to an SOA query. */
  udp?: ((query: Uint8Array, transport: "udp" | "tcp") => Uint8Array) | undefined;
}

export interface ScriptedPrimary {
  readonly port: number;
  readonly script: Script;
  /** The types of the requested transfers. */
  readonly asked: number[];
  /** The number of queries for the SOA record. */
  readonly questions: { readonly count: number };
}

export const framed = (message: Uint8Array) =>
  Buffer.concat([Uint8Array.of(message.length >> 8, message.length), message]);

/** Sends messages as fast as the other side reads them, then ends the connection; for `transfer`. */
export function stream(socket: Socket, messages: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): undefined {
  Readable.from(messages).map(framed).pipe(socket);
}

/** Divides records into messages of the given number. */
export function* messagesOf(query: Uint8Array, records: Iterable<ResourceRecord>, inOne = 400): Generator<Uint8Array> {
  let some: ResourceRecord[] = [];
  for (const each of records) {
    some.push(each);
    if (some.length < inOne) continue;
    yield answerTo(query, some);
    some = [];
  }
  yield answerTo(query, some);
}

/** Starts the primary; it is closed after the test file. */
export async function scriptedPrimary(script: Script, address = "127.0.0.1", wanted = 0): Promise<ScriptedPrimary> {
  const asked: number[] = [];
  const questions = { count: 0 };
  const answer = (query: Uint8Array, transport: "udp" | "tcp") => {
    questions.count++;
    return script.udp?.(query, transport) ?? answerTo(query, [script.soa]);
  };
  const { tcp, udp, port } = await listenOnBoth(address, wanted);
  udp.on("message", (query, peer) => udp.send(answer(query, "udp"), peer.port, peer.address));
  const sockets = new Set<Socket>();
  tcp.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    socket.on("data", (octets) => {
      const query = new Uint8Array(octets.subarray(2));
      let at = 12;
      while (query[at] !== 0) at += 1 + query[at]!;
      const type = (query[at + 1]! << 8) | query[at + 2]!;
      if (type === 6) return void socket.write(framed(answer(query, "tcp")));
      asked.push(type);
      const messages = script.transfer(query, socket);
      if (!messages) return;
      for (const message of messages) socket.write(framed(message));
      socket.end();
    });
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    tcp.close();
    udp.close();
  });
  return { port, script, asked, questions };
}

async function listenOnBoth(address: string, wanted: number): Promise<{ tcp: Server; udp: UdpSocket; port: number }> {
  for (;;) {
    const tcp = createServer();
    tcp.listen(wanted, address);
    await once(tcp, "listening");
    const bound = tcp.address();
    const port = typeof bound === "object" && bound ? bound.port : 0;
    const udp = createSocket("udp4");
    udp.bind(port, address);
    const isFree = await once(udp, "listening").then(
      () => true,
      () => false,
    );
    if (isFree) return { tcp, udp, port };
    tcp.close();
  }
}
