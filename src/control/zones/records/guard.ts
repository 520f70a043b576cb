/** A guard against deletions by mistake: those that take a large share of a zone or an account want to be confirmed. */
import { flag } from "../../../http/route/query.ts";
import { conflict } from "../../../lib/problem.ts";
import type { Ctx } from "../../write/context.ts";
import { countSomeRecords } from "../model/record/store.ts";
import { countZones } from "../model/zone/store.ts";

/** So many are never asked about: tools replace them as a matter of course. */
export const mostZones = 10;
export const mostRecords = 100;
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
export function countMade({ memory, afterCommit }: Ctx, key: string): void {
  const { deletions } = memory;
  if (deletions.count(key) > 0) afterCommit(() => deletions.note(key, -1));
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
  const { memory, settings } = ctx;
  const { deletions } = memory;
  const recent = deletions.count(key);
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
