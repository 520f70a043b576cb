/**
 * The open connections of the API. When all places are taken, a new connection gets the place of the one that has been
 * quiet for the longest time. Once half of them are taken, an address has only its share of them. A connection with a
 * request under way keeps its place.
 */
import type { Socket } from "node:net";

export interface PlaceLimits {
  /** All places. */
  readonly all: number;
  /** The places of one IPv4 address or IPv6 /64 once half of all are taken. */
  readonly share: number;
}

export class Connections {
  readonly #limits: PlaceLimits;
  readonly #open = new Map<Socket, Connection>();
  /** Connections without a request under way, the one that has been quiet for the longest time first. */
  readonly #quiet = new Set<Connection>();
  /** The connections of each address. Proxies are not among them. */
  readonly #groups = new Map<string, Group>();
  /** Requests under way that came through proxies, by the address that sent them. */
  readonly #forwarded = new Map<string, number>();
  evicted = 0;
  refused = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Gives a connection a place until it closes; false if there is none. `address` is undefined for proxies, whose
   * connections carry requests of many clients.
   */
  add(socket: Socket, address: string | undefined): boolean {
    const group = address === undefined ? undefined : this.#groupOf(address);
    const isOverShare = group !== undefined && this.#isHalfTaken() && group.open.size >= this.#limits.share;
    const isFull = this.#open.size >= this.#limits.all;
    if (isOverShare || isFull) {
      const [quiet] = isOverShare ? group.quiet : this.#quiet;
      if (!quiet) {
        this.refused++;
        return false;
      }
      this.evicted++;
      this.#remove(quiet);
      quiet.socket.destroy();
    }
    const connection: Connection = { socket, address, group, requests: 0 };
    if (group) this.#groups.set(address!, group);
    group?.open.add(connection);
    this.#open.set(socket, connection);
    this.#rest(connection);
    socket.once("close", () => this.#remove(connection));
    return true;
  }

  /** Records that a request was received. */
  begin(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (!connection) return;
    connection.requests++;
    this.#quiet.delete(connection);
    connection.group?.quiet.delete(connection);
  }

  /** Records that a request was answered. */
  end(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection && --connection.requests === 0) this.#rest(connection);
  }

  /** Counts a request under way that came through a proxy; false if its sender has its share already. */
  beginFor(address: string): boolean {
    const count = this.#forwarded.get(address) ?? 0;
    if (count >= this.#limits.share && this.#isHalfTaken()) {
      this.refused++;
      return false;
    }
    this.#forwarded.set(address, count + 1);
    return true;
  }

  endFor(address: string): void {
    const left = this.#forwarded.get(address)! - 1;
    if (left > 0) this.#forwarded.set(address, left);
    else this.#forwarded.delete(address);
  }

  #isHalfTaken(): boolean {
    return this.#open.size >= this.#limits.all / 2;
  }

  #groupOf(address: string): Group {
    return this.#groups.get(address) ?? { open: new Set(), quiet: new Set() };
  }

  #rest(connection: Connection): void {
    this.#quiet.add(connection);
    connection.group?.quiet.add(connection);
  }

  #remove(connection: Connection): void {
    const { socket, address, group } = connection;
    if (!this.#open.delete(socket)) return;
    this.#quiet.delete(connection);
    group?.quiet.delete(connection);
    group?.open.delete(connection);
    if (address !== undefined && group?.open.size === 0) this.#groups.delete(address);
  }
}

interface Connection {
  readonly socket: Socket;
  readonly address: string | undefined;
  readonly group: Group | undefined;
  /** Requests under way. */
  requests: number;
}

interface Group {
  readonly open: Set<Connection>;
  readonly quiet: Set<Connection>;
}
