/** DNS over TCP (RFC 7766): how many connections there may be, and which one makes room for a new one. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { QueryService } from "./service.ts";
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
  /** Not listening yet: the caller chooses an address or a descriptor. */
  readonly server: Server;
  readonly #limits: TcpLimits;
  readonly #options: TcpOptions;
  /** Quiet for longest first. */
  readonly #connections = new Set<TcpConnection>();

  constructor(options: TcpOptions) {
    this.#options = options;
    const limits = { ...defaults, ...options.limits };
    this.#limits = { ...limits, connections: Math.min(limits.connections, descriptorsLeft()) };
    this.server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
  }

  /** Closes the listening socket and, after what is being sent was sent, every connection. */
  async close(within: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const connection of this.#connections) connection.end();
    const timer = setTimeout(() => {
      for (const connection of this.#connections) connection.destroy();
    }, within);
    await closed;
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
