/** Compares every answer of the edges with the store, all the time. */
import { setTimeout as delay } from "node:timers/promises";
import { answeredBy, differences, storedIn } from "./contents.ts";
import type { Edge } from "./edge.ts";
import type { Installation } from "./installation.ts";

/** Milliseconds between two looks. */
const interval = 500;

export class Watch {
  /** The names that an edge answers wrongly, each since when. */
  readonly #wrong = new Map<Edge, Map<string, number>>();
  readonly #installation: Installation;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  /** When the store became writable; undefined while it may not be. */
  #writable: number | undefined = performance.now();
  /** The longest time for which a name was wrong since the last `read`, and where. */
  #longest = { for: 0, where: "" };
  #compared = 0;

  constructor(installation: Installation) {
    this.#installation = installation;
    this.#ended = this.#run();
  }

  /** Nothing counts while the store takes no writes, until `resume`. */
  pause(): void {
    this.#writable = undefined;
  }

  resume(): void {
    this.#writable = performance.now();
  }

  /** The longest time for which an edge answered a name otherwise than the store, in milliseconds, and the answers compared, since the last call. */
  read(): { longest: number; where: string; compared: number } {
    const { for: longest, where } = this.#longest;
    const compared = this.#compared;
    this.#longest = { for: 0, where: "" };
    this.#compared = 0;
    return { longest, where, compared };
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#look().catch(() => this.#wrong.clear());
      await delay(interval);
    }
  }

  async #look(): Promise<void> {
    const { store, edges } = this.#installation;
    const reachable = edges.filter((edge) => edge.isReachable);
    const before = await storedIn(store);
    const answered = await Promise.all(reachable.map(({ port }) => answeredBy(port)));
    const after = await storedIn(store);
    if (store !== this.#installation.store) return;
    for (const [n, edge] of reachable.entries()) {
      const answers = answered[n];
      // an edge that is ended meanwhile is not wrong
      if (answers === undefined || !edge.isReachable) continue;
      this.#compared += answers.size;
      // a name that is written meanwhile has either text
      const wrong = differences(answers, before).filter((name) => before.get(name) === after.get(name));
      this.#note(edge, new Set(wrong));
    }
    for (const edge of edges) if (!edge.isReachable) this.#wrong.delete(edge);
  }

  #note(edge: Edge, wrong: ReadonlySet<string>): void {
    const now = performance.now();
    const since = this.#wrong.get(edge) ?? new Map<string, number>();
    this.#wrong.set(edge, since);
    for (const name of [...since.keys()]) if (!wrong.has(name)) since.delete(name);
    for (const name of wrong) {
      if (!since.has(name)) since.set(name, now);
      if (this.#writable === undefined) continue;
      const time = now - Math.max(since.get(name)!, this.#writable, edge.reachableSince);
      if (time > this.#longest.for) this.#longest = { for: time, where: `${edge.name} ${name}` };
    }
  }
}
