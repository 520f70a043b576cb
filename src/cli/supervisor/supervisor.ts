/** The supervisor: keeps control and edge running on one store, and replaces the edge without losing a query. */
import { type Config, reloaded } from "../../config/config.ts";
import { newId } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import { unavailable } from "../../lib/problem.ts";
import { Child } from "./child.ts";
import type { Launcher } from "./launcher.ts";
import type { Question, Role, Start } from "./link.ts";
import type { DnsSockets, Handed } from "./sockets.ts";

export interface SupervisorOptions {
  /** Reads the configuration; called again at each reload. Throws a Problem if it is invalid. */
  readonly configure: () => Config;
  readonly config: Config;
  /** The entry file of children. */
  readonly main: string;
  readonly launcher: Launcher;
  readonly sockets: DnsSockets;
  /** The sockets of the first edge. */
  readonly handed: Handed;
  /** The position of the edge of the service before, which this one follows. */
  readonly takesOver?: Start["takesOver"];
  readonly log: Log;
}

/** Milliseconds that an edge has to save its state before another one takes over. */
const keepWithin = 30_000;

export class Supervisor {
  /** Resolves when both children run; rejected if one cannot start. */
  readonly ready: Promise<void>;
  readonly #options: SupervisorOptions;
  readonly #children: Readonly<Record<Role, Child>>;
  readonly #instance = newId();
  /** Processes of control that have ended, and names in leases that edges had. */
  #ended = 0;
  #standIns = 0;
  #config: Config;
  #handed: Handed;
  /** Settles after the last requested reload. */
  #reloads: Promise<unknown> = Promise.resolve();
  /** Whether another service has taken over. */
  #isFollowed = false;
  /** Resolves when the previous edge has ended. */
  #retired: Promise<void> = Promise.resolve();

  constructor(options: SupervisorOptions) {
    const { config, handed, launcher, main, log, takesOver } = options;
    this.#options = options;
    this.#config = config;
    this.#handed = handed;
    const relay = (of: Role, question: Question) => this.ask(of, question);
    const common = { main, log, relay };
    const onChange = (isUp: boolean) => {
      if (!isUp) this.#ended++;
      this.#divideWork();
    };
    const nextHolder = () => this.#holder(this.#ended + 1, 0);
    const control = { ...common, role: "control", nextHolder, onChange } as const;
    const onEdge = (isUp: boolean) => {
      if (!isUp) options.sockets.edgeEnded();
      this.#divideWork();
    };
    const edge = { ...common, role: "edge", takesOver, onChange: onEdge } as const;
    this.#children = {
      control: new Child({ ...control, ...launcher.control(config) }),
      edge: new Child({ ...edge, ...launcher.edge(config, handed) }),
    };
    this.ready = Promise.all(Object.values(this.#children).map((child) => child.ready)).then(() => {});
  }

  async ask(of: Role, question: Question): Promise<string> {
    return await this.#children[of].ask(question);
  }

  /**
   * Reads the configuration again and replaces the edge. Resolves with a description of the replacement; rejects with the
   * reason if nothing was replaced. Reloads run one after the other.
   */
  reload(): Promise<string> {
    return this.#next(() => this.#reload());
  }

  #next<T>(act: () => Promise<T>): Promise<T> {
    const acted = this.#reloads.then(() => {
      if (this.#isFollowed) throw unavailable("another process has taken over");
      return act();
    });
    this.#reloads = acted.catch(() => {});
    return acted;
  }

  /**
   * Lets another service take over: `start` gets the position of the edge, and resolves when the other one answers. After
   * that nothing is reloaded here. Rejects with the reason if the other one does not start; this one goes on then.
   */
  handOver<T>(start: (position: Start["takesOver"]) => Promise<T>): Promise<T> {
    return this.#next(async () => {
      const successor = await start(await this.#savePosition());
      this.#isFollowed = true;
      return successor;
    });
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#children).map((child) => child.stop()));
  }

  /** Ends after another service has taken over: children finish what they have begun. */
  async retire(): Promise<void> {
    await Promise.all(Object.values(this.#children).map((child) => child.retire()));
  }

  /** The edge numbers changes while control is away. */
  #divideWork(): void {
    const { control, edge } = this.#children;
    edge.tell({ kind: "number", holder: control.isDown ? this.#holder(this.#ended, ++this.#standIns) : undefined });
  }

  /** The name in leases of a process of control, or of the edge after it; each is the heir of the names before it. */
  #holder(control: number, standIn: number): string {
    return `${this.#instance} ${[control, standIn].map((count) => String(count).padStart(9, "0")).join(".")}`;
  }

  async #reload(): Promise<string> {
    const { sockets, launcher } = this.#options;
    // at most two edges at a time: each holds all zones in memory
    await this.#retired;
    const { edge } = this.#children;
    const { config, left } = reloaded(this.#config, this.#options.configure());
    const since = performance.now();
    const before = edge.pid;
    const handed = await sockets.hand(config);
    try {
      const launch = launcher.edge(config, handed);
      const { pid, retired } = await edge.replace(launch, await this.#savePosition());
      sockets.takenOver(true);
      const former = this.#handed;
      this.#retired = retired.then(() => sockets.dropFormer(former, handed));
      this.#config = config;
      this.#handed = handed;
      const seconds = ((performance.now() - since) / 1000).toFixed(2);
      const rest = left.length > 0 ? `; ${left.join(", ")} changed: restart the service to apply this` : "";
      return `edge ${before ?? "(none)"} was replaced by ${pid} in ${seconds} s${rest}`;
    } catch (error) {
      sockets.takenOver(false);
      sockets.dropFormer(handed, this.#handed);
      throw error;
    }
  }

  /** Makes the running edge save its state on disk for the next edge. Returns its position; undefined without an edge. */
  #savePosition(): Promise<Start["takesOver"]> {
    return this.#children.edge.ask("keep", keepWithin).then(JSON.parse, () => undefined);
  }
}
