/** Limits statistics to the zones and records that the caller may see. */
import { type Access, holding, reachesAll, reachesEverything, reachesRecord, reachesZone } from "../access/access.ts";
import type { Ctx } from "../write/context.ts";
import { type CountedRow, countZones, type Detail, readUsage, recordKeys, type Scope, type Span } from "./store.ts";

/** Reads rows at the level `wanted`, or a finer level when permissions must be checked for each zone or record. */
export async function visibleUsage(
  { db, caller: { access } }: Ctx,
  scope: Scope,
  span: Span,
  wanted: Detail,
): Promise<readonly CountedRow[]> {
  const rows = await readUsage(db, scope, span, finer(wanted, needed(access)));
  return rows.filter((row) => isVisible(access, row));
}

const right = "dns.view_zones";
const order: readonly Detail[] = ["account", "zone", "record"];
const finer = (a: Detail, b: Detail) => (order.indexOf(a) > order.indexOf(b) ? a : b);

function needed(access: Access): Detail {
  if (reachesEverything(access, right)) return "account";
  const byRecord = holding(access, right).some((grant) => grant.recordsAllow.length + grant.recordsDeny.length > 0);
  return byRecord ? "record" : "zone";
}

/** Queries without a record belong to the zone, and are shown only to callers who may see the whole zone. */
function isVisible(access: Access, { zone, domain, type }: CountedRow): boolean {
  if (zone === "") return true;
  if (domain === "") return reachesAll(access, right, zone);
  return reachesRecord(access, right, zone, domain, type);
}

/** Returns the number of records that the caller may see, by zone. */
export async function visibleZones(ctx: Ctx, zone?: string): Promise<ReadonlyMap<string, number>> {
  const { db, account_id, caller } = ctx;
  const { access } = caller;
  const counts = new Map<string, number>();
  for (const { zone: name, records } of await countZones(db, account_id, zone)) {
    if (!reachesZone(access, right, name)) continue;
    counts.set(name, reachesAll(access, right, name) ? records : await countVisible(ctx, name));
  }
  return counts;
}

async function countVisible({ db, account_id, caller }: Ctx, zone: string): Promise<number> {
  const keys = await recordKeys(db, account_id, zone);
  return keys.filter(({ domain, type }) => reachesRecord(caller.access, right, zone, domain, type)).length;
}
