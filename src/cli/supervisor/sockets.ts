/** The DNS sockets of a supervisor. Every edge inherits them, so queries wait in them while one edge replaces another. */
import { availableParallelism } from "node:os";
import type { Config } from "../../config/config.ts";
import { printEndpoint } from "../../config/values.ts";
import type { EdgeOptions } from "../../edge/edge.ts";
import type { DnsSocket, SecureSocket } from "../../edge/workers/listening.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import { hasLibc } from "../../net/socket/libc.ts";
import { closeFd, openTcp, openUdp } from "../../net/socket/sockets.ts";
import { provideCertificate, secureSockets } from "../host/certificate.ts";
import { assertFree, dnsPlaces } from "../host/ports.ts";

/** The sockets for an edge: `listen` and `secure` have the numbers that `descriptors` get in the edge's process. */
export interface Handed {
  readonly listen: readonly DnsSocket[];
  /** Absent without encrypted DNS. */
  readonly secure?: NonNullable<EdgeOptions["secure"]>;
  readonly descriptors: readonly number[];
}

/** Descriptors before the inherited ones: stdin, stdout, stderr and the IPC channel. */
export const descriptorsBefore = 4;

export class DnsSockets {
  readonly #open = new Map<string, readonly number[]>();

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
      return { ...opened, ...encrypted(open) };
    } catch (error) {
      this.#close((name) => !before.has(name));
      throw error;
    }
  }

  /** Closes all sockets but the given ones. */
  keepOnly({ descriptors }: Handed): void {
    const kept = new Set(descriptors);
    this.#close((name) => this.#open.get(name)?.every((fd) => !kept.has(fd)) === true);
  }

  close(): void {
    this.#close(() => true);
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
