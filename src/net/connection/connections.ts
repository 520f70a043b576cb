/** The open connections of a worker, with their limits and the eviction of idle ones. */
import type { Socket } from "node:net";
import { type Client, hostOf } from "../socket/service.ts";

export interface ConnectionLimits {
  /** The most open connections; for a further one, the connection without queries for the longest time is closed. */
  readonly connections: number;
  /** The most open connections of each IPv4 address and each IPv6 /64. */
  readonly perAddress: number;
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #onEvicted: () => void;
  /** Ordered by the time of the last query, the oldest first; so is each group. */
  readonly #open = new Set<OpenConnection>();
  readonly #groups = new Map<string, Set<OpenConnection>>();

  constructor(limits: ConnectionLimits, onEvicted: () => void) {
    this.#limits = limits;
    this.#onEvicted = onEvicted;
  }

  get size(): number {
    return this.#open.size;
  }

  [Symbol.iterator](): Iterator<OpenConnection> {
    return this.#open.values();
  }

  /** Holds a connection until its socket closes. */
  add(socket: Socket): OpenConnection {
    if (this.#open.size >= this.#limits.connections) this.#evict(this.#open);
    const connection = new OpenConnection(socket);
    this.#open.add(connection);
    // errors of the client's side need no handling; "close" follows
    socket.on("error", () => {});
    socket.on("close", () => this.#remove(connection));
    return connection;
  }

  /** Assigns a connection to `client`, whose address can differ from the peer's. */
  assign(connection: OpenConnection, client: Client): void {
    const name = hostOf(client);
    const group = this.#groups.get(name) ?? new Set();
    if (group.size >= this.#limits.perAddress) this.#evict(group);
    // the eviction can have removed the group
    this.#groups.set(name, group.add(connection));
    connection.group = name;
  }

  /** Records a query: moves the connection to the end of the order. */
  touch(connection: OpenConnection): void {
    for (const set of [this.#open, this.#groups.get(connection.group)])
      if (set?.delete(connection)) set.add(connection);
  }

  #evict(set: Set<OpenConnection>): void {
    const [oldest] = set;
    if (!oldest) return;
    this.#remove(oldest);
    this.#onEvicted();
    oldest.socket.destroy();
  }

  #remove(connection: OpenConnection): void {
    this.#open.delete(connection);
    const group = this.#groups.get(connection.group);
    group?.delete(connection);
    if (group?.size === 0) this.#groups.delete(connection.group);
  }
}

export class OpenConnection {
  readonly socket: Socket;
  /** The group of its client; empty until the client is known. */
  group = "";
  /** Closes the connection in order; default: at once. */
  end: () => void = () => this.socket.destroy();

  constructor(socket: Socket) {
    this.socket = socket;
  }
}
