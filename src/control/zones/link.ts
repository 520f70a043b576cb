/** Linked zones: what a body may say beside `link`, and that the target is there and stays. */
import { conflict, denied, invalid } from "../../lib/problem.ts";
import { opensZone } from "../access/permit.ts";
import type { Ctx } from "../context.ts";
import { zoneName } from "./fields.ts";
import type { ZoneBody } from "./schema.ts";
import { findLinks, lockTarget, type ZoneRow } from "./store.ts";

/** What only replies have, or what names the zone. */
const ignored: ReadonlySet<string> = new Set(["zone", "link", "warnings"]);
/** What decides where a zone is, in edition ddi; nothing but the usual place is built. */
const placing: ReadonlySet<string> = new Set(["name", "views"]);

/** Name of the zone that a new one is linked to; null for a zone of its own. */
export async function readLink(ctx: Ctx, zone: string, body: ZoneBody): Promise<string | null> {
  if (!body.link) return null;
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
  if (!opensZone(caller.grant, link)) throw denied(`You do not have access to the zone ${link}`, { zone: link });
  const target = await lockTarget(db, account_id, link);
  if (!target) throw invalid(`link: there is no zone ${link} to link to`, { field: "link", link });
  // so that no ring of links can come about
  if (target.hidden) throw invalid(`link: ${link} is a catalog`, { field: "link", link });
  if (target.link !== null) {
    throw invalid(`link: ${link} is linked to ${target.link} itself`, { field: "link", link, target: target.link });
  }
}

/** Settings, and records, are those of the target. */
export function assertNotLinked({ zone, link }: Pick<ZoneRow, "zone" | "link">): void {
  if (link === null) return;
  throw invalid(`the zone ${zone} is linked to ${link}: it cannot be changed or given records`, { zone, link });
}

export async function assertNoLinks({ db, account_id }: Ctx, { zone }: ZoneRow): Promise<void> {
  const shown = 10;
  const links = await findLinks(db, account_id, zone, shown);
  if (links.length === 0) return;
  const message = `the zone ${links[0]} is linked to ${zone}: delete what is linked to it first`;
  throw conflict(message, { zone, links });
}

function asksFor(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
