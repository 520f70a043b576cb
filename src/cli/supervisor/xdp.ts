/** The interfaces whose queries are read through AF_XDP: their programs last as long as this process, sockets as an edge. */
import type { Config } from "../../config/config.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";
import { hasLibc } from "../../lib/system/libc.ts";
import { XdpInterface } from "../../net/xdp/attached.ts";
import { closeXdpSocket, openXdpSocket, type XdpQueue, type XdpSocket } from "../../net/xdp/queue.ts";
import { keepNetworkFromChildren, withNetwork } from "../user/become.ts";
import type { OwnDescriptors } from "./role-process.ts";

/** Milliseconds between two looks at the addresses of this machine, which stand for wildcards. */
const every = 5000;

type Sockets = readonly (XdpSocket | undefined)[];

export class XdpInterfaces implements OwnDescriptors {
  readonly #log: Log;
  readonly #attached = new Map<string, XdpInterface>();
  /** Sockets of the edge, and of one that takes over. If the edge crashes, queries wait in them for its successor. */
  #current: Sockets = [];
  #next: Sockets = [];
  #endpoints: readonly Endpoint[] = [];
  #following: Loop | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Attaches to the interfaces of the configuration. One to which that is not possible is left out, and a warning says
   * why: the sockets answer its queries.
   */
  hand({ xdp, dns }: Config): void {
    if (!hasLibc()) this.#warn(xdp.join(), "AF_XDP needs Linux with glibc on x64 or arm64");
    else {
      keepNetworkFromChildren();
      for (const name of new Set(xdp)) this.#attach(name, dns);
    }
  }

  /** Gives the maps numbers in another process; the result numbers the sockets of `open` from a first one. */
  number(hand: (fd: number) => number): (first: number) => readonly XdpQueue[] {
    const maps = [...this.#attached.values()].map((one) => ({ ...one.about, mode: one.mode, map: hand(one.map) }));
    return (first) => {
      let next = first;
      return maps.flatMap(({ name, index, mtu, queues, mode, map }) =>
        Array.from({ length: queues }, (_, queue) => ({
          ...{ interface: name, index, queue, mtu, mode, map, socket: next++, memory: next++ },
        })),
      );
    };
  }

  /** Takes queries for these endpoints, at the addresses that the machine has. */
  follow(endpoints: readonly Endpoint[]): void {
    this.#endpoints = endpoints;
    this.#following?.wake();
  }

  /** Sockets for an edge: new ones, if it is the first, or the one before it is still there. */
  open(isBesideAnother: boolean): (number | "ignore")[] {
    const queues = [...this.#attached.values()].reduce((sum, { about }) => sum + about.queues, 0);
    const isAnew = isBesideAnother || this.#current.length !== queues;
    const sockets = isAnew ? Array.from({ length: queues }, openSocket) : this.#current;
    if (isBesideAnother) this.#next = sockets;
    else this.#current = sockets;
    return sockets.flatMap((one): (number | "ignore")[] => (one ? [one.socket, one.memory] : ["ignore", "ignore"]));
  }

  /** To be called after an edge was started to take over: whether it has. The other one gives its queues back then. */
  takenOver(isDone: boolean): void {
    closeAll(isDone ? this.#current : this.#next);
    if (isDone) this.#current = this.#next;
    this.#next = [];
  }

  /** Leaves all queues to the sockets of DNS, after the end of an edge. One that is about to take over has none yet. */
  leave(): void {
    for (const one of this.#attached.values()) withNetwork(() => one.leaveQueues());
  }

  close(): void {
    closeAll([...this.#current, ...this.#next]);
    void this.#following?.close();
    for (const one of this.#attached.values()) one.close();
    this.#attached.clear();
  }

  #attach(name: string, endpoints: readonly Endpoint[]): void {
    const known = this.#attached.get(name);
    if (known?.isCurrent) return;
    known?.close();
    this.#attached.delete(name);
    try {
      const one = withNetwork(() => new XdpInterface(name, endpoints));
      this.#attached.set(name, one);
      const { mtu, queues } = one.about;
      this.#log.info({ interface: name, mode: one.mode, queues, mtu }, "queries are read through AF_XDP");
    } catch (error) {
      this.#warn(name, error instanceof Error ? error.message : String(error));
      return;
    }
    if (this.#endpoints.length === 0) this.#endpoints = endpoints;
    this.#following ??= loop({
      turn: () => this.#lookAgain(),
      every,
      first: every,
      complain: (error) => this.#log.error({ reason: String(error) }, "addresses for AF_XDP are still the former ones"),
    });
  }

  #lookAgain(): void {
    for (const one of this.#attached.values()) {
      if (one.isCurrent) withNetwork(() => one.follow(this.#endpoints));
    }
  }

  #warn(name: string, reason: string): void {
    this.#log.warn({ interface: name, reason }, "no AF_XDP: the sockets answer all queries of the interface");
  }
}

function openSocket(): XdpSocket | undefined {
  try {
    return withNetwork(openXdpSocket);
  } catch {
    return undefined;
  }
}

function closeAll(sockets: Sockets): void {
  for (const one of sockets) if (one) closeXdpSocket(one);
}

/** Queues for an edge in this process. */
export function ownQueues(config: Config, log: Log): readonly XdpQueue[] {
  const interfaces = new XdpInterfaces(log);
  interfaces.hand(config);
  const fds = interfaces.open(false);
  return interfaces
    .number((map) => map)(0)
    .flatMap((queue) => {
      const [socket, memory] = [fds[queue.socket], fds[queue.memory]];
      return typeof socket === "number" && typeof memory === "number" ? [{ ...queue, socket, memory }] : [];
    });
}
