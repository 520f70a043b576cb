/** An installation as an operator has it: a store with a standby, control, and edges that reach the store in different ways. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentialsFile } from "../../src/lib/files/credentials.ts";
import { Daemon, freePort } from "../machine/processes.ts";
import { type Client, clientOf } from "../service/client.ts";
import { node, tree } from "../service/kit.ts";
import { Relay } from "./relay.ts";
import { StoreServer } from "./server.ts";

/** What happens to an edge while the store is put back. */
export const fates = ["stopped", "cut off", "slow", "running"] as const;
export type Fate = (typeof fates)[number];

export interface Edge {
  readonly fate: Fate;
  readonly port: number;
  readonly relay: Relay;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export class Installation implements AsyncDisposable {
  readonly client: Client;
  readonly edges: readonly Edge[];
  store: StoreServer;
  readonly directory: string;
  readonly #control: Daemon;
  readonly #relays: readonly Relay[];

  private constructor(parts: {
    client: Client;
    edges: readonly Edge[];
    store: StoreServer;
    directory: string;
    control: Daemon;
    relays: readonly Relay[];
  }) {
    this.client = parts.client;
    this.edges = parts.edges;
    this.store = parts.store;
    this.directory = parts.directory;
    this.#control = parts.control;
    this.#relays = parts.relays;
  }

  static async start(): Promise<Installation> {
    const directory = mkdtempSync(join(tmpdir(), "fairlead-operate-"));
    const store = await StoreServer.make(directory);
    const relay = await Relay.open(store.port);
    const data = join(directory, "control");
    const [http, metrics] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${http}`;
    const control = fairlead("control", [
      ...["--database-url", urlThrough(relay), "--data", data, "--http", `127.0.0.1:${http}`],
      ...["--metrics", `127.0.0.1:${metrics}`, "--rate-limit", "1000000/1"],
    ]);
    await control.until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200, 60_000);
    const { key } = JSON.parse(readFileSync(credentialsFile(data), "utf8"));
    const edges = await Promise.all(fates.map((fate) => makeEdge(fate, directory, store.port)));
    await Promise.all(edges.map((edge) => edge.start()));
    const relays = [relay, ...edges.map((edge) => edge.relay)];
    return new Installation({ client: clientOf(url, key), edges, store, directory, control, relays });
  }

  /** Points everybody to a server that takes the place of the store. */
  follow(store: StoreServer): void {
    this.store = store;
    for (const relay of this.#relays) relay.target = store.port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#control.end(), ...this.edges.map((edge) => edge.stop())]);
    for (const relay of this.#relays) await relay[Symbol.asyncDispose]();
    await this.store.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

async function makeEdge(fate: Fate, directory: string, target: number): Promise<Edge> {
  const relay = await Relay.open(target);
  const [port, metrics] = [await freePort(), await freePort()];
  const flags = [
    ...["--database-url", urlThrough(relay), "--data", join(directory, fate.replace(" ", "-"))],
    ...["--master-key-file", join(directory, "control/master.key")],
    ...["--dns", `127.0.0.1:${port}`, "--metrics", `127.0.0.1:${metrics}`, "--workers", "1"],
  ];
  let running: Daemon | undefined;
  return {
    fate,
    port,
    relay,
    async start() {
      const daemon = fairlead("edge", flags);
      running = daemon;
      const isReady = async () =>
        (await fetch(`http://127.0.0.1:${metrics}/readyz`).catch(() => undefined))?.ok === true;
      await daemon.until(isReady, 60_000);
    },
    async stop() {
      await running?.end();
      running = undefined;
    },
  };
}

const urlThrough = ({ port }: Relay) => `postgresql://fairlead@127.0.0.1:${port}/fairlead`;

const fairlead = (role: string, flags: readonly string[]) =>
  new Daemon(node, [join(tree, "bin/fairlead.js"), role, ...flags, "--log", "warn"]);
