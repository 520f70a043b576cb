/** An installation as an operator has it: a store, two controls behind HAProxy, and edges that reach the store in different ways. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentialsFile } from "../../src/lib/files/credentials.ts";
import { freePort, output } from "../machine/processes.ts";
import { type Client, clientOf } from "../service/client.ts";
import { node } from "../service/kit.ts";
import { Balancer } from "./balancer.ts";
import { Disk } from "./disk.ts";
import { Edge, type Fate, fates, replaceCertificate } from "./edge.ts";
import { Part } from "./part.ts";
import type { StorePlace } from "./place.ts";
import { Relay } from "./relay.ts";
import { StoreServer } from "./server.ts";
import { Versions } from "./versions.ts";

interface Parts {
  readonly directory: string;
  readonly disk: Disk;
  readonly relay: Relay;
  readonly controls: readonly Part[];
  readonly edges: readonly Edge[];
  readonly client: Client;
}

export class Installation implements AsyncDisposable {
  readonly directory: string;
  /** The disk of the store's machine. */
  readonly disk: Disk;
  /** Through which controls reach the store. */
  readonly relay: Relay;
  /** A client of HAProxy with the first key. */
  readonly client: Client;
  readonly controls: readonly Part[];
  readonly edges: readonly Edge[];
  readonly versions = new Versions();
  /** What ends with the installation, besides the store. */
  readonly #rest: AsyncDisposableStack;
  #store: StorePlace;

  private constructor(store: StorePlace, rest: AsyncDisposableStack, parts: Parts) {
    this.#store = store;
    this.#rest = rest;
    this.directory = parts.directory;
    this.disk = parts.disk;
    this.relay = parts.relay;
    this.client = parts.client;
    this.controls = parts.controls;
    this.edges = parts.edges;
  }

  static async start(): Promise<Installation> {
    await using rest = new AsyncDisposableStack();
    const directory = mkdtempSync(join(tmpdir(), "fairlead-operate-"));
    rest.defer(() => rmSync(directory, { recursive: true, force: true }));
    const disk = rest.use(await Disk.make(join(directory, "store")));
    const store = await StoreServer.make(disk.directory);
    try {
      const relay = rest.use(await Relay.open(store.target));
      replaceCertificate(directory);
      const ports = [await freePort(), await freePort()];
      const controls = await Promise.all(ports.map((http, n) => makeControl(directory, relay, http, n)));
      const names = ["edge1", "edge2", "edge3", "edge4"];
      const edges = await Promise.all(names.map((name) => Edge.make({ directory, name, target: store.target })));
      for (const part of [...edges, ...controls]) rest.use(part);
      const balancer = rest.use(await Balancer.start(directory, { controls: ports, edges: [] }));
      for (const control of controls) await control.start();
      await Promise.all(edges.map((edge) => edge.start()));
      const { key } = JSON.parse(readFileSync(credentialsFile(dataOf(directory)), "utf8"));
      const client = clientOf(`http://127.0.0.1:${balancer.api}`, key);
      return new Installation(store, rest.move(), { directory, disk, relay, controls, edges, client });
    } catch (error) {
      await store.kill();
      throw error;
    }
  }

  /** The store that controls and edges use. */
  get store(): StorePlace {
    return this.#store;
  }

  /** The store, if it is a server of the operator's own. */
  get server(): StoreServer {
    if (this.#store instanceof StoreServer) return this.#store;
    throw new Error("the store is the embedded one");
  }

  /** Points everybody to a server that takes the place of the store. */
  follow(store: StorePlace): void {
    this.#store = store;
    for (const relay of [this.relay, ...this.edges.map((edge) => edge.relay)]) relay.target = store.target;
  }

  /** Stops the controls while `act` runs. */
  async withoutControls(act: () => Promise<void>): Promise<void> {
    await Promise.all(this.controls.map((control) => control.end()));
    await act();
    for (const control of this.controls) await control.start();
  }

  /** Runs `fairlead store`, as the newest version that runs here; returns what it printed. */
  async command(...args: readonly string[]): Promise<string> {
    const { newest } = this.versions;
    return await output(node, [join(newest, "bin/fairlead.js"), "store", ...args], { cwd: newest });
  }

  /** The flags of a command that works on a store with the master key of the controls. */
  at = (store: StorePlace): readonly string[] => ["--database-url", store.url, "--data", dataOf(this.directory)];

  /** The file with the master key of all controls and edges. */
  get masterKeyFile(): string {
    return join(dataOf(this.directory), "master.key");
  }

  /** What happens to each edge in a round. */
  fatesOf = (round: number): ReadonlyMap<Edge, Fate> =>
    new Map(this.edges.map((edge, n) => [edge, fates[(n + round) % fates.length]!]));

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.controls, ...this.edges].map((part) => part.end()));
    await this.store.kill().catch(() => {});
    await this.#rest.disposeAsync();
    this.versions[Symbol.dispose]();
  }
}

/** The data directory of the first control, with the master key of all. */
const dataOf = (directory: string) => join(directory, "control1");

async function makeControl(directory: string, relay: Relay, http: number, n: number): Promise<Part> {
  const flags = [
    ...[
      "--database-url",
      `postgresql://fairlead@127.0.0.1:${relay.port}/fairlead`,
      "--data",
      join(directory, `control${n + 1}`),
      "--http",
      `127.0.0.1:${http}`,
    ],
    ...["--metrics", `127.0.0.1:${await freePort()}`, "--rate-limit", "1000000/1"],
    ...["--master-key-file", join(dataOf(directory), "master.key"), "--trusted-proxy", "127.0.0.1/32"],
  ];
  return new Part({ role: "control", flags, readiness: http });
}
