/** Listeners of TCP, TLS and HTTPS with a service that echoes queries, and clients for them. */
import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2, type OutgoingHttpHeaders } from "node:http2";
import { connect, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import { exchange } from "../../src/net/client/exchange.ts";
import type { Client, QueryService } from "../../src/net/socket/service.ts";
import { type TcpOptions, TcpServer } from "../../src/net/tcp.ts";
import { makeSelfSigned } from "../../src/net/tls/self-signed.ts";

const day = 86_400_000;
export const certificate = makeSelfSigned({
  names: ["ns.example.test", "127.0.0.1"],
  from: new Date(Date.now() - day),
  to: new Date(Date.now() + day),
});

/** Echoes the query; one whose first octet is 255 throws, 254 is silence, 253 yields 60,000 octets. */
class Echo implements QueryService {
  client: Client | undefined;
  begin() {}
  answer(query: Uint8Array, from: number, to: number, client: Client, out: Uint8Array, at: number) {
    this.client = client;
    if (query[from] === 255) throw new Error("a fault in one query");
    if (query[from] === 254) return 0;
    out.set(query.subarray(from, to), at);
    return query[from] === 253 ? 60_000 : to - from;
  }
  end() {}
  failed() {}
}

export async function startStreams(options: Partial<TcpOptions> = {}) {
  const counts = new Float64Array(8);
  const service = new Echo();
  const server = new TcpServer({ service, counts, ...options });
  server.useCertificate(certificate);
  const any = { address: "127.0.0.1", port: 0 };
  const ports = {
    tcp: await server.listen(any),
    tls: await server.listen(any, "tls"),
    https: await server.listen(any, "https"),
  };
  return { server, service, counts, ports };
}

/** A query without its length prefix: a header without records, padded to `length` octets. */
export function query(number = 0, length = 12, first = 0): Buffer {
  const octets = Buffer.alloc(length);
  octets[0] = first;
  octets[1] = number & 255;
  return octets;
}

/** The header of the PROXY protocol in which a proxy names a client with this IPv6 address of 16 octets. */
export const proxyHeader = (address: readonly number[]) =>
  Buffer.concat([
    Buffer.from("0d0a0d0a000d0a515549540a2121", "hex"),
    Buffer.of(0, 36, ...address, ...Array(16).fill(0), 0x30, 0x39, 0, 53),
  ]);

export const framed = (octets: Uint8Array) =>
  Buffer.concat([Buffer.of(octets.length >> 8, octets.length & 255), octets]);

/** Milliseconds: shorter than a server's default limits, with room for other work on the machine. */
export const soon = 4000;

/** Milliseconds that a plain query over a new TCP connection takes. */
export const plainQuery = (port: number): Promise<number> =>
  shortestOf(() => exchange({ address: "127.0.0.1", port, transport: "tcp" }, query(7)));

/** Milliseconds that the quickest of five runs takes: the machine may be busy with something else. */
async function shortestOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  while (times.length < 5) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}

export async function openPlain(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

export async function openTls(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options });
  await once(socket, "secureConnect");
  socket.on("error", () => {});
  return socket;
}

/** The messages from a connection, and the milliseconds until the server ends it. */
export function follow(socket: Socket) {
  const chunks: Buffer[] = [];
  const began = performance.now();
  socket.on("data", (octets) => chunks.push(octets));
  const ended = new Promise<number>((resolve) => {
    for (const event of ["end", "close"]) socket.once(event, () => resolve(performance.now() - began));
  });
  return { ended, messages: () => messagesOf(Buffer.concat(chunks)) };
}

function messagesOf(stream: Buffer): Buffer[] {
  if (stream.length < 2 || stream.length < 2 + stream.readUInt16BE()) return [];
  const end = 2 + stream.readUInt16BE();
  return [stream.subarray(2, end), ...messagesOf(stream.subarray(end))];
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** Opens a session, over `socket` if there is one; rejects if it is closed before the server's settings have arrived. */
export async function openHttp2(port: number, socket?: Socket): Promise<ClientHttp2Session> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, {
    rejectUnauthorized: false,
    ...(socket && { createConnection: () => connectTls({ socket, rejectUnauthorized: false, ALPNProtocols: ["h2"] }) }),
  });
  session.on("error", () => {});
  const closed = new AbortController();
  session.once("close", () => closed.abort());
  // limits that the server sets apply to requests after their acknowledgement
  await once(session, "remoteSettings", { signal: closed.signal });
  return session;
}

/** Sends one request over HTTP/2; rejects when the stream or the connection is closed without an answer. */
export function request(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: Uint8Array,
): Promise<HttpReply> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body) stream.end(body);
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    let got: Record<string, unknown> = {};
    stream.on("response", (fields) => {
      got = { ...fields };
    });
    stream.on("data", (octets: Buffer) => chunks.push(octets));
    stream.on("error", reject);
    stream.on("close", () => {
      if (got[":status"] === undefined) reject(new Error("closed without an answer"));
      resolve({ status: Number(got[":status"]), headers: got, body: Buffer.concat(chunks) });
    });
  });
}

/** A frame of HTTP/2 (RFC 9113 section 4.1). */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A client's preface, and the header fields of a GET without Huffman coding. */
export const preface = Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(4, 0, 0)]);
export const getFields = (path: string) =>
  Buffer.concat([Buffer.of(0x82, 0x87, 0x01, 1, 0x78, 0x04, path.length), Buffer.from(path)]);
