/** A network of machines for a test: a network namespace for each, with addresses of its own, on one switch. Needs root. */
import { Daemon, output } from "./processes.ts";

const ip = (...args: readonly string[]) => output("ip", args);

export class Network implements AsyncDisposable {
  readonly #prefix: string;
  readonly #names: readonly string[];

  private constructor(prefix: string, names: readonly string[]) {
    this.#prefix = prefix;
    this.#names = names;
  }

  /** Addresses by the names of the machines, which have at most 15 characters, and queues of their cards. */
  static async make(machines: Readonly<Record<string, string | readonly string[]>>, queues = 1): Promise<Network> {
    const network = new Network(`fairlead-${process.pid}`, ["switch", ...Object.keys(machines)]);
    try {
      for (const name of network.#names) await ip("netns", "add", network.#name(name));
      await network.#at("switch", "link", "add", "bridge", "type", "bridge");
      await network.#at("switch", "link", "set", "bridge", "up");
      for (const [name, addresses] of Object.entries(machines))
        await network.#connect(name, [addresses].flat(), queues);
      return network;
    } catch (error) {
      await network[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The start of a command line that runs on the machine. */
  inside = (machine: string): readonly string[] => ["ip", "netns", "exec", this.#name(machine)];

  /** Starts a program on the machine. */
  start(machine: string, file: string, args: readonly string[]): Daemon {
    const [enter = "", ...rest] = this.inside(machine);
    return new Daemon(enter, [...rest, file, ...args]);
  }

  /** Pulls out the machine's cable, or plugs it in again. */
  async plug(machine: string, state: "up" | "down"): Promise<void> {
    await this.#at("switch", "link", "set", machine, state);
  }

  /** The programs on the machines must have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#names) await ip("netns", "del", this.#name(name)).catch(() => {});
  }

  async #connect(machine: string, addresses: readonly string[], queues: number): Promise<void> {
    const own = ["peer", "name", "eth0", "netns", this.#name(machine)];
    const count = ["numrxqueues", `${queues}`, "numtxqueues", `${queues}`];
    await this.#at("switch", "link", "add", machine, ...count, "type", "veth", ...own, ...count);
    await this.#at("switch", "link", "set", machine, "master", "bridge", "up");
    for (const address of addresses) {
      const network = address.includes(":") ? [`${address}/64`, "nodad"] : [`${address}/24`];
      await this.#at(machine, "address", "add", ...network, "dev", "eth0");
    }
    for (const device of ["lo", "eth0"]) await this.#at(machine, "link", "set", device, "up");
  }

  #name = (machine: string) => `${this.#prefix}-${machine}`;

  #at = (machine: string, ...args: readonly string[]) => ip("-n", this.#name(machine), ...args);
}
