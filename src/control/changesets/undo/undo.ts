/** The change set that undoes a change: zones and records as they were before, unless they were changed again since. */
import { conflict, denied, invalid, missing } from "../../../lib/problem.ts";
import { limits } from "../../kit/limits.ts";
import type { Ctx } from "../../write/context.ts";
import { namesOf } from "../store.ts";
import type { Undo } from "./schema.ts";
import { type ChangeTime, findChangeTime, listZoneChanges, sizeOfChange, type ZoneChange } from "./store.ts";
import { type UndoneZone, undoZone } from "./zone.ts";

/** Octets of history that one request reads: a change set must be small enough to be sent. */
export const mostOctets = 8 * 1024 * 1024;
/** Names in the details of a refusal. */
const mostNamed = 100;

export async function undoOf(ctx: Ctx, id: string): Promise<Undo> {
  const found = await findChangeTime(ctx.db, ctx.account_id, id);
  if (!found) throw missing("change set not found", { id });
  const parts = await partsOf(ctx, id, found);
  const changed = parts.flatMap((part) => part.changed);
  if (changed.length > 0) throw changedSince(changed);
  return {
    id,
    change_set: {
      zones: parts.flatMap(({ zones }) => zones),
      records: parts.flatMap(({ records }) => records),
      expect: parts.flatMap(({ expect }) => expect),
    },
    undelete: parts.flatMap(({ undelete }) => undelete),
    left_out: parts.flatMap(({ left_out }) => left_out),
  };
}

/** What undoes the change in each of its zones. */
async function partsOf(ctx: Ctx, id: string, { at, zones }: ChangeTime): Promise<UndoneZone[]> {
  const { db, account_id } = ctx;
  await assertBounded(ctx, id, at);
  const rows = await listZoneChanges(db, account_id, at, id);
  const names = await namesOf(
    db,
    account_id,
    rows.map(({ zone_id }) => zone_id),
  );
  const kept = rows.filter((row) => hasEntries(row) && names.has(row.zone_id));
  const there = new Set(kept.map(({ zone_id }) => names.get(zone_id)));
  const lost = zones.find((zone) => !there.has(zone));
  if (kept.length === 0 || lost !== undefined) throw forgotten(id, lost);
  const parts: UndoneZone[] = [];
  for (const row of kept) parts.push(await undoZone(ctx, id, names.get(row.zone_id)!, row));
  // the caller named none of the zones, so a refusal does not name them either
  if (parts.some(({ isClosed }) => isClosed)) {
    throw denied("the change has zones or records that you do not have the permission manage_zones for", { id });
  }
  return parts;
}

/** The history of a zone is emptied when the account keeps too much of it. */
const hasEntries = ({ removed, added }: ZoneChange) => removed.length + added.length > 0;

async function assertBounded({ db, account_id }: Ctx, id: string, at: number): Promise<void> {
  const { zones, records, octets } = await sizeOfChange(db, account_id, at, id);
  const { changeSetZones, changeSetRecords } = limits;
  if (zones <= changeSetZones && records <= changeSetRecords && octets <= mostOctets) return;
  const most = `${changeSetZones} zones, ${changeSetRecords} records and ${mostOctets} octets`;
  throw invalid(
    `the change is too large for a change set that undoes it, which has at most ${most}; restore versions`,
    {
      ...{ id, zones, records, octets },
    },
  );
}

const forgotten = (id: string, zone: string | undefined) =>
  missing(`the history no longer has what the change did${zone === undefined ? "" : ` in the zone ${zone}`}`, {
    id,
    ...(zone === undefined ? {} : { zone }),
  });

function changedSince(changed: UndoneZone["changed"]) {
  const { zone, domain, type } = changed[0]!;
  const first = domain === undefined ? `the zone ${zone}` : `the record ${domain} ${type}`;
  const more = changed.length > 1 ? ` (and ${changed.length - 1} more)` : "";
  const message = `${first} has been changed again since${more}: restore single records or versions instead`;
  return conflict(message, { changed: changed.slice(0, mostNamed), count: changed.length }, 409);
}
