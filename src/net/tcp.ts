/** Listeners of DNS over TCP (RFC 7766), TLS (RFC 7858) and HTTPS (RFC 8484), with common limits on connections. */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { contains, type IpPrefix, scanPrefix } from "../lib/address/ip.ts";
import { Connections, type OpenConnection } from "./connection/connections.ts";
import { readProxyHeader } from "./connection/proxy-protocol.ts";
import { TcpConnection, type TcpLimits } from "./connection/tcp-connection.ts";
import { Turns } from "./connection/turns.ts";
import { DohServer } from "./https/https.ts";
import { addressOctets } from "./socket/address.ts";
import type { Client, QueryService } from "./socket/service.ts";
import { duplicateFd, type SocketSource } from "./socket/sockets.ts";
import { type Certificate, dnsOverTls, mayCarryTransfers, TlsFront } from "./tls/tls.ts";

export type StreamTransport = "tcp" | "tls" | "https";

/** Milliseconds without a query after which a connection is closed (RFC 7766 section 6.2.3). */
export const idleAfter = 10_000;

export const defaults: TcpLimits = {
  connections: 1000,
  perAddress: 250,
  idle: idleAfter,
  message: 5_000,
  stall: 10_000,
};

/** The index of each counter in `counts`. */
export const tcpCounts = {
  /** Open connections. */
  connections: 0,
  accepted: 1,
  /** Connections closed to make room for others. */
  evicted: 2,
  /** Accepted connections for DNS over TLS, and for DNS over HTTPS. */
  tls: 3,
  https: 4,
  /** Failed TLS handshakes. */
  unsecured: 5,
} as const;

export interface TcpOptions {
  readonly service: QueryService;
  readonly counts: Float64Array;
  readonly limits?: Partial<TcpLimits>;
  /** Addresses and prefixes of proxies, whose connections begin with a PROXY header. */
  readonly proxies?: readonly string[];
}

export class TcpServer {
  readonly #limits: TcpLimits;
  readonly #options: TcpOptions;
  readonly #servers: Server[] = [];
  #closed: Promise<unknown> | undefined;
  readonly #connections: Connections;
  readonly #turns = new Turns();
  readonly #proxies: readonly IpPrefix[];
  readonly #secure: Readonly<Record<"tls" | "https", TlsFront>>;
  readonly #doh: DohServer;

  constructor(options: TcpOptions) {
    this.#options = options;
    const { counts, service } = options;
    const limits = { ...defaults, ...options.limits };
    this.#limits = { ...limits, connections: Math.min(limits.connections, descriptorsLeft()) };
    this.#connections = new Connections(this.#limits, () => counts[tcpCounts.evicted]!++);
    this.#proxies = (options.proxies ?? []).flatMap((text) => scanPrefix(text) ?? []);
    const handshake = { handshake: limits.message, onFailed: () => counts[tcpCounts.unsecured]!++ };
    this.#secure = {
      tls: new TlsFront({ ...handshake, protocols: [dnsOverTls] }),
      https: new TlsFront({ ...handshake, protocols: ["h2", "http/1.1"] }),
    };
    this.#doh = new DohServer(service, this.#limits);
  }

  /** Sets the certificate; TLS connections are closed without one. Throws when certificate and key do not match. */
  useCertificate(certificate: Certificate): void {
    this.#secure.tls.use(certificate);
    this.#secure.https.use(certificate);
  }

  /** Accepts connections on one more socket; returns the socket's port. */
  async listen(socket: SocketSource, transport: StreamTransport = "tcp"): Promise<number> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (accepted) =>
      this.#accept(accepted, transport),
    );
    this.#servers.push(server);
    const listening = once(server, "listening");
    if ("fd" in socket) server.listen({ fd: duplicateFd(socket.fd) });
    else server.listen({ host: socket.address, port: socket.port, ipv6Only: true });
    await listening;
    // a connection that the system cannot hand over (ENOBUFS, ENOMEM) must not end the worker
    server.on("error", () => {});
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  /** Stops accepting, and serves open connections until all have ended, for at most `within` milliseconds. */
  async drain(within: number): Promise<void> {
    const late = new AbortController();
    await Promise.race([this.#stopAccepting(), delay(within, undefined, { signal: late.signal })]);
    late.abort();
  }

  /** Stops accepting, and closes every connection once its answers are sent, or after `within` milliseconds. */
  async close(within: number): Promise<void> {
    const closed = this.#stopAccepting();
    for (const connection of [...this.#connections]) connection.end();
    const timer = setTimeout(() => {
      for (const { socket } of [...this.#connections]) socket.destroy();
    }, within);
    await closed;
    clearTimeout(timer);
  }

  /** Resolves when the last connection has ended. */
  #stopAccepting(): Promise<unknown> {
    this.#closed ??= Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
    return this.#closed;
  }

  #accept(socket: Socket, transport: StreamTransport): void {
    const { counts } = this.#options;
    const connection = this.#connections.add(socket);
    counts[tcpCounts.accepted]!++;
    if (transport !== "tcp") counts[tcpCounts[transport]]!++;
    counts[tcpCounts.connections] = this.#connections.size;
    socket.on("close", () => {
      counts[tcpCounts.connections] = this.#connections.size;
    });
    const peer = peerOf(socket, transport);
    const isProxy = this.#proxies.some((prefix) => contains(prefix, peer.address));
    if (!isProxy) this.#serve(connection, transport, peer);
    else readProxyHeader(socket, peer, this.#limits.message, (client) => this.#serve(connection, transport, client));
  }

  #serve(connection: OpenConnection, transport: StreamTransport, client: Client): void {
    const { socket } = connection;
    this.#connections.assign(connection, client);
    const onQuery = () => this.#connections.touch(connection);
    const turns = this.#turns.of(connection.network);
    const { service } = this.#options;
    const serveMessages = (stream: Socket, peer: Client) => {
      const messages = new TcpConnection(stream, { client: peer, service, limits: this.#limits, turns, onQuery });
      connection.end = () => messages.end();
    };
    if (transport === "tcp") serveMessages(socket, client);
    else if (transport === "tls") {
      this.#secure.tls.begin(socket, turns, (secured) => {
        // the time of the handshake is not quiet time
        onQuery();
        serveMessages(secured, mayCarryTransfers(secured) ? { ...client, isXot: true } : client);
      });
    } else {
      this.#secure.https.begin(socket, turns, (secured) => {
        onQuery();
        connection.end = this.#doh.serve(secured, { client, turns, onQuery });
      });
    }
  }
}

/** Returns the peer of a socket. An unknown address means that the connection is closed already. */
function peerOf(socket: Socket, transport: StreamTransport): Client {
  const address = addressOctets(socket.remoteAddress ?? "::");
  const client = { family: address.length === 4 ? 4 : 6, address, port: socket.remotePort ?? 0 } as const;
  return transport === "tcp" ? client : { ...client, secure: transport };
}

/**
 * Returns the number of descriptors for connections: a quarter of the free ones is left for other uses, because without
 * free descriptors the system closes new connections before we can evict old ones. Unlimited without /proc.
 */
function descriptorsLeft(): number {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    const open = readdirSync("/proc/self/fd").length;
    return most === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(((Number(most) - open) * 3) / 4));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
