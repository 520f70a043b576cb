/** Quotas: how many zones and records an account may have, and how large they may be together. */
import type { Clock } from "../../../lib/clock.ts";
import { invalid } from "../../../lib/problem.ts";
import type { Store } from "../../../storage/db.ts";
import type { AccountQuota } from "../../../storage/tables/accounts.ts";
import { limits } from "../../kit/limits.ts";
import { type Counted, countSlice, findQuota, sizesOfZones } from "./store.ts";

/** The size of an account, or the growth by a write. */
export interface Amounts {
  readonly zones: number;
  readonly records: number;
  /** Octets of answers, filters, regions, metadata and tags of records, and of metadata, tags and partners of zones. */
  readonly octets: number;
}

type Name = keyof Amounts;

/** The limits of accounts without limits of their own. */
export const usualQuota: Amounts & { readonly kept: number } = {
  zones: limits.zones,
  records: limits.records,
  octets: limits.recordMegabytes * 1024 * 1024,
  kept: limits.keptMegabytes * 1024 * 1024,
};

const words: Readonly<Record<Name, string>> = {
  zones: "zones",
  records: "records",
  octets: "octets of answers, filters, regions, metadata and tags",
};

interface Known {
  readonly quota: AccountQuota;
  used: Amounts;
  /** The time at which all was counted, in milliseconds. */
  at: number;
  counting: Promise<void> | undefined;
}

/** Milliseconds after which an account is counted again: other processes write, too, and octets are estimated until then. */
const countEvery = 60_000;
const mostKnown = 1000;
/** The quota of the first account. */
export const unlimited: AccountQuota = { zones: null, records: null, octets: null, kept: null };
const counted = ["zones", "records", "octets"] as const;
const nothing: Amounts = { zones: 0, records: 0, octets: 0 };

export class Quotas {
  readonly #store: Pick<Store, "readsOf">;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  constructor(store: Pick<Store, "readsOf">, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** To be called before the transaction of a write: counts what the account has. Undefined if that is known. */
  ready(account_id: string): Promise<void> | undefined {
    const known = this.#known.get(account_id);
    if (!known) return this.#count(account_id);
    if (this.#clock.now() - known.at >= countEvery) {
      known.counting ??= this.#count(account_id)
        .catch(() => {})
        .finally(() => (known.counting = undefined));
    }
    return undefined;
  }

  /** The limits and the size of an account, if this process has counted it. */
  known(account_id: string): { readonly quota: AccountQuota; readonly used: Amounts } | undefined {
    return this.#known.get(account_id);
  }

  /** Counts again what the account has, before data come back that `add` did not know when they went. */
  recount(account_id: string): Promise<void> {
    return this.#count(account_id);
  }

  /** Throws when a limit would be exceeded. What becomes less is always allowed. */
  assert(account_id: string, growth: Amounts): void {
    const known = this.#known.get(account_id);
    if (known) assertWithin(known.quota, known.used, growth);
  }

  /** Like `assert`, for data that may replace all that the account has. */
  assertAlone(account_id: string, amounts: Omit<Amounts, "zones">): void {
    const known = this.#known.get(account_id);
    if (known) assertWithin(known.quota, nothing, { ...amounts, zones: 0 });
  }

  /** Notes what a committed write has added. */
  add(account_id: string, growth: Amounts): void {
    const known = this.#known.get(account_id);
    if (known) known.used = sum(known.used, growth);
  }

  async #count(account_id: string): Promise<void> {
    const db = this.#store.readsOf(account_id);
    const quota = { ...usualQuota, ...(await findQuota(db, account_id)) };
    const at = this.#clock.now();
    const isLimited = counted.some((name) => quota[name] !== null);
    const used = isLimited ? await usedBy(db, account_id) : nothing;
    this.#known.delete(account_id);
    this.#known.set(account_id, { quota: isLimited ? quota : unlimited, used, at, counting: undefined });
    if (this.#known.size > mostKnown) this.#known.delete(this.#known.keys().next().value!);
  }
}

async function usedBy(db: ReturnType<Store["readsOf"]>, account_id: string): Promise<Amounts> {
  const zones = await sizesOfZones(db, account_id);
  let used: Amounts = { ...nothing, zones: zones.size, octets: [...zones.values()].reduce((all, one) => all + one, 0) };
  for (let after: readonly string[] | undefined = ["", "", ""]; after; ) {
    const counted: readonly Counted[] = await countSlice(db, account_id, after);
    after = undefined;
    for (const part of counted) {
      if (part.of === null) after = [part.zone_id, part.domain, part.type];
      else if (zones.has(part.of)) used = sum(used, { zones: 0, records: part.records, octets: part.octets });
    }
  }
  return used;
}

const sum = (one: Amounts, other: Amounts): Amounts => ({
  zones: one.zones + other.zones,
  records: one.records + other.records,
  octets: one.octets + other.octets,
});

function assertWithin(quota: AccountQuota, used: Amounts, growth: Amounts): void {
  for (const name of counted) {
    const most = quota[name];
    if (most === null || growth[name] <= 0 || used[name] + growth[name] <= most) continue;
    const has = used[name] > 0 ? `; it has ${used[name]}, and ${growth[name]} would be added` : "";
    throw invalid(`this account can have at most ${most} ${words[name]}${has}`, { limit: most, quota: name });
  }
}
