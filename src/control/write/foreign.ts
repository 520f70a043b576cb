/** Names that other accounts have: whoever asks for many of them would learn who is here, so that is noted, and slow. */
import type { Clock } from "../../lib/clock.ts";
import { Buckets } from "../../lib/fair/bucket.ts";
import type { Log } from "../../lib/log.ts";
import { limited } from "../../lib/problem.ts";
import type { Caller } from "../access/caller.ts";

/** Per account and process. */
const rate = { limit: 100, period: 3600 };

export class ForeignNames {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #buckets: Buckets;
  /** Until when, in milliseconds, an account makes no zone. */
  readonly #closed = new Map<string, number>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    this.#buckets = new Buckets(clock);
  }

  /** Throws `limited` for an account that has asked for too many, whatever it asks for now: that must not tell either. */
  assertFew({ account_id }: Caller): void {
    const wait = (this.#closed.get(account_id) ?? 0) - this.#clock.now();
    if (wait > 0) {
      const message = `no zone can be created for now: ${rate.limit} names that other accounts have were asked for`;
      throw limited(message, { ...rate, retry_after: Math.ceil(wait / 1000) });
    }
    this.#closed.delete(account_id);
  }

  /** Notes that a zone was refused for the sake of another account's. */
  note({ account_id, kind, id }: Caller, zone: string): void {
    this.#log.info(
      { account_id, caller: `${kind} ${id}`, zone },
      "a zone was refused that lies where another account's is",
    );
    const { remaining } = this.#buckets.take(account_id, rate);
    if (remaining === 0) this.#closed.set(account_id, this.#clock.now() + (rate.period / rate.limit) * 1000);
  }
}
