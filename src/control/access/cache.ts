/** A cache of look-ups by credential, valid for less than a second. The key is a digest, so that no secret stays in memory. */
import { hash, randomBytes } from "node:crypto";
import type { Caller } from "./caller.ts";

/** Milliseconds; restrictions made by another process apply within a second. */
const validFor = 900;
const mostEntries = 10_000;
/** The accounts of credentials that are remembered, so that the next look-up takes the account's share of the store. */
const mostAccounts = 100_000;

interface Entry<Found> {
  readonly until: number;
  found: Found | undefined | Promise<Found | undefined>;
}

export class CredentialCache<Found extends { readonly caller: Pick<Caller, "account_id"> }> {
  /** In the order of their ends. */
  readonly #entries = new Map<string, Entry<Found>>();
  readonly #accounts = new Map<string, string>();
  readonly #salt = randomBytes(16).toString("hex");

  /** `load` gets the account to which the credential belonged at the last look-up. */
  find(
    secret: string,
    load: (account_id: string | undefined) => Promise<Found | undefined>,
  ): Found | undefined | Promise<Found | undefined> {
    const now = performance.now();
    const digest = hash("sha256", this.#salt + secret);
    const known = this.#entries.get(digest);
    if (known && known.until > now) return known.found;
    this.#entries.delete(digest);
    for (const [oldest, { until }] of this.#entries) {
      if (until > now && this.#entries.size < mostEntries) break;
      this.#entries.delete(oldest);
    }
    const found = load(this.#accounts.get(digest));
    const entry: Entry<Found> = { until: now + validFor, found };
    this.#entries.set(digest, entry);
    found.then(
      (value) => {
        entry.found = value;
        this.#remember(digest, value?.caller.account_id);
      },
      () => {
        if (this.#entries.get(digest) === entry) this.#entries.delete(digest);
      },
    );
    return found;
  }

  forget(): void {
    this.#entries.clear();
  }

  #remember(digest: string, account_id: string | undefined): void {
    this.#accounts.delete(digest);
    if (account_id === undefined) return;
    this.#accounts.set(digest, account_id);
    if (this.#accounts.size > mostAccounts) this.#accounts.delete(this.#accounts.keys().next().value!);
  }
}
