/** `fairlead serve --xdp` on a machine of a network in a box, and what its operator and its clients see. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadAddress, loadName, type Tally } from "../../faults/load.ts";
import type { Network } from "../../machine/network.ts";
import { processesBelow } from "../../machine/proc.ts";
import { Daemon, output } from "../../machine/processes.ts";
import { node, tree } from "../../service/kit.ts";

export const addresses = { 4: "192.0.2.1", 6: "2001:db8::1" } as const;
export const machines = {
  server: [addresses[4], addresses[6]],
  client: ["192.0.2.9", "2001:db8::9"],
  bare: ["192.0.2.2"],
} as const;
const card = "eth0";
const zone = loadName.slice(loadName.indexOf(".") + 1);

export interface ServerOptions {
  readonly machine?: keyof typeof machines;
  readonly sources?: string;
  readonly flags?: readonly string[];
  /** The start of the command line on the machine. */
  readonly before?: readonly string[];
}

export interface SteadyLoad {
  /** Ends it, and tells the outcome once every query was answered or lost. */
  end(): Promise<Tally>;
  abort(): Promise<void>;
}

export class XdpServer {
  readonly daemon: Daemon;
  readonly network: Network;
  readonly #machine: keyof typeof machines;
  readonly data = mkdtempSync(join(tmpdir(), "fairlead-xdp-"));

  private constructor(
    network: Network,
    { machine = "server", sources = tree, flags = [], before = [] }: ServerOptions,
  ) {
    this.network = network;
    this.#machine = machine;
    const listen = ["--dns", "0.0.0.0:53", "--dns", "[::]:53", "--workers", "1", "--xdp", card];
    const args = [
      join(sources, "bin/fairlead.js"),
      "serve",
      "--data",
      this.data,
      "--log",
      "debug",
      ...listen,
      ...flags,
    ];
    const program = join(sources, "node_modules/.bin/node");
    const [file = "", ...rest] = [...network.inside(machine), ...before, program, ...args];
    this.daemon = new Daemon(file, rest, { cwd: sources });
  }

  /** Starts a server that answers `loadName`. */
  static async start(network: Network, options: ServerOptions = {}): Promise<XdpServer> {
    const server = new XdpServer(network, options);
    const ready = () =>
      server.#curl("/readyz", 8080).then(
        (text) => JSON.parse(text).ready === true,
        () => false,
      );
    await server.daemon.until(ready, 60_000);
    const { key } = JSON.parse(readFileSync(join(server.data, "credentials.json"), "utf8"));
    const put = (path: string, body: object) =>
      server.#curl(
        `/v1/zones/${path}`,
        8080,
        "-f",
        "-X",
        "PUT",
        "-H",
        `X-SERVICE-Key: ${key}`,
        "-d",
        JSON.stringify(body),
      );
    await put(zone, { zone });
    const record = { zone, domain: loadName, type: "A", answers: [{ answer: [loadAddress] }] };
    await put(`${zone}/${loadName}/A`, record);
    const address = machines[options.machine ?? "server"][0];
    await server.daemon.until(async () => (await server.dig(`@${address}`).catch(() => "")) !== "");
    return server;
  }

  /** Process id of the edge. */
  get edge(): number {
    return processesBelow(this.daemon.pid).find(({ line }) => line.at(-1) === "edge")!.pid;
  }

  /** Values of a metric by the text of their labels; those of a metric without labels have the empty text. */
  async metric(name: string): Promise<Readonly<Record<string, number>>> {
    const lines = (await this.#curl("/metrics", 9153)).split("\n");
    const own = lines.flatMap((line) => new RegExp(`^${name}(?:\\{(.*)\\})? ([\\d.e+-]+)$`).exec(line) ?? []);
    return Object.fromEntries(
      Array.from({ length: own.length / 3 }, (_, n) => [own[n * 3 + 1] ?? "", Number(own[n * 3 + 2])]),
    );
  }

  async sum(name: string): Promise<number> {
    return Object.values(await this.metric(name)).reduce((sum, value) => sum + value, 0);
  }

  /** Whether all queues are read through AF_XDP. */
  async isUp(): Promise<boolean> {
    const states = Object.values(await this.metric("fairlead_xdp_queue_up").catch(() => ({})));
    return states.length > 0 && states.every((state) => state === 1);
  }

  /** Asks from the client's machine. */
  dig(...flags: readonly string[]): Promise<string> {
    const [file = "", ...rest] = this.network.inside("client");
    return output(file, [...rest, "dig", "+short", "+tries=1", "+time=2", loadName, "A", ...flags]);
  }

  /** Asks steadily from the client's machine. */
  async load(rate: number, address: string = addresses[4]): Promise<SteadyLoad> {
    const [file = "", ...rest] = this.network.inside("client");
    const script = [node, join(tree, "test/flows/xdp/ask.ts"), address, `${rate}`];
    const asker = new Daemon(file, [...rest, ...script], { stdio: ["pipe", "pipe", "pipe"] });
    await asker.until(() => asker.printed.includes("ready"));
    return {
      async end() {
        asker.child.stdin!.write("end\n");
        await new Promise((resolve) => asker.child.once("close", resolve));
        return JSON.parse(asker.printed.trim().split("\n").at(-1)!);
      },
      abort: async () => void (await asker.end()),
    };
  }

  /** Asks with a query of so many octets from the client's machine; returns the reply. */
  async datagram(address: string, octets: number): Promise<Buffer> {
    const [file = "", ...rest] = this.network.inside("client");
    const script = [node, join(tree, "test/flows/xdp/datagram.ts"), address, loadName, `${octets}`];
    return Buffer.from(await output(file, [...rest, ...script]), "hex");
  }

  /** Sends frames from the client's card; returns those that come back from port 53. */
  async raw(frames: readonly (readonly number[])[]): Promise<number[][]> {
    const [file = "", ...rest] = this.network.inside("client");
    const texts = frames.map((frame) => Buffer.from(frame).toString("hex"));
    const out = await output(file, [...rest, node, join(tree, "test/flows/xdp/raw.ts"), card, ...texts]);
    return out
      .split("\n")
      .filter(Boolean)
      .map((line) => [...Buffer.from(line, "hex")]);
  }

  /** The hardware address of a machine's card. */
  async mac(machine: keyof typeof machines): Promise<number[]> {
    const [file = "", ...rest] = this.network.inside(machine);
    const [{ address }] = JSON.parse(await output(file, [...rest, "ip", "-j", "link", "show", card]));
    return [...Buffer.from(address.replaceAll(":", ""), "hex")];
  }

  async stop(): Promise<void> {
    await this.daemon.end();
    rmSync(this.data, { recursive: true, force: true });
  }

  #curl(path: string, port: number, ...args: readonly string[]): Promise<string> {
    const [file = "", ...rest] = this.network.inside(this.#machine);
    return output(file, [...rest, "curl", "-sS", "-m", "10", ...args, `http://127.0.0.1:${port}${path}`]);
  }
}
