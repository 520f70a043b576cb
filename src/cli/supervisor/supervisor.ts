/** The supervisor: keeps control and edge running beside one store, and replaces the edge without losing a query. */
import { type Config, reloaded } from "../../config/config.ts";
import type { Log } from "../../lib/log.ts";
import { Child } from "./child.ts";
import type { Question, Role, Start } from "./link.ts";
import type { DnsSockets, Handed } from "./sockets.ts";

export interface SupervisorOptions {
  /** Reads the configuration; again at each reload. Throws a Problem when it is wrong. */
  readonly configure: () => Config;
  readonly config: Config;
  /** The file that a child starts with. */
  readonly main: string;
  readonly storeUrl: string;
  readonly sockets: DnsSockets;
  /** What the first edge is handed of them. */
  readonly handed: Handed;
  readonly log: Log;
}

/** For an edge that writes down what it knows before another one takes over. */
const keepWithin = 30_000;

export class Supervisor {
  /** Both children run; rejected when one cannot start at all. */
  readonly ready: Promise<void>;
  readonly #options: SupervisorOptions;
  readonly #children: Readonly<Record<Role, Child>>;
  #config: Config;
  #handed: Handed;
  /** The reload that was asked for last. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The edge before the one of now has ended. */
  #retired: Promise<void> = Promise.resolve();

  constructor(options: SupervisorOptions) {
    const { config, handed, main, log } = options;
    this.#options = options;
    this.#config = config;
    this.#handed = handed;
    const start = this.#startOf(config, handed);
    const relay = (of: Role, what: Question) => this.ask(of, what);
    const common = { main, log, start, relay };
    this.#children = {
      control: new Child({ ...common, role: "control", descriptors: [] }),
      edge: new Child({ ...common, role: "edge", descriptors: handed.descriptors }),
    };
    this.ready = Promise.all(Object.values(this.#children).map((child) => child.ready)).then(() => {});
  }

  async ask(of: Role, what: Question): Promise<string> {
    return await this.#children[of].ask(what);
  }

  /**
   * Reads the configuration again and puts another edge in the place of the one that runs. Resolves with what was done,
   * in words; rejects with the reason why nothing was. Reloads are done one after the other.
   */
  reload(): Promise<string> {
    const turn = this.#turn.then(() => this.#reload());
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#children).map((child) => child.stop()));
  }

  async #reload(): Promise<string> {
    const { sockets } = this.#options;
    // never three edges: each holds all zones in memory
    await this.#retired;
    const { edge } = this.#children;
    const { config, left } = reloaded(this.#config, this.#options.configure());
    const since = performance.now();
    const before = edge.pid;
    const handed = await sockets.hand(config);
    try {
      const launch = { start: this.#startOf(config, handed), descriptors: handed.descriptors };
      const { pid, retired } = await edge.replace(launch, await this.#known());
      this.#retired = retired.then(() => sockets.keepOnly(handed));
      this.#config = config;
      this.#handed = handed;
      const seconds = ((performance.now() - since) / 1000).toFixed(2);
      const rest = left.length > 0 ? `; ${left.join(", ")} changed, which needs a restart` : "";
      return `edge ${before ?? "(none)"} was replaced by ${pid} in ${seconds} s${rest}`;
    } catch (error) {
      sockets.keepOnly(this.#handed);
      throw error;
    }
  }

  /** What the edge knows that is there; it keeps that on disk, for the next one to begin with. Nothing without one. */
  #known(): Promise<Start["takesOver"]> {
    return this.#children.edge.ask("keep", keepWithin).then(JSON.parse, () => undefined);
  }

  #startOf(config: Config, { listen, secure }: Handed): Start {
    const { storeUrl } = this.#options;
    return { kind: "start", config, storeUrl, listen, ...(secure ? { secure } : {}) };
  }
}
