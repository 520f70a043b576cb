/** The DNS sockets of a supervisor. Every edge inherits them, so queries wait in them while one edge replaces another. */
import { availableParallelism } from "node:os";
import type { Config } from "../../config/config.ts";
import type { EdgeOptions } from "../../edge/edge.ts";
import type { DnsSocket, SecureSocket } from "../../edge/workers/listening.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import type { Log } from "../../lib/log.ts";
import { hasLibc } from "../../lib/system/libc.ts";
import { closeFd, openTcp, openUdp } from "../../net/socket/sockets.ts";
import { assertFree, dnsPlaces, type OpenHere } from "../host/ports.ts";
import { secureOf } from "../host/secure.ts";
import type { HeldSockets } from "./held-sockets.ts";
import type { XdpInterfaces } from "./xdp.ts";

/** The sockets for an edge: `listen` and `secure` have the numbers that `descriptors` have in the edge's process. */
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
  readonly #held: HeldSockets;
  readonly #log: Log;
  readonly #isForChild: boolean;
  #xdp: XdpInterfaces | undefined;

  /** Without a child, the edge runs in this process, and closes the sockets at its end. */
  constructor(held: HeldSockets, log: Log, { isForChild = true } = {}) {
    this.#held = held;
    this.#log = log;
    this.#isForChild = isForChild;
  }

  /**
   * Opens the missing sockets and returns all that the configuration needs. If an endpoint is not free, throws a Problem
   * that names it, and changes nothing. Without libc, returns no descriptors, and the edge opens its own sockets.
   */
  async hand(config: Config): Promise<Handed> {
    await assertFree(dnsPlaces(config), hereIn(this.#held));
    const secure = await secureOf(config);
    if (!hasLibc()) return { listen: config.dns, ...(secure ? { secure } : {}), descriptors: [] };
    const before = new Set(this.#held.all().map(({ fd }) => fd));
    try {
      const { secure: listen, ...opened } = this.#hand(config, secure?.listen ?? []);
      const xdp = this.#isForChild ? await this.#handXdp(config) : {};
      return { ...opened, ...(secure ? { secure: { ...secure, listen } } : {}), ...xdp };
    } catch (error) {
      this.#held.close((fds) => fds.some((fd) => !before.has(fd)));
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

  /** Closes the sockets of `former` that `kept` does not have. */
  dropFormer(former: Handed, kept: Handed): void {
    const needed = new Set(kept.descriptors);
    const dropped = new Set(former.descriptors.filter((fd) => !needed.has(fd)));
    this.#held.close((fds) => fds.some((fd) => dropped.has(fd)));
    this.#xdp?.follow(kept.listen);
  }

  /** Closes all sockets here. */
  close(): void {
    this.#xdp?.close();
    this.#held.closeAll();
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
    const numbers = (fds: readonly number[]) =>
      fds.map((fd) => {
        const inChild = descriptorsBefore - 1 + descriptors.push(fd);
        return this.#isForChild ? inChild : fd;
      });
    const tcp = (endpoint: Endpoint) =>
      numbers(this.#held.take("tcp", endpoint, () => [openTcp(endpoint.address, endpoint.port)]))[0]!;
    const udpOf = (endpoint: Endpoint) => numbers(this.#held.take("udp", endpoint, () => openMany(endpoint, workers)));
    const isOurs = !this.#isForChild;
    return {
      listen: dns.map(({ address, port }) => ({
        address,
        port,
        udpFds: udp === "portable" ? [] : udpOf({ address, port }),
        tcpFd: tcp({ address, port }),
        isOurs,
      })),
      secure: secure.map((socket) => ({ ...socket, fd: tcp(socket), isOurs })),
      descriptors,
    };
  }
}

/** The endpoints of DNS that are open here. With `--udp portable`, the edge has the UDP sockets, and the TCP socket tells. */
export const hereIn = (held: HeldSockets): OpenHere => ({
  has: (transport, endpoint) => held.has(transport, endpoint) || held.has("tcp", endpoint),
});

/** Opens UDP sockets that share an endpoint: all of them, or none. */
function openMany({ address, port }: Endpoint, count: number): number[] {
  const fds: number[] = [];
  try {
    while (fds.length < count) fds.push(openUdp(address, port));
    return fds;
  } catch (error) {
    for (const fd of fds) closeFd(fd);
    throw error;
  }
}
