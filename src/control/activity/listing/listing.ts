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
import { ofZones } from "../../write/activity/entry.ts";
import { type ActivityFilter, type ActivityRow, listEntries } from "../../write/activity/store.ts";
import type { Ctx } from "../../write/context.ts";

/** Entries may be a quarter of a megabyte each. */
const rowsAtOnce = 100;
/**
 * The maximum of entries read for one reply, so that a key that may see very little does not cause the whole log to be
 * read.
 */
export const maxRead = 50_000;

/** The newest entries that a caller may see, at most `most`. `pages` can be called once. */
export class OpenEntries {
  /** The limit that ended the reading: `most` entries found, or `maxRead` read. Set after the last page. */
  end: "most" | "read" | undefined;
  readonly #ctx: Ctx;
  readonly #filter: ActivityFilter;
  readonly #most: number;

  constructor(ctx: Ctx, filter: ActivityFilter, most: number) {
    this.#ctx = ctx;
    this.#filter = filter;
    this.#most = most;
  }

  async *pages(): AsyncGenerator<readonly ActivityRow[]> {
    const { db, account_id, caller } = this.#ctx;
    // one more than is shown, to know whether there are more
    const wanted = this.#most + 1;
    const mostRead = Math.max(maxRead, wanted);
    const zones = zonesOpen(caller.access, this.#filter.resource_type);
    let [found, read, size] = [0, 0, Math.min(wanted, rowsAtOnce)];
    let last: ActivityRow | undefined;
    while (read < mostRead) {
      const rows = await listEntries(db, account_id, { ...this.#filter, zones }, size, last);
      const open = rows.filter((row) => isOpen(caller.access, row)).slice(0, wanted - found);
      found += open.length;
      if (found === wanted) this.end = "most";
      yield found === wanted ? open.slice(0, -1) : open;
      if (found === wanted || rows.length < size) return;
      last = rows.at(-1);
      read += size;
      size = rowsAtOnce;
    }
    this.end = "read";
  }
}

const right = "account.view_activity_log";
/** The maximum of zones in one query: with more, the query would take as long as reading all entries. */
const mostZones = 200;

/**
 * The zones that may have visible entries, with "" for entries without a zone; undefined if there are too many to
 * query.
 */
function zonesOpen(access: Access, type: string | undefined): readonly string[] | undefined {
  const named = zonesNamed(access, right);
  const inZones = type === undefined || ofZones.includes(type);
  if (named === undefined || named.size > mostZones || !inZones) return undefined;
  return type === undefined ? ["", ...named] : [...named];
}

/** An entry shows its resource, so it is visible to the callers who may see the resource. */
function isOpen(access: Access, { resource_type, resource, before }: ActivityRow): boolean {
  if (resource_type === "changeset") {
    const zones = zonesOf(resource);
    // there were too many zones to store
    if (zones === undefined) return reachesEverything(access, right);
    return zones.every((zone) => reachesAll(access, right, zone));
  }
  if (!ofZones.includes(resource_type)) return true;
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
