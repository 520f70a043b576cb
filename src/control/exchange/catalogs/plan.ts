/** Plans the changes that bring the zones of an account in line with a catalog. Pure. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { CatalogState } from "../../../storage/tables/transfers.ts";
import type { ListedZone } from "./read.ts";

/** A zone that the catalog made. */
export interface MadeZone extends ListedZone {
  /** Whether it is transferred from the same servers, with the same key, as the catalog. */
  readonly hasSameServers: boolean;
}

export interface Plan {
  readonly make: readonly ListedZone[];
  /** Zones listed under another label, which start again from nothing (RFC 9432 section 5.4). */
  readonly renew: readonly ListedZone[];
  readonly change: readonly ListedZone[];
  /** Names of zones that are no longer listed. */
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
    else if (!known.hasSameServers || known.coo !== wanted.coo || !isDeepStrictEqual(known.groups, wanted.groups)) {
      change.push(wanted);
    }
  }
  return { make, renew, change, remove: [...there.keys()] };
}

/** Decides whether data may be removed without confirmation. */
export interface Guard {
  /** The share of a catalog's zones that may be removed unconfirmed, 0 to 1. */
  readonly share: number;
  /** Zones removed in the last ten minutes. */
  readonly recent: number;
  readonly before: CatalogState["held"];
  /** The digest of confirmed removals. */
  readonly confirmed: string | undefined;
}

/** Up to this many removals never need confirmation, unless they are all zones of the catalog. */
const most = 2;
const shown = 100;

/** Returns the removals that wait to be confirmed, or null. Once held, removals stay held even if they become fewer. */
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
