/**
 * A guard against accidental deletions: deleting a large share of a zone or account requires a confirmation. It applies
 * to requests that delete several things, to sessions, and where an account or key wants it to every deletion.
 */
import { flag } from "../../../http/route/query.ts";
import { conflict } from "../../../lib/problem.ts";
import { limits } from "../../kit/limits.ts";
import type { Ctx } from "../../write/context.ts";
import { deletionWindow } from "../../write/memory.ts";
import { countSomeRecords } from "../model/record/store.ts";
import { countZones } from "../model/zone/store.ts";

/** Query parameter of requests that delete. */
export const confirmation = {
  confirm_deletions: flag("`true` confirms the deletion of a large share of the zone or account."),
};

/** The confirmation that a request contains. */
export interface Confirmation {
  readonly confirm_deletions?: boolean;
}

/** A record or zone to be deleted. */
interface Gone {
  /** Unix seconds. */
  readonly created_at: number;
}

/** Whether the request has to confirm that it removes the target of links: people have to, because links are elsewhere. */
export const mustConfirm = ({ caller, settings }: Ctx, { confirm_deletions }: Confirmation): boolean =>
  caller.kind === "user" && confirm_deletions !== true && scopeOf({ caller, settings }) !== "off";

/** Called once per request, before it deletes records of a zone. */
export function guardRecords(
  ctx: Ctx,
  { id, zone }: { readonly id: string; readonly zone: string },
  gone: readonly Gone[],
  confirmation: Confirmation,
): Promise<void> {
  const count = (limit: number) => countSomeRecords(ctx.db, ctx.account_id, id, limit);
  return guard(
    ctx,
    { key: id, gone, unconfirmed: limits.unconfirmedRecords, count, what: `records of the zone ${zone}` },
    confirmation,
  );
}

/** Called once per request, before it deletes zones. */
export function guardZones(ctx: Ctx, gone: readonly Gone[], confirmation: Confirmation): Promise<void> {
  const { db, account_id } = ctx;
  const count = () => countZones(db, account_id);
  return guard(
    ctx,
    { key: account_id, gone, unconfirmed: limits.unconfirmedZones, count, what: "zones of the account" },
    confirmation,
  );
}

/** Called for each new record with its zone's id, and for each new zone with its account's id. */
export function countCreated({ memory, afterCommit }: Ctx, key: string): void {
  const { deletions } = memory;
  if (deletions.count(key) > 0) afterCommit(() => deletions.note(key, -1));
}

interface Deleting {
  readonly key: string;
  readonly gone: readonly Gone[];
  /** The largest number of deletions that needs no confirmation: tools replace that many routinely. */
  readonly unconfirmed: number;
  /** Returns the present number, at most the limit. */
  readonly count: (limit: number) => Promise<number>;
  readonly what: string;
}

async function guard(ctx: Ctx, { key, gone, unconfirmed, count, what }: Deleting, sent: Confirmation): Promise<void> {
  if (!isGuarded(ctx, gone.length)) return;
  const { memory, settings, now } = ctx;
  const { deletions } = memory;
  // things that were created within the window are removed by tests and tools that clean up
  const deleting = gone.filter(({ created_at }) => created_at <= now - deletionWindow).length;
  if (deleting === 0) return;
  const recent = deletions.count(key);
  const lost = recent + deleting;
  if (lost > unconfirmed && !sent.confirm_deletions) {
    const { share } = settings.deletionGuard;
    // the smallest earlier number of which these deletions would not be a large share
    const fewest = Math.min(Math.ceil(lost / share), Number.MAX_SAFE_INTEGER);
    const all = recent + (await count(fewest));
    if (lost > all * share) {
      const before = recent === 0 ? "" : `, ${recent} of them in the last ten minutes`;
      const message = `this deletes ${lost} of ${all} ${what}${before}; to confirm, send confirm_deletions=true`;
      throw conflict(message, { deleting, recent, of: all, confirm: "confirm_deletions=true" }, 409);
    }
  }
  ctx.afterCommit(() => deletions.note(key, deleting));
}

/** Whether the guard applies to a request that deletes this many things. Only guarded deletions are counted. */
function isGuarded(ctx: Ctx, deleting: number): boolean {
  const scope = scopeOf(ctx);
  if (scope === "off") return false;
  // tools delete one thing after another, but a person who does so may be wrong about the place
  return deleting > 1 || scope === "single" || ctx.caller.kind === "user";
}

const scopeOf = ({ caller, settings }: Pick<Ctx, "caller" | "settings">) =>
  caller.deletionGuard ?? settings.deletionGuard.scope;
