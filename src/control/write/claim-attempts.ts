/** Limits and logs attempts to create zones that conflict with other accounts' zones: many attempts would reveal who uses the service. */
import type { Clock } from "../../lib/clock.ts";
import { Buckets } from "../../lib/fair/bucket.ts";
import type { Log } from "../../lib/log.ts";
import { limited } from "../../lib/problem.ts";
import type { Caller } from "../access/caller.ts";
import { limits } from "../kit/limits.ts";

/** Per account and process. */
const rate = { limit: limits.claimAttempts, period: 3600 };

export class ClaimAttempts {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #buckets: Buckets;
  /** The time until which an account cannot create zones, in milliseconds. */
  readonly #closed = new Map<string, number>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    this.#buckets = new Buckets(clock);
  }

  /** Throws `limited` for an account with too many attempts, whatever the name: the refusal must not reveal anything. */
  assertFew({ account_id }: Caller): void {
    const wait = (this.#closed.get(account_id) ?? 0) - this.#clock.now();
    if (wait > 0) {
      const message = `zones cannot be created for now, after ${rate.limit} attempts to use names of other accounts`;
      throw limited(message, { ...rate, retry_after: Math.ceil(wait / 1000) });
    }
    this.#closed.delete(account_id);
  }

  /** Notes that a zone was refused because of another account's zone. */
  note({ account_id, kind, id }: Caller, zone: string): void {
    this.#log.info(
      { account_id, caller: `${kind} ${id}`, zone },
      "a zone was refused because its name conflicts with another account's zone",
    );
    const { remaining } = this.#buckets.take(account_id, rate);
    if (remaining === 0) this.#closed.set(account_id, this.#clock.now() + (rate.period / rate.limit) * 1000);
  }
}
