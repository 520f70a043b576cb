/** An edge's position in a stream, before and after its subscription has begun. */
import type { Position, Subscription } from "../../sync/subscription.ts";

export class Following {
  /** Settles when the subscription has begun, or cannot begin any more. */
  readonly started: Promise<void>;
  readonly #from: Position | undefined;
  readonly #began: number;
  readonly #applied: () => number | undefined;
  #subscription: Subscription | undefined;

  /** `from`: position of the snapshot that the edge starts from. `applied`: the last applied revision. */
  constructor(starting: Promise<Subscription>, from: Position | undefined, applied?: () => number | undefined) {
    this.#from = from;
    this.#began = from?.currentAt ?? Date.now();
    this.#applied = applied ?? (() => (this.#subscription ?? from)?.revision);
    this.started = starting.then((subscription) => {
      this.#subscription = subscription;
    });
    this.started.catch(() => {});
  }

  /** The last applied revision; 0 before the first baseline. */
  get revision(): number {
    return this.#applied() ?? 0;
  }

  /** Milliseconds since the data were known to be current; 0 when they are. */
  get behind(): number {
    return this.#subscription?.behind ?? Math.max(0, Date.now() - this.#began);
  }

  /** Position of the data; undefined before there are data. */
  position(): Position | undefined {
    const revision = this.#applied();
    if (revision === undefined) return undefined;
    const currentAt = Date.now() - this.behind;
    if (!this.#subscription) return { ...this.#from, revision, store: this.#from?.store, currentAt };
    const { store } = this.#subscription;
    const mark = this.#subscription.markOf(revision);
    // a position that cannot be proven is that of an unknown store
    return { revision, mark, store: mark === undefined ? undefined : store, currentAt };
  }

  async close(): Promise<void> {
    await this.started.catch(() => {});
    await this.#subscription?.close();
  }
}
