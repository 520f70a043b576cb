/** An interface whose queries go to AF_XDP sockets: the program that is attached to it, and the map of its sockets. */
import type { Endpoint } from "../../lib/address/egress.ts";
import { invalid, Problem } from "../../lib/problem.ts";
import { libc } from "../../lib/system/libc.ts";
import { closeFd } from "../socket/sockets.ts";
import {
  attachProgram,
  BpfError,
  createSocketMap,
  loadProgram,
  removeSocket,
  replaceProgram,
  type XdpMode,
} from "./bpf.ts";
import { describeInterface, type Interface, rulesFor } from "./interface.ts";
import { composeProgram, type XdpRules } from "./program.ts";
import { closeXdpSocket, openXdpSocket } from "./queue.ts";

/** What the kernel's refusals mean, and what to do. */
const remedies: Readonly<Record<string, string>> = {
  EPERM: "needs root, or CAP_NET_ADMIN, CAP_NET_RAW and CAP_BPF",
  EACCES: "needs root, or CAP_NET_ADMIN, CAP_NET_RAW and CAP_BPF",
  EAFNOSUPPORT: "this kernel has no AF_XDP (CONFIG_XDP_SOCKETS)",
  ENOSYS: "this kernel has no BPF",
  EBUSY: "another program is attached; to detach what a stopped server has left: `ip link set dev NAME xdp off`",
  EEXIST: "another program is attached; to detach what a stopped server has left: `ip link set dev NAME xdp off`",
};

export class XdpInterface {
  readonly about: Interface;
  readonly mode: XdpMode;
  /** The map from queues to sockets: a descriptor that is open until `close`. */
  readonly map: number;
  readonly #link: number;
  #rules: XdpRules;

  /** Attaches a program. Throws a Problem that names the interface, the reason and the remedy. */
  constructor(name: string, endpoints: readonly Endpoint[]) {
    const opened: number[] = [];
    const open = (fd: number) => {
      opened.push(fd);
      return fd;
    };
    try {
      this.about = describeInterface(name);
      this.#rules = rulesFor(this.about, endpoints);
      // tells whether edges can have sockets
      closeXdpSocket(openXdpSocket());
      this.map = open(createSocketMap(this.about.queues));
      const program = open(loadProgram(composeProgram(this.#rules, this.map)));
      const { mode, link } = attach(program, this.about.index);
      this.mode = mode;
      this.#link = open(link);
      closeFd(program);
    } catch (error) {
      for (const fd of opened) closeFd(fd);
      throw explained(error, name);
    }
  }

  /** Whether the interface is still there: one that was removed and made again is another one. */
  get isCurrent(): boolean {
    return libc().if_nametoindex(this.about.name) === this.about.index;
  }

  /** Takes the queries for these endpoints from now on; looks up the addresses of this machine again. */
  follow(endpoints: readonly Endpoint[]): void {
    const rules = rulesFor(describeInterface(this.about.name), endpoints);
    if (isEqual(rules, this.#rules)) return;
    const program = loadProgram(composeProgram(rules, this.map));
    try {
      replaceProgram(this.#link, program);
      this.#rules = rules;
    } finally {
      closeFd(program);
    }
  }

  /** Leaves the queries of all queues to the kernel, until an edge reads them again. */
  leaveQueues(): void {
    for (let queue = 0; queue < this.about.queues; queue++) removeSocket(this.map, queue);
  }

  /** Detaches the program. */
  close(): void {
    closeFd(this.#link);
    closeFd(this.map);
  }
}

/** In the driver if that is possible there, otherwise after it. */
function attach(program: number, index: number): { mode: XdpMode; link: number } {
  try {
    return { mode: "native", link: attachProgram(program, index, "native") };
  } catch (error) {
    const isTaken = error instanceof BpfError && ["EBUSY", "EEXIST", "EPERM"].includes(error.errno);
    if (isTaken) throw error;
    return { mode: "generic", link: attachProgram(program, index, "generic") };
  }
}

function explained(error: unknown, name: string): Problem {
  const reason = error instanceof Error ? error.message : String(error);
  const errno = error instanceof Problem ? error.details?.["errno"] : undefined;
  const remedy = typeof errno === "string" ? remedies[errno]?.replace("NAME", name) : undefined;
  return invalid(remedy === undefined ? reason : `${remedy} (${reason})`);
}

const isEqual = (one: XdpRules, other: XdpRules) => textOf(one) === textOf(other);

const textOf = ({ mac, endpoints, ours }: XdpRules) =>
  [mac.join("."), ...endpoints.map(({ address, port }) => `${address.join(".")} ${port}`), "", ...ours].join();
