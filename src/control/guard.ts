/** A guard against deletions by mistake: those that take a large share of a zone or an account want to be confirmed. */
import { flag } from "../http/query.ts";
import { type Clock, seconds } from "../lib/clock.ts";
import { conflict } from "../lib/problem.ts";
import type { Ctx } from "./context.ts";
import { countSomeRecords } from "./records/store.ts";
import { countZones } from "./zones/store.ts";

/** So many are never asked about: tools replace them as a matter of course. */
const mostZones = 10;
const mostRecords = 100;
/** Seconds in which deletions count together, so that a loop of single ones is noticed as well. */
const together = 600;
const mostKeys = 10_000;

/** Deletions of the last minutes in this process, by zone or account. */
export class Deletions {
  readonly #clock: Clock;
  readonly #recent = new Map<string, { readonly since: number; readonly count: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  recent(key: string): number {
    const known = this.#recent.get(key);
    return known && seconds(this.#clock) - known.since < together ? known.count : 0;
  }

  /** What is made anew makes up for what was deleted: tools that replace things are not asked. */
  makeUp(key: string): void {
    if (this.recent(key) > 0) this.note(key, -1);
  }

  note(key: string, count: number): void {
    const before = this.recent(key);
    const since = before > 0 ? this.#recent.get(key)!.since : seconds(this.#clock);
    // the newest last, so that the oldest is forgotten first
    this.#recent.delete(key);
    this.#recent.set(key, { since, count: Math.max(0, before + count) });
    if (this.#recent.size > mostKeys) this.#recent.delete(this.#recent.keys().next().value!);
  }
}

/** Part of the query of requests that delete. */
export const confirmation = {
  confirm_deletions: flag("`true` confirms that a large share of the zone or account is to be deleted."),
};

/** What a caller sent of it. */
export interface Confirmation {
  readonly confirm_deletions?: boolean;
}

/** To be called before records of a zone are deleted, once for all that a request deletes of it. */
export function guardRecords(
  ctx: Ctx,
  { id, zone }: { readonly id: string; readonly zone: string },
  deleting: number,
  confirmation: Confirmation,
): Promise<void> {
  const count = (limit: number) => countSomeRecords(ctx.db, ctx.account_id, id, limit);
  return guard(
    ctx,
    { key: id, deleting, least: mostRecords, count, what: `records of the zone ${zone}` },
    confirmation,
  );
}

/** To be called before zones are deleted, once for all that a request deletes. */
export function guardZones(ctx: Ctx, deleting: number, confirmation: Confirmation): Promise<void> {
  const { db, account_id } = ctx;
  const count = () => countZones(db, account_id);
  return guard(ctx, { key: account_id, deleting, least: mostZones, count, what: "zones of the account" }, confirmation);
}

/** To be called for a record or zone that is new, with its zone's id or its account's. */
export function countMade({ deletions, afterCommit }: Ctx, key: string): void {
  if (deletions.recent(key) > 0) afterCommit(() => deletions.makeUp(key));
}

interface Deleting {
  readonly key: string;
  readonly deleting: number;
  /** More than so many are looked at. */
  readonly least: number;
  /** How many there are now, if not more than the limit. */
  readonly count: (limit: number) => Promise<number>;
  readonly what: string;
}

async function guard(ctx: Ctx, { key, deleting, least, count, what }: Deleting, sent: Confirmation): Promise<void> {
  if (deleting === 0) return;
  const { deletions, settings } = ctx;
  const recent = deletions.recent(key);
  const gone = recent + deleting;
  if (gone > least && !sent.confirm_deletions) {
    // with more than that there is nothing to ask
    const fewest = Math.min(Math.ceil(gone / settings.deletionGuard), Number.MAX_SAFE_INTEGER);
    const all = recent + (await count(fewest));
    if (gone > all * settings.deletionGuard) {
      const before = recent === 0 ? "" : `, ${recent} of them in the last minutes`;
      const message = `this deletes ${gone} of ${all} ${what}${before}: send confirm_deletions=true if that is meant`;
      throw conflict(message, { deleting, recent, of: all, confirm: "confirm_deletions=true" }, 409);
    }
  }
  ctx.afterCommit(() => deletions.note(key, deleting));
}
