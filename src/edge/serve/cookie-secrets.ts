/** The secrets that server cookies are made with: those of the configuration, or ones that all edges of a store derive. */
import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../lib/log.ts";
import { reasonOf } from "../../sync/postgres/failure.ts";

export interface CookieSecretsOptions {
  /** 16 octets each, the one that makes cookies first; when there are any, they are all. */
  readonly configured: readonly Uint8Array[];
  /** Reads what the edges of a store have in common. */
  readonly read: () => Promise<Uint8Array>;
  readonly onChange: (secrets: readonly Uint8Array[]) => void;
  readonly log: Log;
}

/** Cookies live for an hour, so what made them is in use for a day and a little (RFC 9018 section 5). */
const period = 24 * 3600 * 1000;
const lookEvery = 60_000;
const retryAfter = 5000;

export class CookieSecrets {
  readonly #options: CookieSecretsOptions;
  readonly #closing = new AbortController();
  /** Random until the store was asked: then the edge takes its own cookies only. */
  #base: Uint8Array = randomBytes(32);
  #day = today();

  constructor(options: CookieSecretsOptions) {
    this.#options = options;
    if (options.configured.length === 0) void this.#follow();
  }

  /** The secret that makes cookies, then those that made some that are still taken. */
  get(): readonly Uint8Array[] {
    const { configured } = this.#options;
    return configured.length > 0 ? configured : deriveSecrets(this.#base, this.#day);
  }

  close(): void {
    this.#closing.abort();
  }

  async #follow(): Promise<void> {
    await this.#read();
    while (await this.#pause(lookEvery)) {
      if (today() === this.#day) continue;
      this.#day = today();
      this.#options.onChange(this.get());
    }
  }

  async #read(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#base = await this.#options.read();
        if (!this.#closing.signal.aborted) this.#options.onChange(this.get());
        return;
      } catch (error) {
        if (attempt === 1) {
          this.#options.log.warn({ reason: reasonOf(error) }, "other edges do not take this one's cookies yet");
        }
      }
      if (!(await this.#pause(retryAfter))) return;
    }
  }

  /** Whether it goes on afterwards. */
  async #pause(milliseconds: number): Promise<boolean> {
    const { signal } = this.#closing;
    await delay(milliseconds, undefined, { signal, ref: false }).catch(() => {});
    return !signal.aborted;
  }
}

const today = () => Math.floor(Date.now() / period);

/** Of this day, of the one before, and of the next one, for edges whose clocks are ahead. */
const deriveSecrets = (base: Uint8Array, day: number): readonly Uint8Array[] =>
  [day, day - 1, day + 1].map((each) =>
    createHmac("sha256", base).update(`dns cookie ${each}`).digest().subarray(0, 16),
  );
