/**
 * The open connections of the API. When all places are taken, a new connection gets the place of the one that has been
 * quiet for the longest time. Once half of them are taken, an address has only its share of them, and an IPv6 /48 only
 * half of all. A connection with a request under way keeps its place.
 */
import type { Socket } from "node:net";
import type { ClientNames } from "./address.ts";

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
  /** The connections of each address and network. Proxies are not among them. */
  readonly #groups = new Map<string, Group>();
  /** Requests under way that came through proxies, by the addresses and networks that sent them. */
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
   * Gives a connection a place until it closes; false if there is none. `client` is undefined for proxies, whose
   * connections carry requests of many clients.
   */
  add(socket: Socket, client: ClientNames | undefined): boolean {
    const groups = client ? this.#shares(client).map(([name, most]) => this.#groupOf(name, most)) : [];
    const over = this.#isHalfTaken() ? groups.find(({ open, most }) => open.size >= most) : undefined;
    const isFull = this.#open.size >= this.#limits.all;
    if (over || isFull) {
      const [quiet] = over ? over.quiet : this.#quiet;
      if (!quiet) {
        this.refused++;
        return false;
      }
      this.evicted++;
      this.#remove(quiet);
      quiet.socket.destroy();
    }
    const connection: Connection = { socket, groups, requests: 0 };
    for (const group of groups) {
      // closing the quiet connection may have removed the group
      this.#groups.set(group.name, group);
      group.open.add(connection);
    }
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
    for (const group of connection.groups) group.quiet.delete(connection);
  }

  /** Records that a request was answered. */
  end(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection && --connection.requests === 0) this.#rest(connection);
  }

  /** Counts a request under way that came through a proxy; false if its sender has its share already. */
  beginFor(client: ClientNames): boolean {
    const shares = this.#shares(client);
    if (this.#isHalfTaken() && shares.some(([name, most]) => this.#underWay(name) >= most)) {
      this.refused++;
      return false;
    }
    for (const [name] of shares) this.#forwarded.set(name, this.#underWay(name) + 1);
    return true;
  }

  endFor(client: ClientNames): void {
    for (const [name] of this.#shares(client)) {
      const left = this.#underWay(name) - 1;
      if (left > 0) this.#forwarded.set(name, left);
      else this.#forwarded.delete(name);
    }
  }

  #underWay(name: string): number {
    return this.#forwarded.get(name) ?? 0;
  }

  /** The names under which a client is counted, each with its number of places once half of all are taken. */
  #shares({ bucket, network }: ClientNames): readonly (readonly [name: string, most: number])[] {
    const { all, share } = this.#limits;
    const own = [bucket, share] as const;
    return network === bucket ? [own] : [own, [network, Math.max(share, Math.floor(all / 2))]];
  }

  #isHalfTaken(): boolean {
    return this.#open.size >= this.#limits.all / 2;
  }

  #groupOf(name: string, most: number): Group {
    return this.#groups.get(name) ?? { name, most, open: new Set(), quiet: new Set() };
  }

  #rest(connection: Connection): void {
    this.#quiet.add(connection);
    for (const { quiet } of connection.groups) quiet.add(connection);
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
    this.#quiet.delete(connection);
    for (const { name, open, quiet } of connection.groups) {
      quiet.delete(connection);
      open.delete(connection);
      if (open.size === 0) this.#groups.delete(name);
    }
  }
}

interface Connection {
  readonly socket: Socket;
  /** None for the connection of a proxy. */
  readonly groups: readonly Group[];
  /** Requests under way. */
  requests: number;
}

interface Group {
  readonly name: string;
  readonly most: number;
  readonly open: Set<Connection>;
  readonly quiet: Set<Connection>;
}
