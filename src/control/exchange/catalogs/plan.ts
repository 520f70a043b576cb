/** What has to happen so that the zones of an account are what a catalog lists. Pure. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { CatalogState } from "../../../storage/tables/transfers.ts";
import type { ListedZone } from "./read.ts";

/** A zone that the catalog made. */
export interface MadeZone extends ListedZone {
  /** Whether it is transferred as the catalog is. */
  readonly isFrom: boolean;
}

export interface Plan {
  readonly make: readonly ListedZone[];
  /** Under another label: begun anew (RFC 9432 section 5.4). */
  readonly renew: readonly ListedZone[];
  readonly change: readonly ListedZone[];
  /** Names of zones that are listed no longer. */
  readonly remove: readonly string[];
}

export function planFor(listed: readonly ListedZone[], made: readonly MadeZone[]): Plan {
  const there = new Map(made.map((zone) => [zone.zone, zone]));
  const make: ListedZone[] = [];
  const renew: ListedZone[] = [];
  const change: ListedZone[] = [];
  for (const wanted of listed) {
    const known = there.get(wanted.zone);
    there.delete(wanted.zone);
    if (!known) make.push(wanted);
    else if (known.node !== wanted.node) renew.push(wanted);
    else if (!known.isFrom || known.coo !== wanted.coo || !isDeepStrictEqual(known.groups, wanted.groups)) {
      change.push(wanted);
    }
  }
  return { make, renew, change, remove: [...there.keys()] };
}

/** What decides whether data may go without a word. */
export interface Guard {
  /** The share of a catalog's zones that may, 0 to 1. */
  readonly share: number;
  /** Zones that went in the last minutes. */
  readonly recent: number;
  readonly before: CatalogState["held"];
  /** The digest of removals that were confirmed. */
  readonly confirmed: string | undefined;
}

/** So many are never asked about, unless they are all. */
const most = 2;
const shown = 100;

/** The removals that wait to be confirmed, or null: what waits once goes on waiting, also when it becomes less. */
export function heldBy({ renew, remove }: Plan, made: number, guard: Guard): CatalogState["held"] {
  const zones = [...remove, ...renew.map(({ zone }) => zone)].sort();
  if (zones.length === 0) return null;
  const digest = createHash("sha256").update(zones.join("\n")).digest("hex");
  if (digest === guard.confirmed) return null;
  const gone = zones.length + guard.recent;
  const isLarge = gone > most && gone > (made + guard.recent) * guard.share;
  const isAll = remove.length === made && made > 1;
  if (!guard.before && !isLarge && !isAll) return null;
  return { digest, count: zones.length, zones: zones.slice(0, shown) };
}
