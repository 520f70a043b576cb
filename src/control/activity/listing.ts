/** The entries that a caller may see. */

import { type Access, reachesAll, reachesRecord, reachesZone } from "../access/access.ts";
import type { Ctx } from "../context.ts";
import { type ActivityFilter, type ActivityRow, listEntries } from "./store.ts";

/** Entries that are read at once when the caller sees only some. */
const rowsAtOnce = 1000;
/** Entries that are looked at for one reply, so that a key that may see next to nothing does not have the whole log read. */
export const maxLooked = 50_000;

/** Newest first; reads on until `limit` entries are open to the caller, the log ends, or `maxLooked` were looked at. */
export async function openEntries(
  { db, account_id, caller }: Ctx,
  filter: ActivityFilter,
  limit: number,
): Promise<ActivityRow[]> {
  const found: ActivityRow[] = [];
  let [looked, size] = [0, limit];
  let last: ActivityRow | undefined;
  while (found.length < limit && looked < maxLooked) {
    const rows = await listEntries(db, account_id, filter, size, last);
    found.push(...rows.filter((row) => isOpen(caller.access, row)));
    if (rows.length < size) break;
    last = rows.at(-1);
    looked += size;
    size = rowsAtOnce;
  }
  return found.slice(0, limit);
}

/** What lies in a zone. */
const ofZones = ["dns_zone", "dns_zone_version", "record", "zonefile"];

const right = "account.view_activity_log";

/** An entry shows its resource, so it is as open as that. */
function isOpen(access: Access, { resource_type, resource }: ActivityRow): boolean {
  if (resource_type === "changeset") return zonesOf(resource).every((zone) => reachesZone(access, right, zone));
  if (!ofZones.includes(resource_type)) return true;
  const { zone, domain, type } = namesOf(resource);
  if (zone === undefined) return false;
  if (domain !== undefined && type !== undefined) return reachesRecord(access, right, zone, domain, type);
  return (resource_type === "record" ? reachesAll : reachesZone)(access, right, zone);
}

function zonesOf(resource: unknown): string[] {
  const { zones } = Object(resource) as { zones?: readonly { readonly zone: string }[] };
  return (zones ?? []).map(({ zone }) => zone);
}

function namesOf(resource: unknown): { zone?: string; domain?: string; type?: string } {
  return typeof resource === "object" && resource !== null ? resource : {};
}
