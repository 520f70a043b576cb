/** Makes, changes and deletes member zones of another server's catalog, each in the caller's transaction. */
import { conflict } from "../../../lib/problem.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { zoneKeyContext } from "../../../sync/peers.ts";
import type { Ctx } from "../../write/context.ts";
import type { ZoneBody } from "../../zones/model/zone/schema.ts";
import { findZone, lockWhole, updateCatalog } from "../../zones/model/zone/store.ts";
import { changeZone, createZone, removeZone } from "../../zones/write.ts";
import type { ListedZone } from "./read.ts";

/** Returns undefined for a zone that has moved to another catalog and is still listed here until every server knows it. */
export async function makeMember(ctx: Ctx, catalog: ZoneRow, listed: ListedZone): Promise<ZoneRow | undefined> {
  const there = await findZone(ctx.db, ctx.account_id, listed.zone);
  if (!there) return await attach(ctx, catalog, listed, await createZone(ctx, listed.zone, templateOf(ctx, catalog)));
  const { catalog: former } = there;
  if (former?.role !== "consumed") throw conflict("the account already has this zone");
  // RFC 9432 section 4.4.1: both catalogs have to agree
  if (former.coo === catalog.zone) {
    return former.node === listed.node
      ? await changeMember(ctx, catalog, listed)
      : await renewMember(ctx, catalog, listed);
  }
  if (listed.coo === former.of) return undefined;
  throw conflict(`it belongs to the catalog ${former.of}`);
}

/** RFC 9432 section 5.6: the new zone keeps no state of the former one, which can be restored like any deleted zone. */
export async function renewMember(ctx: Ctx, catalog: ZoneRow, listed: ListedZone): Promise<ZoneRow> {
  await removeMember(ctx, listed.zone);
  return await attach(ctx, catalog, listed, await createZone(ctx, listed.zone, templateOf(ctx, catalog)));
}

export async function changeMember(ctx: Ctx, catalog: ZoneRow, listed: ListedZone): Promise<ZoneRow | undefined> {
  if (!(await detach(ctx, listed.zone))) return undefined;
  const { row } = await changeZone(ctx, listed.zone, templateOf(ctx, catalog));
  return await attach(ctx, catalog, listed, row);
}

export async function removeMember(ctx: Ctx, zone: string): Promise<ZoneRow | undefined> {
  return (await detach(ctx, zone)) ? await removeZone(ctx, zone) : undefined;
}

/** Detaches the zone from its catalog so that it can be changed; false when it no longer belongs to a catalog. */
async function detach(ctx: Ctx, zone: string): Promise<boolean> {
  const row = await lockWhole(ctx.db, ctx.account_id, zone);
  if (row?.catalog?.role !== "consumed") return false;
  await updateCatalog(ctx.db, { ...row, catalog: null, catalog_id: null });
  return true;
}

/** Saves that the zone belongs to the catalog, as the catalog lists it. */
async function attach(ctx: Ctx, { id, zone: of }: ZoneRow, listed: ListedZone, made: ZoneRow): Promise<ZoneRow> {
  const { node, groups, coo } = listed;
  const row: ZoneRow = { ...made, catalog: { role: "consumed", of, node, groups, coo }, catalog_id: id };
  await updateCatalog(ctx.db, row);
  return row;
}

/** The body of a zone that is transferred from the same servers as the catalog. */
function templateOf(ctx: Ctx, { id, secondary, secondary_key }: ZoneRow): ZoneBody {
  const key = secondary_key === null ? undefined : ctx.secrets.open(secondary_key, zoneKeyContext(id));
  if (!secondary) return {};
  const { tsig, tls = null } = secondary;
  return { secondary: { ...secondary, tls, tsig: tsig && { ...tsig, key } } };
}
