/** The DNS sockets of a supervisor. Every edge inherits them, so queries wait in them while one edge replaces another. */
import { availableParallelism } from "node:os";
import type { Config } from "../../config/config.ts";
import { printEndpoint } from "../../config/values.ts";
import type { EdgeOptions } from "../../edge/edge.ts";
import type { DnsSocket, SecureSocket } from "../../edge/workers/listening.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import type { Log } from "../../lib/log.ts";
import { hasLibc } from "../../net/socket/libc.ts";
import { closeFd, openTcp, openUdp } from "../../net/socket/sockets.ts";
import { provideCertificate, secureSockets } from "../host/certificate.ts";
import { assertFree, dnsPlaces } from "../host/ports.ts";
import type { XdpInterfaces } from "./xdp.ts";

/** The sockets for an edge: `listen` and `secure` have the numbers that `descriptors` get in the edge's process. */
export interface Handed {
  readonly listen: readonly DnsSocket[];
  /** Absent without encrypted DNS. */
  readonly secure?: NonNullable<EdgeOptions["secure"]>;
  readonly descriptors: readonly number[];
  /** Interfaces whose queries are read through AF_XDP. */
  readonly xdp?: XdpInterfaces;
}

/** Descriptors before the inherited ones: stdin, stdout, stderr and the IPC channel. */
export const descriptorsBefore = 4;

export class DnsSockets {
  readonly #open = new Map<string, readonly number[]>();
  readonly #log: Log;
  #xdp: XdpInterfaces | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Opens the missing sockets and returns all that the configuration needs. If an endpoint is not free, throws a Problem
   * that names it, and changes nothing. Without libc, returns no descriptors, and the edge opens its own sockets.
   */
  async hand(config: Config): Promise<Handed> {
    await assertFree(dnsPlaces(config).filter(({ endpoint }) => !this.#open.has(nameOf("tcp", endpoint))));
    const certificate = await provideCertificate(config);
    const encrypted = (listen: readonly SecureSocket[]) => (certificate ? { secure: { listen, certificate } } : {});
    const secure = secureSockets(config);
    if (!hasLibc()) return { listen: config.dns, ...encrypted(secure), descriptors: [] };
    const before = new Set(this.#open.keys());
    try {
      const { secure: open, ...opened } = this.#hand(config, secure);
      return { ...opened, ...encrypted(open), ...(await this.#handXdp(config)) };
    } catch (error) {
      this.#close((name) => !before.has(name));
      throw error;
    }
  }

  /** To be called after a next edge was started: whether it has taken over. */
  takenOver(isDone: boolean): void {
    this.#xdp?.takenOver(isDone);
  }

  /** To be called when the edge has ended without a next one: its queries wait in the sockets. */
  edgeEnded(): void {
    this.#xdp?.leave();
  }

  /** Closes all sockets but the given ones. */
  keepOnly({ descriptors, listen }: Handed): void {
    const kept = new Set(descriptors);
    this.#close((name) => this.#open.get(name)?.every((fd) => !kept.has(fd)) === true);
    this.#xdp?.follow(listen);
  }

  close(): void {
    this.#xdp?.close();
    this.#close(() => true);
  }

  async #handXdp(config: Config): Promise<Pick<Handed, "xdp">> {
    if (config.xdp.length === 0) return {};
    // not loaded by the others
    this.#xdp ??= new (await import("./xdp.ts")).XdpInterfaces(this.#log);
    this.#xdp.hand(config);
    return { xdp: this.#xdp };
  }

  #hand({ dns, udp, workers = Math.min(4, availableParallelism()) }: Config, secure: readonly SecureSocket[]) {
    const descriptors: number[] = [];
    const numbers = (fds: readonly number[]) => fds.map((fd) => descriptorsBefore - 1 + descriptors.push(fd));
    const tcp = (endpoint: Endpoint) => numbers(this.#take("tcp", endpoint, 1))[0]!;
    return {
      listen: dns.map(({ address, port }) => ({
        address,
        port,
        udpFds: udp === "portable" ? [] : numbers(this.#take("udp", { address, port }, workers)),
        tcpFd: tcp({ address, port }),
      })),
      secure: secure.map((socket) => ({ ...socket, fd: tcp(socket) })),
      descriptors,
    };
  }

  #take(kind: "udp" | "tcp", endpoint: Endpoint, count: number): readonly number[] {
    const name = nameOf(kind, endpoint);
    const known = this.#open.get(name);
    if (known) return known;
    const fds: number[] = [];
    this.#open.set(name, fds);
    const open = kind === "udp" ? openUdp : openTcp;
    while (fds.length < count) fds.push(open(endpoint.address, endpoint.port));
    return fds;
  }

  #close(isUnneeded: (name: string) => boolean): void {
    for (const [name, fds] of [...this.#open]) {
      if (!isUnneeded(name)) continue;
      for (const fd of fds) closeFd(fd);
      this.#open.delete(name);
    }
  }
}

const nameOf = (kind: "udp" | "tcp", endpoint: Endpoint) => `${kind} ${printEndpoint(endpoint)}`;
