/** Creating, changing and deleting zones, with the NS record at the apex. */

import { isDeepStrictEqual } from "node:util";
import { ancestorsOf } from "../../dns/wire/name.ts";
import { newId } from "../../lib/ids.ts";
import { conflict, invalidField } from "../../lib/problem.ts";
import { latestSerial } from "../../lib/serial.ts";
import type { ZoneLoad } from "../../storage/loads.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import type { Changed, Ctx } from "../write/context.ts";
import type { ZoneFields } from "../write/history.ts";
import { defaultView } from "../write/zone-lock.ts";
import { beginCatalog, writeListing } from "./catalogs/listing.ts";
import { assertNoMember, cataloguedOf, followAgain, readCatalogued } from "./catalogs/membership.ts";
import { delegationsDue } from "./delegation/store.ts";
import { serialsDeleted } from "./deleted/store.ts";
import { moveToDeleted } from "./deleted/write.ts";
import { findLinksInto, findZones } from "./model/record/link-store.ts";
import { assertTagsPermitted } from "./model/record/tags.ts";
import { claimName } from "./model/zone/claim.ts";
import { readZone, refuseUnbuilt, sameFields, withoutDerived, zoneName } from "./model/zone/fields.ts";
import { getZone } from "./model/zone/find.ts";
import { assertNotLinked, readLink } from "./model/zone/link.ts";
import { formerPools } from "./model/zone/networks.ts";
import {
  announcePartners,
  assertInNetworks,
  isExchanged,
  type Partners,
  partnersOf,
  readPartners,
} from "./model/zone/partners.ts";
import { fieldsOf, noteZone } from "./model/zone/present.ts";
import { assertNoneClosed, assertWhole } from "./model/zone/reach.ts";
import type { ZoneBody } from "./model/zone/schema.ts";
import * as zones from "./model/zone/store.ts";
import { type Confirmation, countCreated, guardZones, mustConfirm } from "./records/guard.ts";
import { targetOf, touchLinksInto } from "./records/links.ts";
import { addServers, replaceServers, updateServers } from "./servers.ts";
import { notifyPeers, notifyRefresh } from "./tsig/store.ts";

/** Creates a zone. The records of a load are already in the store under the id that the zone gets. */
export async function createZone(ctx: Ctx, path: string, body: ZoneBody, load?: ZoneLoad): Promise<ZoneRow> {
  const { db, account_id, settings, now, random } = ctx;
  const zone = zoneName(path, settings.edition);
  assertSameName(zone, body, settings.edition);
  assertWhole(ctx, zone);
  refuseUnbuilt(ctx, body, zone);
  const link = readLink(ctx, zone, body);
  const fields = readZone(zone, link === null ? withoutDerived(body, settings.edition) : {}, undefined, {
    networks: settings.networks,
    random,
  });
  assertTagsPermitted(ctx, { zone }, undefined, fields);
  warnOfNetworks(ctx, body);
  const id = load?.zone_id ?? newId();
  const partners = await readPartners(ctx, { id, zone }, body);
  const row: ZoneRow = {
    account_id,
    id,
    zone,
    view: defaultView,
    ...fields,
    // secondaries of an earlier zone with this name must see a newer serial
    serial: latestSerial(now, ...(await serialsDeleted(db, account_id, zone))),
    link,
    former_pools: {},
    dnssec: false,
    ...partners,
    ...(await readCatalogued(ctx, zone, body, partners)),
    withheld: false,
    created_at: now,
    updated_at: now,
  };
  assertInNetworks(row);
  await claimName(ctx, row);
  await zones.insertZone(db, row);
  ctx.send(delegationsDue, { account_id, zone_id: id, due_at: now });
  countCreated(ctx, account_id);
  noteZone(ctx, undefined, row);
  ctx.changes.grow({ zones: 1, ...load?.size });
  if (load) {
    await load.publish(db);
    ctx.changes.add(row.id, [{ kind: "contents", zone_id: row.id, zone, load: load.reference() }]);
  }
  if (row.catalog?.role === "producer") await beginCatalog(ctx, row);
  else if (row.dns_servers.length > 0 && row.secondary === null && link === null) await addServers(ctx, row);
  await writeListing(ctx, undefined, row);
  // links may lead to records of the load, and to names that were in a zone above
  if (load || (await findZones(db, account_id, ancestorsOf(zone))).length > 0) await touchLinksInto(ctx, zone);
  // the serial of a secondary zone is its primary's
  if (row.secondary) ctx.changes.giveSerial(row.id, null);
  if (isExchanged(row)) await announcePartners(ctx, row);
  ctx.flush();
  return row;
}

