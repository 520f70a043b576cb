/** The open connections of a worker, with their limits and the eviction of idle ones. */
import type { Socket } from "node:net";
import { networkOf } from "../../lib/address/ip.ts";
import { type Client, hostOf } from "../socket/service.ts";

export interface ConnectionLimits {
  /** The most open connections; for a further one, the quietest of the network with the most connections is closed. */
  readonly connections: number;
  /** The most open connections of each IPv4 address and each IPv6 /64. */
  readonly perAddress: number;
}

/** Ordered by the time of the last query, the oldest first. */
type Group = Set<OpenConnection>;

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #onEvicted: () => void;
  readonly #open: Group = new Set();
  readonly #hosts = new Map<string, Group>();
  /** The number of connections of each network. */
  readonly #networks = new Map<string, number>();

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
    if (this.#open.size >= this.#limits.connections) this.#evict(this.#heaviest());
    const connection = new OpenConnection(socket);
    this.#open.add(connection);
    this.#join(connection);
    // errors of the client's side need no handling; "close" follows
    socket.on("error", () => {});
    socket.on("close", () => this.#remove(connection));
    return connection;
  }

  /** Assigns a connection to `client`, whose address can differ from the peer's. */
  assign(connection: OpenConnection, client: Client): void {
    const host = hostOf(client);
    const [oldest] = this.#hosts.get(host) ?? [];
    if ((this.#hosts.get(host)?.size ?? 0) >= this.#limits.perAddress) this.#evict(oldest);
    this.#leave(connection);
    connection.group = host;
    connection.network = networkOf(client.address);
    this.#join(connection);
  }

  /** Records a query: moves the connection to the end of the order. */
  touch(connection: OpenConnection): void {
    for (const set of [this.#open, this.#hosts.get(connection.group)]) if (set?.delete(connection)) set.add(connection);
  }

  /** Returns the quietest connection of the host with the most, in the network with the most. Among equals, the quietest. */
  #heaviest(): OpenConnection | undefined {
    let heaviest: OpenConnection | undefined;
    let [network, host] = [0, 0];
    for (const one of this.#open) {
      const ofNetwork = this.#networks.get(one.network) ?? 0;
      if (ofNetwork < network) continue;
      const ofHost = this.#hosts.get(one.group)?.size ?? 0;
      if (ofNetwork === network && ofHost <= host) continue;
      [heaviest, network, host] = [one, ofNetwork, ofHost];
    }
    return heaviest;
  }

  #evict(connection: OpenConnection | undefined): void {
    if (!connection) return;
    this.#remove(connection);
    this.#onEvicted();
    connection.socket.destroy();
  }

  #remove(connection: OpenConnection): void {
    if (this.#open.delete(connection)) this.#leave(connection);
  }

  #join(connection: OpenConnection): void {
    const { group, network } = connection;
    this.#hosts.set(group, (this.#hosts.get(group) ?? new Set()).add(connection));
    this.#networks.set(network, (this.#networks.get(network) ?? 0) + 1);
  }

  #leave(connection: OpenConnection): void {
    const { group, network } = connection;
    const host = this.#hosts.get(group);
    host?.delete(connection);
    if (host?.size === 0) this.#hosts.delete(group);
    const left = (this.#networks.get(network) ?? 0) - 1;
    if (left > 0) this.#networks.set(network, left);
    else this.#networks.delete(network);
  }
}

export class OpenConnection {
  readonly socket: Socket;
  /** The host of its client, and the host's network; empty until the client is known. */
  group = "";
  network = "";
  /** Closes the connection in order; default: at once. */
  end: () => void = () => this.socket.destroy();

  constructor(socket: Socket) {
    this.socket = socket;
  }
}
