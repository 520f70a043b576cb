/** A zone's role as a catalog or a member of one: read from a body, and checked against the zones that it names. */
import { isDeepStrictEqual } from "node:util";
import { nameFromApi } from "../../../dns/wire/name.ts";
import { newId } from "../../../lib/ids.ts";
import { conflict, denied, invalid, invalidField } from "../../../lib/problem.ts";
import { pick } from "../../../lib/values.ts";
import type { CatalogListing, CatalogSettings } from "../../../storage/tables/transfers.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { reachesEverything, reachesSettings } from "../../access/access.ts";
import { closedZone } from "../../access/caller.ts";
import type { Ctx } from "../../write/context.ts";
import { readCatalog } from "../model/zone/catalog.ts";
import type { Partners } from "../model/zone/partners.ts";
import type { ZoneBody } from "../model/zone/schema.ts";
import { lockTarget } from "../model/zone/store.ts";
import type { Confirmation } from "../records/guard.ts";
import { nodeOf } from "./listing.ts";
import { findMembers, releaseMembers } from "./store.ts";

const fields = ["catalog", "catalog_id", "catalog_state", "follow_at", "hidden"] as const;
export type Catalogued = Pick<ZoneRow, (typeof fields)[number]>;

const none: Catalogued = { catalog: null, catalog_id: null, catalog_state: null, follow_at: null, hidden: false };

export const cataloguedOf = (row: ZoneRow): Catalogued => pick(row, fields);

/** The zone's catalog fields after a body. `partners` are the zone's partners after the same body. */
export async function readCatalogued(
  ctx: Ctx,
  zone: string,
  body: ZoneBody,
  partners: Partners,
  before?: ZoneRow,
): Promise<Catalogued> {
  const catalog = readCatalog(body.catalog, before?.catalog);
  if (catalog?.role === "consumer" || before?.catalog?.role === "consumer") assertMayFollow(ctx);
  if (before?.catalog?.role === "consumer" && catalog?.role !== "consumer") await releaseMembers(ctx.db, before);
  switch (catalog?.role) {
    case undefined:
      return none;
    case "producer":
      if (partners.secondary) throw invalidField("catalog", "a producer cannot be secondary");
      assertFitsCatalog(zone);
      return { ...none, catalog, hidden: true };
    case "consumer":
      return { ...none, catalog, hidden: true, ...following(partners, before) };
    case "member":
      return { ...none, catalog, catalog_id: await lockCatalog(ctx, zone, catalog, partners) };
    case "consumed":
      assertFollows(partners, before);
      return { ...none, catalog, catalog_id: before?.catalog_id ?? null };
  }
}

/** Throws when the name is too long for a catalog, whose records have longer names. */
const assertFitsCatalog = (zone: string) => void nameFromApi(nodeOf({ id: newId() }, zone, "group"));

/** Throws unless the caller has access to all zones: a followed catalog creates and deletes zones of any name. */
function assertMayFollow({ caller }: Ctx): void {
  if (reachesEverything(caller.access, "dns.manage_zones")) return;
  throw denied("Following a catalog requires access to all zones, because it creates and deletes zones");
}

/** The fields of a followed catalog: it is followed again at once when its primaries or their key have changed. */
function following(partners: Partners, before: ZoneRow | undefined) {
  if (!partners.secondary) throw invalidField("catalog", "a consumer requires secondary");
  const isNew = before?.catalog?.role !== "consumer" || !isFrom(partners, before);
  return { catalog_state: before?.catalog_state ?? null, follow_at: isNew ? 0 : before.follow_at };
}

/** The catalog fields that make a consumer due to be followed now. A confirmation releases the deletions held back. */
export function followAgain(ctx: Ctx, row: ZoneRow, sent: Confirmation): Catalogued | undefined {
  if (row.catalog?.role !== "consumer") return undefined;
  const { held } = row.catalog_state ?? {};
  const isConfirmed = sent.confirm_deletions === true && held;
  if (isConfirmed) assertMayFollow(ctx);
  const catalog: CatalogSettings = isConfirmed ? { role: "consumer", confirmed: held.digest } : row.catalog;
  return { ...cataloguedOf(row), catalog, follow_at: 0 };
}

function assertFollows(partners: Partners, before: ZoneRow | undefined): void {
  if (before && isFrom(partners, before)) return;
  const message =
    "secondary: the zone uses the servers of the catalog that created it; set catalog to null to release the zone";
  throw invalid(message, { field: "secondary" });
}

const isFrom = (partners: Partners, { secondary, secondary_key }: ZoneRow) =>
  partners.secondary_key === secondary_key && isDeepStrictEqual(partners.secondary, secondary);

/** Returns the id of the catalog, locked so that it cannot be deleted until this transaction ends. */
async function lockCatalog(ctx: Ctx, zone: string, { of }: CatalogListing, { primary }: Partners): Promise<string> {
  const { db, account_id, caller } = ctx;
  if (!primary.enabled) {
    throw invalidField("catalog", "a member requires primary.enabled, so that secondaries can transfer it");
  }
  if (!reachesSettings(caller.access, "dns.manage_zones", of)) {
    throw closedZone("dns.manage_zones", of);
  }
  const target = of === zone ? undefined : await lockTarget(db, account_id, of);
  if (target?.catalog?.role === "producer") return target.id;
  throw invalidField("catalog.of", `there is no catalog zone ${of}`);
}

/** Throws for a zone that a followed catalog lists, and for a catalog with members. The zone is locked and about to be deleted. */
export async function assertNoMember({ db }: Ctx, row: ZoneRow): Promise<void> {
  const { catalog, zone } = row;
  if (catalog?.role === "consumed") {
    const message = `the zone ${zone} is listed by the catalog ${catalog.of}; set catalog to null to release the zone first`;
    throw conflict(message, { zone, catalog: catalog.of });
  }
  if (!row.hidden) return;
  const shown = 10;
  const members = await findMembers(db, row, shown);
  if (members.length === 0) return;
  const how =
    catalog?.role === "consumer" ? "set catalog to null to release all members first" : "remove its members first";
  const message = `the zone ${members[0]} is a member of the catalog ${zone}; ${how}`;
  throw conflict(message, { zone, members });
}

/** The catalog fields of a deleted zone that is brought back: it is a member again if its catalog still exists. */
export async function cataloguedAgain(ctx: Ctx, gone: ZoneRow): Promise<Catalogued> {
  // undefined in rows of zones deleted before catalogs existed
  const catalog = gone.catalog ?? null;
  if (catalog?.role === "producer") return { ...none, catalog, hidden: true };
  if (catalog?.role === "consumer") {
    assertMayFollow(ctx);
    return { ...none, catalog: { role: "consumer" }, hidden: true, follow_at: 0 };
  }
  if (catalog?.role !== "member") return none;
  // without the right to the catalog, the zone is brought back unlisted
  if (!reachesSettings(ctx.caller.access, "dns.manage_zones", catalog.of)) return none;
  const target = await lockTarget(ctx.db, ctx.account_id, catalog.of);
  return target?.catalog?.role === "producer" ? { ...none, catalog, catalog_id: target.id } : none;
}
