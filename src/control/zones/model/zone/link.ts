/** Linked zones: the fields allowed together with `link`, and the right to read the target. */
import { invalid, invalidField } from "../../../../lib/problem.ts";
import { asksFor } from "../../../../lib/values.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import { reachesZone } from "../../../access/access.ts";
import { closedZone } from "../../../access/caller.ts";
import type { Ctx } from "../../../write/context.ts";
import { findZones } from "../record/link-store.ts";
import { zoneName } from "./fields.ts";
import { assertAllRecords } from "./reach.ts";
import type { ZoneBody } from "./schema.ts";

/** Fields that only replies have, or that name the zone. */
const ignored: ReadonlySet<string> = new Set(["zone", "link"]);
/** Fields that matter only in edition ddi, where only their defaults are built. */
const ddiOnly: ReadonlySet<string> = new Set(["name", "views"]);

/** Reads the name of the zone that a new zone is linked to; null for an ordinary zone. */
export function readLink(ctx: Ctx, zone: string, body: ZoneBody): string | null {
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
  assertTarget(ctx, zone, link);
  return link;
}

/** Throws unless the caller may read the target, whether it exists or not. */
export function assertTarget({ caller }: Ctx, zone: string, link: string): void {
  if (link === zone) throw invalidField("link", "a zone cannot be linked to itself", { link });
  if (!reachesZone(caller.access, "dns.view_zones", link)) throw closedZone("dns.view_zones", link);
}

/** The zones among these that linked zones are answered from. */
export const answering = (zones: readonly ZoneRow[]): ZoneRow[] =>
  zones.filter(({ link, hidden }) => link === null && !hidden);

/** The zone that has the records of a zone: the zone itself, or its link target; undefined for a link without a target. */
export async function sourceOf(
  { db, account_id }: Pick<Ctx, "db" | "account_id">,
  row: ZoneRow,
): Promise<ZoneRow | undefined> {
  return row.link === null ? row : answering(await findZones(db, account_id, [row.link]))[0];
}

/** The zones with the SOA fields that are served: a linked zone has those of its target. */
export async function answeredZones({ db, account_id }: Ctx, rows: readonly ZoneRow[]): Promise<ZoneRow[]> {
  const links = rows.flatMap(({ link }) => link ?? []);
  if (links.length === 0) return [...rows];
  const targets = new Map(answering(await findZones(db, account_id, links)).map((row) => [row.zone, row]));
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
