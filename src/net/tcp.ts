/** DNS over TCP (RFC 7766): how many connections there may be, and which one makes room for a new one. */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { QueryService } from "./service.ts";
import { duplicateFd, type SocketSource } from "./sockets.ts";
import { TcpConnection, type TcpLimits } from "./tcp-connection.ts";

const defaults: TcpLimits = { connections: 1000, idle: 10_000, message: 5_000, stall: 10_000 };

/** Where each count stands in `counts`. */
export const tcpCounts = {
  /** Open now. */
  connections: 0,
  accepted: 1,
  /** Closed to make room for another. */
  evicted: 2,
} as const;

export interface TcpOptions {
  readonly service: QueryService;
  readonly counts: Float64Array;
  readonly limits?: Partial<TcpLimits>;
}

export class TcpServer {
  readonly #limits: TcpLimits;
  readonly #options: TcpOptions;
  readonly #servers: Server[] = [];
  /** Quiet for longest first. */
  readonly #connections = new Set<TcpConnection>();

  constructor(options: TcpOptions) {
    this.#options = options;
    const limits = { ...defaults, ...options.limits };
    this.#limits = { ...limits, connections: Math.min(limits.connections, descriptorsLeft()) };
  }

  /** Accepts connections on one more socket; returns its port. */
  async listen(socket: SocketSource): Promise<number> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (accepted) => this.#accept(accepted));
    this.#servers.push(server);
    const listening = once(server, "listening");
    if ("fd" in socket) server.listen({ fd: duplicateFd(socket.fd) });
    else server.listen({ host: socket.address, port: socket.port, ipv6Only: true });
    await listening;
    // a connection that the system could not hand over (ENOBUFS, ENOMEM) must not end those that are there
    server.on("error", () => {});
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  /** Stops accepting, and closes every connection once its answers are sent, or after so many milliseconds. */
  async close(within: number): Promise<void> {
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const connection of this.#connections) connection.end();
    const timer = setTimeout(() => {
      for (const connection of this.#connections) connection.destroy();
    }, within);
    await Promise.all(closed);
    clearTimeout(timer);
  }

  #accept(socket: Socket): void {
    const { service, counts } = this.#options;
    if (this.#connections.size >= this.#limits.connections) this.#evict();
    const connection = new TcpConnection(socket, service, this.#limits, () => {
      this.#connections.delete(connection);
      this.#connections.add(connection);
    });
    this.#connections.add(connection);
    counts[tcpCounts.accepted]!++;
    counts[tcpCounts.connections] = this.#connections.size;
    socket.on("close", () => {
      this.#connections.delete(connection);
      counts[tcpCounts.connections] = this.#connections.size;
    });
  }

  #evict(): void {
    const [oldest] = this.#connections;
    if (!oldest) return;
    this.#connections.delete(oldest);
    this.#options.counts[tcpCounts.evicted]!++;
    oldest.destroy();
  }
}

/**
 * How many descriptors connections may take: out of descriptors, the system closes what is newest, and we could not make
 * room. A quarter of what the process may still open stays free for others; without /proc there is no telling.
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
