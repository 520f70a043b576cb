/** The open connections of a worker, whatever they carry: how many there may be, and which one makes room for a new one. */
import type { Socket } from "node:net";
import type { Client } from "../socket/service.ts";

export interface ConnectionLimits {
  /** Connections held at a time; beyond that the one quiet for longest is closed for the newest. */
  readonly connections: number;
  /** The same for each IPv4 address and each IPv6 /64: they make room among themselves. */
  readonly perAddress: number;
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #onEvicted: () => void;
  /** Quiet for longest first, here and in each group. */
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
    // what a client does to its end of the connection is its own affair; "close" follows
    socket.on("error", () => {});
    socket.on("close", () => this.#remove(connection));
    return connection;
  }

  /** Counts a connection as one of `client`, whose address may be another than the peer's. */
  assign(connection: OpenConnection, client: Client): void {
    const name = groupOf(client);
    const group = this.#groups.get(name) ?? new Set();
    if (group.size >= this.#limits.perAddress) this.#evict(group);
    // evicting may have closed the group
    this.#groups.set(name, group.add(connection));
    connection.group = name;
  }

  /** A query came: others have been quiet for longer. */
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
  /** Whose it is; empty until that is known. */
  group = "";
  /** Closes in good order; at once while there is nothing to finish. */
  end: () => void = () => this.socket.destroy();

  constructor(socket: Socket) {
    this.socket = socket;
  }
}

const groupOf = ({ family, address }: Client) => `${family} ${address.subarray(0, family === 4 ? 4 : 8).join(".")}`;
