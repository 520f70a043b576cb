/** A cache of look-ups by credential, valid for less than a second. The key is a digest, so that no secret stays in memory. */
import { hash, randomBytes } from "node:crypto";

/** Milliseconds; restrictions made by another process apply within a second. */
const validFor = 900;
const mostEntries = 10_000;

interface Entry<Found> {
  readonly until: number;
  readonly found: Promise<Found | undefined>;
}

export class CredentialCache<Found> {
  readonly #entries = new Map<string, Entry<Found>>();
  readonly #salt = randomBytes(16).toString("hex");

  find(secret: string, load: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const now = performance.now();
    const digest = hash("sha256", this.#salt + secret);
    const known = this.#entries.get(digest);
    if (known && known.until > now) return known.found;
    if (this.#entries.size >= mostEntries) this.#entries.clear();
    const found = load();
    const entry = { until: now + validFor, found };
    this.#entries.set(digest, entry);
    found.catch(() => {
      if (this.#entries.get(digest) === entry) this.#entries.delete(digest);
    });
    return found;
  }

  forget(): void {
    this.#entries.clear();
  }
}
