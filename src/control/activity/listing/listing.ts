/** Reading the entries that a caller may see. */
import { typeName } from "../../../dns/type-names.ts";
import { isObject } from "../../../lib/values.ts";
import {
  type Access,
  reachesAll,
  reachesEverything,
  reachesRecord,
  reachesZone,
  zonesNamed,
} from "../../access/access.ts";
import { zoneResourceTypes } from "../../write/activity/entry.ts";
import { type ActivityFilter, type ActivityRow, listEntries } from "../../write/activity/store.ts";
import type { Ctx } from "../../write/context.ts";

/** Rows per query. Entries may be a quarter of a megabyte each. */
const rowsAtOnce = 100;
/**
 * The maximum number of entries read for one reply, so that a key that may see very little does not cause the whole log to be
 * read.
 */
export const mostRead = 50_000;

/** The limit that ended a listing: `most` entries were found, or `mostRead` were read. */
export type End = "most" | "read" | undefined;

/** The newest entries that a caller may see, at most `most`. Returns the limit that ended the listing. */
export async function* visibleEntries(
  ctx: Ctx,
  filter: ActivityFilter,
  most: number,
): AsyncGenerator<ActivityRow, End> {
  const { db, account_id, caller } = ctx;
  const toRead = Math.max(mostRead, most + 1);
  const zones = visibleZones(caller.access, filter.resource_type);
  // one more than is shown, to know whether there are more
  let [found, read, size] = [0, 0, Math.min(most + 1, rowsAtOnce)];
  let last: ActivityRow | undefined;
  while (read < toRead) {
    const rows = await listEntries(db, account_id, { ...filter, zones }, size, last);
    for (const row of rows) {
      if (!isVisible(caller.access, row)) continue;
      if (found++ === most) return "most";
      yield row;
    }
    if (rows.length < size) return undefined;
    last = rows.at(-1);
    read += size;
    size = rowsAtOnce;
  }
  return "read";
}

const right = "account.view_activity_log";
/** The maximum number of zones in one query: with more, the query would take as long as reading all entries. */
const mostZones = 200;

/**
 * The zones that may have visible entries, with "" for entries without a zone; undefined if there are too many to
 * query.
 */
function visibleZones(access: Access, type: string | undefined): readonly string[] | undefined {
  const named = zonesNamed(access, right);
  const inZones = type === undefined || zoneResourceTypes.includes(type);
  if (named === undefined || named.size > mostZones || !inZones) return undefined;
  return type === undefined ? ["", ...named] : [...named];
}

/** An entry shows its resource, so it is visible to the callers who may see the resource. */
function isVisible(access: Access, { resource_type, resource, before }: ActivityRow): boolean {
  if (resource_type === "changeset") {
    const zones = zonesOf(resource);
    // there were too many zones to store
    if (zones === undefined) return reachesEverything(access, right);
    return zones.every((zone) => reachesAll(access, right, zone));
  }
  if (!zoneResourceTypes.includes(resource_type)) return true;
  const { zone, domain, type } = namesOf(resource);
  if (zone === undefined) return false;
  if (domain !== undefined && type !== undefined) return reachesRecord(access, right, zone, domain, typeName(type));
  const hasRecords =
    resource_type === "record" || [resource, before].some((side) => isObject(side) && "records" in side);
  return (hasRecords ? reachesAll : reachesZone)(access, right, zone);
}

function zonesOf(resource: unknown): string[] | undefined {
  const { zones } = Object(resource) as { zones?: readonly { readonly zone: string }[] };
  return zones?.map(({ zone }) => zone);
}

function namesOf(resource: unknown): { zone?: string; domain?: string; type?: string } {
  return typeof resource === "object" && resource !== null ? resource : {};
}
