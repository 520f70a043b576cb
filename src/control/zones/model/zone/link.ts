/** Linked zones: the fields allowed together with `link`, and checks that the target exists and is not deleted. */
import { upwardsFrom } from "../../../../dns/wire/name.ts";
import { conflict, invalid, invalidField } from "../../../../lib/problem.ts";
import { asksFor } from "../../../../lib/values.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import { reachesRecord, reachesZone } from "../../../access/access.ts";
import { closedZone } from "../../../access/caller.ts";
import type { Ctx } from "../../../write/context.ts";
import { findLinksInto, findLinksOf, findZones, findZonesAbove } from "../record/link-store.ts";
import { zoneName } from "./fields.ts";
import { assertAllRecords } from "./reach.ts";
import type { ZoneBody } from "./schema.ts";
import { findLinks, lockTarget } from "./store.ts";

/** Fields that only replies have, or that name the zone. */
const ignored: ReadonlySet<string> = new Set(["zone", "link", "warnings"]);
/** Fields that matter only in edition ddi, where only their defaults are built. */
const ddiOnly: ReadonlySet<string> = new Set(["name", "views"]);

/** Reads the name of the zone that a new zone is linked to; null for an ordinary zone. */
export async function readLink(ctx: Ctx, zone: string, body: ZoneBody): Promise<string | null> {
  if (!body.link) return null;
  assertAllRecords(ctx, zone);
  const { edition } = ctx.settings;
  const link = zoneName(body.link, edition);
  const extra = Object.entries(body).find(
    ([field, value]) => !ignored.has(field) && !ddiOnly.has(field) && asksFor(value),
  );
  if (extra) {
    const [field] = extra;
    throw invalidField(field, "a linked zone has no settings of its own", { link });
  }
  await assertTarget(ctx, zone, link);
  return link;
}

/** Throws unless the zone can be linked to the target. Locks the target: the link then protects it from deletion. */
export async function assertTarget({ db, account_id, caller }: Ctx, zone: string, link: string): Promise<void> {
  if (link === zone) throw invalidField("link", "a zone cannot be linked to itself", { link });
  if (!reachesZone(caller.access, "dns.manage_zones", link)) throw closedZone("dns.manage_zones", link);
  const target = await lockTarget(db, account_id, link);
  if (!target) throw invalidField("link", `there is no zone ${link}`, { link });
  if (target.hidden) throw invalidField("link", `${link} is a catalog`, { link });
  // prevents loops of links
  if (target.link !== null) {
    throw invalidField("link", `${link} is itself linked to ${target.link}`, { link, target: target.link });
  }
}

/** The zones with the SOA fields that are served: a linked zone has those of its target. */
export async function answeredZones({ db, account_id }: Ctx, rows: readonly ZoneRow[]): Promise<ZoneRow[]> {
  const links = rows.flatMap(({ link }) => link ?? []);
  if (links.length === 0) return [...rows];
  const targets = new Map((await findZones(db, account_id, links)).map((row) => [row.zone, row]));
  return rows.map((row) => {
    const target = row.link === null ? undefined : targets.get(row.link);
    return target ? { ...row, ...soaOf(target) } : row;
  });
}

const soaOf = ({ ttl, serial, refresh, retry, expiry, nx_ttl, hostmaster, primary_master }: ZoneRow) => ({
  ...{ ttl, serial, refresh, retry, expiry, nx_ttl, hostmaster, primary_master },
});

/** Throws for a linked zone, whose settings and records are those of the target. */
export function assertNotLinked({ zone, link }: Pick<ZoneRow, "zone" | "link">): void {
  if (link === null) return;
  throw invalid(`the zone ${zone} is linked to ${link}; it cannot be changed or have records`, { zone, link });
}

/** Throws while other zones or records are linked to the zone. Called after all deletions of the same request. */
export async function assertNoLinks(ctx: Ctx, zone: string): Promise<void> {
  const { db, account_id, caller } = ctx;
  const shown = 10;
  const links = await findLinks(db, account_id, zone, shown);
  if (links.length > 0) {
    const message = `the zone ${links[0]} is linked to ${zone}; delete the linked zones first`;
    throw conflict(message, { zone, links });
  }
  const [record] = await findLinksInto(db, account_id, zone, 1);
  if (!record) return;
  const { domain, type, link } = record;
  const isOpen = reachesRecord(caller.access, "dns.manage_zones", record.zone, domain, type);
  const what = isOpen ? `the record ${domain} ${type}` : "a record that you do not have access to";
  throw conflict(`${what} is linked to ${link} ${type}; delete the linked records first`, { zone, link, type });
}

/** Throws unless the account has a zone for each target of the zone's linked records. */
export async function assertTargetZones({ db, account_id }: Ctx, { id, zone }: ZoneRow): Promise<void> {
  const targets = await findLinksOf(db, account_id, id);
  if (targets.length === 0) return;
  const zoneOf = await findZonesAbove(db, account_id, targets);
  const lost = targets.find((link) => !zoneOf(link) && !upwardsFrom(link).includes(zone));
  if (lost === undefined) return;
  throw invalidField("link", `a record is linked to ${lost}, but no zone contains that name`, { link: lost });
}
