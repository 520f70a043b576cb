/** Which part of the statistics a caller may see: the counts of zones and records that are open to it. */
import { filtersRecords, type Grant, opensRecord, opensZone } from "../access/permit.ts";
import type { Ctx } from "../context.ts";
import { type CountedRow, countZones, type Detail, readUsage, recordKeys, type Scope, type Span } from "./store.ts";

/** Rows as fine as `wanted`, or finer where the caller's permissions must be looked at for each zone or record. */
export async function visibleUsage(
  { db, caller: { grant } }: Ctx,
  scope: Scope,
  span: Span,
  wanted: Detail,
): Promise<readonly CountedRow[]> {
  const rows = await readUsage(db, scope, span, finer(wanted, needed(grant)));
  return rows.filter((row) => isOpen(grant, row));
}

const order: readonly Detail[] = ["account", "zone", "record"];
const finer = (a: Detail, b: Detail) => (order.indexOf(a) > order.indexOf(b) ? a : b);

function needed(grant: Grant): Detail {
  if (grant.recordsAllow.length > 0 || grant.recordsDeny.length > 0) return "record";
  return grant.allowByDefault && grant.zonesDeny.size === 0 ? "account" : "zone";
}

/** Queries for no record are the zone's: shown to those who see all of it. */
function isOpen(grant: Grant, { zone, domain, type }: CountedRow): boolean {
  if (zone === "") return true;
  if (domain === "") return opensZone(grant, zone) && !filtersRecords(grant, zone);
  return opensRecord(grant, zone, domain, type);
}

/** Number of records that the caller sees, by zone. */
export async function visibleZones(ctx: Ctx, zone?: string): Promise<ReadonlyMap<string, number>> {
  const { db, account_id, caller } = ctx;
  const { grant } = caller;
  const counts = new Map<string, number>();
  for (const { zone: name, records } of await countZones(db, account_id, zone)) {
    if (!opensZone(grant, name)) continue;
    counts.set(name, filtersRecords(grant, name) ? await countOpen(ctx, name) : records);
  }
  return counts;
}

async function countOpen({ db, account_id, caller }: Ctx, zone: string): Promise<number> {
  const keys = await recordKeys(db, account_id, zone);
  return keys.filter(({ domain, type }) => opensRecord(caller.grant, zone, domain, type)).length;
}
