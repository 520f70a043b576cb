/** A cache of look-ups by secret, for less than a second. Keyed by a digest, so that memory keeps no secret beyond its request. */
import { hash, randomBytes } from "node:crypto";

/** Milliseconds; restrictions made by another process apply within a second. */
const rememberFor = 900;
const mostRemembered = 10_000;

interface Remembered<Found> {
  readonly until: number;
  readonly found: Promise<Found | undefined>;
}

export class Memory<Found> {
  readonly #remembered = new Map<string, Remembered<Found>>();
  readonly #salt = randomBytes(16).toString("hex");

  find(secret: string, load: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const now = performance.now();
    const digest = hash("sha256", this.#salt + secret);
    const known = this.#remembered.get(digest);
    if (known && known.until > now) return known.found;
    if (this.#remembered.size >= mostRemembered) this.#remembered.clear();
    const found = load();
    const remembered = { until: now + rememberFor, found };
    this.#remembered.set(digest, remembered);
    found.catch(() => {
      if (this.#remembered.get(digest) === remembered) this.#remembered.delete(digest);
    });
    return found;
  }

  forget(): void {
    this.#remembered.clear();
  }
}
