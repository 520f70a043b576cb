/** Which catalog a zone is, or is a member of: read from a body, and checked against the zones that it names. */
import { isDeepStrictEqual } from "node:util";
import { nameFromApi } from "../../../dns/wire/name.ts";
import { newId } from "../../../lib/ids.ts";
import { conflict, denied, invalid } from "../../../lib/problem.ts";
import type { CatalogListing, CatalogSettings } from "../../../storage/tables/transfers.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { reachesEverything, reachesSettings } from "../../access/access.ts";
import { closedZone } from "../../access/caller.ts";
import type { Ctx } from "../../write/context.ts";
import { readCatalog } from "../model/zone/catalog-settings.ts";
import type { Partners } from "../model/zone/partners.ts";
import type { ZoneBody } from "../model/zone/schema.ts";
import { lockTarget } from "../model/zone/store.ts";
import type { Confirmation } from "../records/guard.ts";
import { nodeOf } from "./listing.ts";
import { findMembers, releaseMembers } from "./store.ts";

export type Catalogued = Pick<ZoneRow, "catalog" | "catalog_id" | "catalog_state" | "follow_at" | "hidden">;

const none: Catalogued = { catalog: null, catalog_id: null, catalog_state: null, follow_at: null, hidden: false };

export const cataloguedOf = (row: ZoneRow): Catalogued => ({
  catalog: row.catalog,
  catalog_id: row.catalog_id,
  catalog_state: row.catalog_state,
  follow_at: row.follow_at,
  hidden: row.hidden,
});

/** What a zone is to catalogs after a body, with these partners. */
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
      if (partners.secondary) throw invalid("catalog: a producer cannot be secondary", { field: "catalog" });
      assertRoomBelow(zone);
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

/** The names of its records are longer than its own. */
const assertRoomBelow = (zone: string) => void nameFromApi(nodeOf({ id: newId() }, zone, "group"));

/** Others decide which zones there are: nobody who may not reach all of them opens that door. */
function assertMayFollow({ caller }: Ctx): void {
  if (reachesEverything(caller.access, "dns.manage_zones")) return;
  throw denied("A catalog of others makes and deletes zones: it is for those with access to all zones only");
}

/** What its zones are made from may have changed. */
function following(partners: Partners, before: ZoneRow | undefined) {
  if (!partners.secondary) throw invalid("catalog: a consumer needs secondary, to take it from", { field: "catalog" });
  const isNew = before?.catalog?.role !== "consumer" || !isFrom(partners, before);
  return { catalog_state: before?.catalog_state ?? null, follow_at: isNew ? 0 : before.follow_at };
}

/** What a consumer is from now on that is to be followed; what it is held for now may go when that is confirmed. */
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
  const message = "secondary: the zone has the servers of the catalog that made it; catalog: null releases it";
  throw invalid(message, { field: "secondary" });
}

const isFrom = (partners: Partners, { secondary, secondary_key }: ZoneRow) =>
  partners.secondary_key === secondary_key && isDeepStrictEqual(partners.secondary, secondary);

/** Id of the catalog, which stays while this transaction goes on. */
async function lockCatalog(ctx: Ctx, zone: string, { of }: CatalogListing, { primary }: Partners): Promise<string> {
  const { db, account_id, caller } = ctx;
  if (!primary.enabled) {
    throw invalid("catalog: a member needs primary.enabled, so that others can transfer it", { field: "catalog" });
  }
  if (!reachesSettings(caller.access, "dns.manage_zones", of)) {
    throw closedZone("dns.manage_zones", of);
  }
  const target = of === zone ? undefined : await lockTarget(db, account_id, of);
  if (target?.catalog?.role === "producer") return target.id;
  throw invalid(`catalog.of: there is no catalog zone ${of}`, { field: "catalog.of" });
}

/** Before a zone is deleted, which is locked. */
export async function assertNoMember({ db }: Ctx, row: ZoneRow): Promise<void> {
  const { catalog, zone } = row;
  if (catalog?.role === "consumed") {
    const message = `the zone ${zone} is there because the catalog ${catalog.of} lists it: catalog: null releases it`;
    throw conflict(message, { zone, catalog: catalog.of });
  }
  if (!row.hidden) return;
  const shown = 10;
  const members = await findMembers(db, row, shown);
  if (members.length === 0) return;
  const how = catalog?.role === "consumer" ? "catalog: null releases all of them" : "take the members out first";
  const message = `the zone ${members[0]} is a member of the catalog ${zone}: ${how}`;
  throw conflict(message, { zone, members });
}

/** What a deleted zone is to catalogs when it is brought back: a member still where the catalog is there still. */
export async function cataloguedAgain(ctx: Ctx, gone: ZoneRow): Promise<Catalogued> {
  // zones were deleted before there were catalogs, too
  const catalog = gone.catalog ?? null;
  if (catalog?.role === "producer") return { ...none, catalog, hidden: true };
  if (catalog?.role === "consumer") {
    assertMayFollow(ctx);
    return { ...none, catalog: { role: "consumer" }, hidden: true, follow_at: 0 };
  }
  if (catalog?.role !== "member") return none;
  // the zone comes back all the same: who may change the catalog lists it again
  if (!reachesSettings(ctx.caller.access, "dns.manage_zones", catalog.of)) return none;
  const target = await lockTarget(ctx.db, ctx.account_id, catalog.of);
  return target?.catalog?.role === "producer" ? { ...none, catalog, catalog_id: target.id } : none;
}
