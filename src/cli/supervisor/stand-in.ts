/** The edge's side of a control that is away: numbers changes in its place. */
import { systemClock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Start } from "./link.ts";

/** Connections: one numbers, and one renews the lease. */
const poolSize = 2;

export class StandIn {
  readonly #given: Pick<Start, "config" | "storeUrl">;
  readonly #log: Log;
  #isClosed = false;
  #end: (() => Promise<void>) | undefined;
  /** Settles after the last requested begin or end. */
  #done: Promise<void> = Promise.resolve();

  constructor(given: Pick<Start, "config" | "storeUrl">, log: Log) {
    this.#given = given;
    this.#log = log;
  }

  /** Numbers changes as this holder of the lease from now on; without a holder, no longer. */
  number(holder: string | undefined): void {
    this.#done = this.#done
      .then(() => this.#change(holder))
      .catch((error) => this.#log.error({ reason: String(error) }, "changes are not numbered until control is back"));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.number(undefined);
    await this.#done;
  }

  async #change(holder: string | undefined): Promise<void> {
    const end = this.#end;
    this.#end = undefined;
    await end?.();
    if (holder === undefined || this.#isClosed) return;
    // loaded when control is away, since most edges never need it
    const [{ storeAt }, { Sequencer }] = await Promise.all([
      import("../../storage/db.ts"),
      import("../../storage/sequencer/sequencer.ts"),
    ]);
    const { config, storeUrl } = this.#given;
    const log = this.#log;
    const store = storeAt(storeUrl, { log, poolSize, isEmbedded: config.databaseUrl === undefined, holder });
    const sequencer = new Sequencer(store, { log, clock: systemClock });
    this.#end = async () => {
      await sequencer.close();
      await store.close();
    };
    log.info("control is away: this edge numbers changes until it is back");
  }
}
