/** Linked zones: what a body may say beside `link`, and that the target is there and stays. */
import { upwardsFrom } from "../../../../dns/wire/name.ts";
import { conflict, invalid } from "../../../../lib/problem.ts";
import { asksFor } from "../../../../lib/values.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import { reachesRecord, reachesZone } from "../../../access/access.ts";
import { closedZone } from "../../../access/caller.ts";
import type { Ctx } from "../../../write/context.ts";
import { findLinksInto, findLinksOf, findZones } from "../record/link-store.ts";
import { zoneName } from "./fields.ts";
import { assertFromElsewhere } from "./reach.ts";
import type { ZoneBody } from "./schema.ts";
import { findLinks, lockTarget } from "./store.ts";

/** What only replies have, or what names the zone. */
const ignored: ReadonlySet<string> = new Set(["zone", "link", "warnings"]);
/** What decides where a zone is, in edition ddi; nothing but the usual place is built. */
const placing: ReadonlySet<string> = new Set(["name", "views"]);

/** Name of the zone that a new one is linked to; null for a zone of its own. */
export async function readLink(ctx: Ctx, zone: string, body: ZoneBody): Promise<string | null> {
  if (!body.link) return null;
  assertFromElsewhere(ctx, zone);
  const { edition } = ctx.settings;
  const link = zoneName(body.link, edition);
  const beside = Object.entries(body).find(
    ([field, value]) => !ignored.has(field) && !placing.has(field) && asksFor(value),
  );
  if (beside) {
    const [field] = beside;
    throw invalid(`${field}: a linked zone has no settings of its own`, { field, link });
  }
  await assertTarget(ctx, zone, link);
  return link;
}

/** Locks the target: it is not deleted while this transaction goes on, nor afterwards as long as there is a link. */
export async function assertTarget({ db, account_id, caller }: Ctx, zone: string, link: string): Promise<void> {
  if (link === zone) throw invalid("link: a zone cannot be linked to itself", { field: "link", link });
  if (!reachesZone(caller.access, "dns.manage_zones", link)) {
    throw closedZone("dns.manage_zones", link);
  }
  const target = await lockTarget(db, account_id, link);
  if (!target) throw invalid(`link: there is no zone ${link} to link to`, { field: "link", link });
  // so that no ring of links can come about
  if (target.hidden) throw invalid(`link: ${link} is a catalog`, { field: "link", link });
  if (target.link !== null) {
    throw invalid(`link: ${link} is linked to ${target.link} itself`, { field: "link", link, target: target.link });
  }
}

/** With what their SOA records are answered with: of a linked zone that of its target. */
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

/** Settings, and records, are those of the target. */
export function assertNotLinked({ zone, link }: Pick<ZoneRow, "zone" | "link">): void {
  if (link === null) return;
  throw invalid(`the zone ${zone} is linked to ${link}: it cannot be changed or given records`, { zone, link });
}

/** To be called when the zone is deleted, with whatever else the same request deletes. */
export async function assertNoLinks(ctx: Ctx, zone: string): Promise<void> {
  const { db, account_id, caller } = ctx;
  const shown = 10;
  const links = await findLinks(db, account_id, zone, shown);
  if (links.length > 0) {
    const message = `the zone ${links[0]} is linked to ${zone}: delete what is linked to it first`;
    throw conflict(message, { zone, links });
  }
  const [record] = await findLinksInto(db, account_id, zone, 1);
  if (!record) return;
  const { domain, type, link } = record;
  const isOpen = reachesRecord(caller.access, "dns.manage_zones", record.zone, domain, type);
  const what = isOpen ? `the record ${domain} ${type}` : "a record that you do not have access to";
  throw conflict(`${what} is linked to ${link} ${type}: delete what is linked to it first`, { zone, link, type });
}

/** Throws unless there is a zone of the account for each target of the zone's linked records. */
export async function assertTargetZones({ db, account_id }: Ctx, { id, zone }: ZoneRow): Promise<void> {
  const targets = await findLinksOf(db, account_id, id);
  if (targets.length === 0) return;
  const zones = new Set((await findZones(db, account_id, targets.flatMap(upwardsFrom))).map((row) => row.zone));
  const lost = targets.find((link) => !upwardsFrom(link).some((name) => name === zone || zones.has(name)));
  if (lost === undefined) return;
  throw invalid(`link: there is no zone with ${lost}, to which a record is linked`, { field: "link", link: lost });
}
