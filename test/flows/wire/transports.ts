/** Transports to a server: each sends a packet, then a plain query for the zone's SOA, and returns both outcomes. */
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { framed, request } from "../../network/streams.ts";
import { queryOf } from "../../scenarios/image.ts";
import type { CaseTransport } from "./case.ts";
import { apex } from "./zone.ts";

export interface Replies {
  /** The reply to the packet; undefined for silence. */
  readonly reply: Uint8Array | undefined;
  /** The reply to the plain query that followed. */
  readonly plain: Uint8Array;
  /**
   * Milliseconds until that reply: since both messages were sent, or since the plain query if it was sent separately.
   */
  readonly plainTook: number;
}

export interface Way {
  readonly transport: CaseTransport;
  /** `plainId` is the ID of the plain query, which differs from the packet's. */
  send(packet: Uint8Array, plainId: number): Promise<Replies>;
  close(): void;
}

type Ports = Readonly<Record<"dns" | "dot" | "doh" | "portable", number>>;
type Ways = Readonly<Record<string, (ports: Ports) => Way | Promise<Way>>>;
const [v4, v6] = ["127.0.0.1", "::1"];

/** Every transport to a service, and to an edge with portable UDP. */
export const ways: Ways = {
  "batched UDP": ({ dns }) => byUdp(v4, dns),
  "portable UDP": ({ portable }) => byUdp(v4, portable),
  TCP: ({ dns }) => byTcp(v4, dns),
  TLS: ({ dot }) => byTls(v4, dot),
  "HTTPS by POST": ({ doh }) => byHttps("POST", v4, doh),
};

export const waysOverIpv6: Ways = {
  "batched UDP over IPv6": ({ dns }) => byUdp(v6, dns),
  "portable UDP over IPv6": ({ portable }) => byUdp(v6, portable),
  "TCP of an edge with portable UDP": ({ portable }) => byTcp(v6, portable),
  "HTTPS by GET": ({ doh }) => byHttps("GET", v6, doh),
};

/** Milliseconds: far more than an answer takes, also on a busy machine. */
const patience = 5000;
/** Milliseconds in which an answer follows that others overtook. */
const lateness = 30;

const plainQuery = (id: number) => queryOf({ name: apex, type: "SOA", id });
const hasId = (octets: Uint8Array, id: number) => octets[0] === id >>> 8 && octets[1] === (id & 255);
const within = () => AbortSignal.timeout(patience);

async function byUdp(address: string, port: number): Promise<Way> {
  const socket = await openUdp(address, port);
  const next = async (most = patience) => {
    const [octets]: Uint8Array[] = await once(socket, "message", { signal: AbortSignal.timeout(most) });
    return new Uint8Array(octets!);
  };
  return {
    transport: "udp",
    async send(packet, plainId) {
      const first = next();
      const sentAt = performance.now();
      socket.send(packet);
      socket.send(plainQuery(plainId));
      const one = await first;
      const plainTook = performance.now() - sentAt;
      if (!hasId(one, plainId)) return { reply: one, plain: await next(), plainTook: performance.now() - sentAt };
      // one worker has both, and answers in order, unless the packet's zone has used up its share
      return { reply: await next(lateness).catch(() => undefined), plain: one, plainTook };
    },
    close: () => socket.close(),
  };
}

async function openUdp(address: string, port: number): Promise<UdpSocket> {
  const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
  socket.connect(port, address);
  await once(socket, "connect");
  return socket;
}

const byTcp = (address: string, port: number): Way => byStream("tcp", () => connect({ host: address, port }));

const byTls = (address: string, port: number): Way =>
  byStream("tls", () => connectTls({ host: address, port, rejectUnauthorized: false, ALPNProtocols: ["dot"] }));

/** A connection for each packet; the plain query uses it too, unless the server has closed it. */
function byStream(transport: "tcp" | "tls", open: () => Socket): Way {
  const exchange = async (...queries: readonly Uint8Array[]) => {
    const socket = open();
    const messages = readMessages(socket, queries.length);
    socket.write(Buffer.concat(queries.map(framed)));
    try {
      return await messages;
    } finally {
      socket.destroy();
    }
  };
  return {
    transport,
    async send(packet, plainId) {
      const plain = plainQuery(plainId);
      let sentAt = performance.now();
      let [reply, after] = await exchange(packet, plain);
      if (!after) {
        // closed without an answer: later octets are not read
        sentAt = performance.now();
        [after] = await exchange(plain);
      }
      return { reply, plain: after!, plainTook: performance.now() - sentAt };
    },
    close: () => {},
  };
}

/** Resolves with the given number of messages, or with the messages that came before the end. */
async function readMessages(socket: Socket, count: number): Promise<Buffer[]> {
  const messages: Buffer[] = [];
  let rest: Buffer = Buffer.alloc(0);
  const late = setTimeout(() => socket.destroy(new Error("no answer in time")), patience);
  try {
    for await (const octets of socket) {
      rest = Buffer.concat([rest, octets]);
      while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE()) {
        messages.push(rest.subarray(2, 2 + rest.readUInt16BE()));
        rest = rest.subarray(2 + rest.readUInt16BE());
      }
      if (messages.length === count) break;
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ECONNRESET")) throw error;
  } finally {
    clearTimeout(late);
  }
  return messages;
}

const mediaType = "application/dns-message";
/** Octets that a GET has room for. */
const longestGet = 12_000;

/** Sends all queries over one connection; queries too long for a GET are posted. */
async function byHttps(method: "GET" | "POST", address: string, port: number): Promise<Way> {
  const session = await openHttps(address, port);
  const exchange = async (packet: Uint8Array) => {
    const dns = Buffer.from(packet).toString("base64url");
    const asked =
      method === "POST" || packet.length > longestGet
        ? request(session, { ":method": "POST", ":path": "/dns-query", "content-type": mediaType }, packet)
        : request(session, { ":path": `/dns-query?dns=${dns}` });
    const { status, body } = await asked;
    if (status === 200) return new Uint8Array(body);
    if (status === 400) return undefined;
    throw new Error(`HTTP status ${status}`);
  };
  return {
    transport: "https",
    async send(packet, plainId) {
      const reply = await exchange(packet);
      const sentAt = performance.now();
      const plain = (await exchange(plainQuery(plainId)))!;
      return { reply, plain, plainTook: performance.now() - sentAt };
    },
    close: () => session.destroy(),
  };
}

async function openHttps(address: string, port: number): Promise<ClientHttp2Session> {
  const host = address.includes(":") ? `[${address}]` : address;
  const session = connectHttp2(`https://${host}:${port}`, { rejectUnauthorized: false });
  session.on("error", () => {});
  await once(session, "remoteSettings", { signal: within() });
  return session;
}