export async function changeZone(ctx: Ctx, path: string, body: ZoneBody): Promise<Changed<ZoneRow>> {
  const { settings, now } = ctx;
  const before = await getZone(ctx, path, zones.lockSettings);
  assertSameName(before.zone, body, settings.edition);
  assertWhole(ctx, before.zone);
  assertNotLinked(before);
  if (body.link) throw invalidField("link", "can only be set when the zone is created");
  refuseUnbuilt(ctx, body, before.zone);
  warnOfNetworks(ctx, body);
  const partners = await readPartners(ctx, before, body, before);
  const fields = fieldsAfter(ctx, body, before, partners);
  assertTagsPermitted(ctx, { zone: before.zone }, before, fields);
  const moved = !isDeepStrictEqual(partners, partnersOf(before));
  const catalogued = await readCatalogued(ctx, before.zone, body, partners, before);
  const listed = !isDeepStrictEqual(catalogued, cataloguedOf(before));
  const isSame = !moved && sameFields(fields, fieldsOf(before));
  if (isSame && !listed) return { before, row: before, changed: false };
  await assertNoneClosed(ctx, before);
  const former_pools = formerPools(before, fields);
  const row: ZoneRow = { ...before, ...fields, former_pools, ...partners, ...catalogued, updated_at: now };
  const isElsewhere = !isDeepStrictEqual(row.networks, before.networks);
  if (moved || isElsewhere) assertInNetworks(row);
  await zones.updateZone(ctx.db, row);
  if (moved) await zones.updatePartners(ctx.db, row);
  if (moved || isElsewhere) await announcePartners(ctx, row, before);
  if (listed) await zones.updateCatalog(ctx.db, row);
  await writeListing(ctx, before, row);
  // a secondary zone keeps the serial of its primary, unless its settings change as it becomes secondary;
  // a change of the catalog field alone needs no new serial
  const keepsPrimarySerial =
    row.secondary !== null && (before.secondary !== null || sameFields(fields, fieldsOf(before)));
  if (keepsPrimarySerial || isSame) ctx.changes.giveSerial(row.id, null);
  noteZone(ctx, before, row);
  if (before.secondary && !row.secondary) await replaceServers(ctx, row);
  else if (!row.secondary && row.catalog?.role !== "producer") await updateServers(ctx, row, before);
  if (row.disabled !== before.disabled) await touchLinksInto(ctx, row.zone);
  ctx.flush();
  return { before, row, changed: true };
}

/** Requests a transfer of the zone now; a catalog is then followed too. A confirmation releases deletions held back for a catalog. */
export async function refreshZone(ctx: Ctx, path: string, confirmation: Confirmation): Promise<ZoneRow> {
  const row = await getZone(ctx, path, zones.lockSettings);
  assertWhole(ctx, row.zone);
  if (!row.secondary) throw invalidField("refresh", "the zone is not secondary");
  await zones.updatePartners(ctx.db, { ...row, refresh_at: 0 });
  const catalogued = followAgain(ctx, row, confirmation);
  if (catalogued) await zones.updateCatalog(ctx.db, { ...row, ...catalogued });
  await notifyRefresh(ctx.db);
  return row;
}

/** Deletes a zone. Without `confirmation`, the calling code must ask the guard against deletions and `assertNoTarget`. */
export async function removeZone(ctx: Ctx, path: string, confirmation?: Confirmation): Promise<ZoneRow> {
  const row = await getZone(ctx, path, zones.lockWhole);
  assertWhole(ctx, row.zone);
  await assertNoMember(ctx, row);
  await assertNoneClosed(ctx, row);
  if (confirmation) {
    await assertNoTarget(ctx, row.zone, confirmation);
    await guardZones(ctx, [row], confirmation);
  }
  await touchLinksInto(ctx, row.zone);
  await moveToDeleted(ctx, row);
  await writeListing(ctx, row, undefined);
  if (isExchanged(row)) await notifyPeers(ctx.db, ctx.account_id);
  noteZone(ctx, row, undefined);
  return row;
}

/**
 * Throws while other zones or records are linked to the zone, unless its deletion is confirmed or need not be. Called
 * after all deletions of the same request.
 */
export async function assertNoTarget(ctx: Ctx, zone: string, confirmation: Confirmation): Promise<void> {
  if (!mustConfirm(ctx, confirmation)) return;
  const { db, account_id } = ctx;
  const shown = 10;
  const links = await zones.findLinks(db, account_id, zone, shown);
  if (links.length > 0) {
    const message = `the zone ${links[0]} is linked to ${zone} and loses its answers; to confirm, send confirm_deletions=true`;
    throw conflict(message, { zone, links, confirm: "confirm_deletions=true" }, 409);
  }
  const records = await findLinksInto(db, account_id, zone, shown);
  if (records.length > 0) throw targetOf(ctx, records);
}

function warnOfNetworks({ warnings }: Ctx, { networks }: ZoneBody): void {
  if (networks?.length === 0)
    warnings.add("networks", "a zone on no network has no name servers, and no edge answers for it");
}

function assertSameName(zone: string, body: ZoneBody, edition: Ctx["settings"]["edition"]): void {
  if (body.zone && zoneName(body.zone, edition) !== zone) {
    throw invalidField("zone", `"${body.zone}" differs from the zone in the path, "${zone}"`, { zone });
  }
}

/** The zone's fields after a body. In a secondary zone, the SOA fields of the body are ignored. */
function fieldsAfter({ settings, random }: Ctx, body: ZoneBody, before: ZoneRow, partners: Partners): ZoneFields {
  const allowed = before.secondary && partners.secondary ? withoutSoa(body) : body;
  const fields = readZone(before.zone, withoutDerived(allowed, settings.edition), fieldsOf(before), {
    networks: settings.networks,
    random,
    former: before.former_pools,
  });
  if (!before.secondary || partners.secondary) return fields;
  // the zone is no longer secondary: its first name server is its primary again
  const [primary_master = fields.primary_master] = fields.dns_servers;
  return { ...fields, primary_master: body.primary_master ?? primary_master };
}

const soaFields = new Set(["ttl", "refresh", "retry", "expiry", "nx_ttl", "hostmaster", "primary_master"]);

function withoutSoa(body: ZoneBody): ZoneBody {
  const fields = Object.entries(body).filter(([field]) => !soaFields.has(field));
  return Object.fromEntries(fields);
}
