/** The secrets of server cookies: configured, or derived from a secret that all edges of a site share. */
import { createHmac, randomBytes } from "node:crypto";
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";
import type { Site } from "../../sync/site.ts";

export interface CookieSecretsOptions {
  /** 16 octets each; the first makes cookies. */
  readonly configured: readonly Uint8Array[];
  /** Has the secret that all edges share; when none is configured, the secrets of cookies are derived from it. */
  readonly site: Pick<Site, "cookieSecret" | "reasonOf">;
  readonly onChange: (secrets: readonly Uint8Array[]) => void;
  readonly log: Log;
}

/** Milliseconds for which a secret makes cookies; they are valid for another hour (RFC 9018 section 5). */
const period = 24 * 3600 * 1000;
const checkEvery = 60_000;
const retryAfter = 5000;

export class CookieSecrets {
  readonly #options: CookieSecretsOptions;
  readonly #loop: Loop | undefined;
  /** Random until the site has answered; until then the edge accepts only its own cookies. */
  #base: Uint8Array = randomBytes(32);
  #isShared = false;
  #day = today();

  constructor(options: CookieSecretsOptions) {
    this.#options = options;
    const { site, log } = options;
    if (options.configured.length > 0) return;
    this.#loop = loop({
      turn: (signal) => this.#turn(signal),
      every: retryAfter,
      complain: (error) =>
        log.warn({ reason: site.reasonOf(error) }, "other edges do not accept the cookies of this edge yet"),
    });
  }

  /** The secret that makes cookies, then the others whose cookies are accepted. */
  get(): readonly Uint8Array[] {
    const { configured } = this.#options;
    return configured.length > 0 ? configured : deriveSecrets(this.#base, this.#day);
  }

  close(): void {
    void this.#loop?.close();
  }

  /** Asks the site until it has answered, then checks for a new day. */
  async #turn(signal: AbortSignal): Promise<number> {
    const isCurrent = this.#isShared && today() === this.#day;
    if (!this.#isShared) this.#base = await this.#options.site.cookieSecret();
    this.#isShared = true;
    this.#day = today();
    if (!isCurrent && !signal.aborted) this.#options.onChange(this.get());
    return checkEvery;
  }
}

const today = () => Math.floor(Date.now() / period);

/** The secrets of this day, the day before, and the next day: the clocks of other edges may be ahead. */
const deriveSecrets = (base: Uint8Array, day: number): readonly Uint8Array[] =>
  [day, day - 1, day + 1].map((each) =>
    createHmac("sha256", base).update(`dns cookie ${each}`).digest().subarray(0, 16),
  );
