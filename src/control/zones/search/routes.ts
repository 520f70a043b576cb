/** The routes of the legacy search over zones, records and answers. */
import { type Static, Type } from "typebox";
import { flag } from "../../../http/route/query.ts";
import { type Page, Reply } from "../../../http/route/route.ts";
import { missing } from "../../../lib/problem.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { reachesZone } from "../../access/access.ts";
import type { Ctx } from "../../write/context.ts";
import { route } from "../../write/route.ts";
import { zoneName } from "../model/zone/fields.ts";
import { findZone, findZoneById } from "../model/zone/store.ts";
import { right, runSearch } from "./search.ts";
import type { Scope } from "./store.ts";

const tag = "Search";
const longestTerm = 1024;
export const mostFound = 5000;

const max = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: `Maximum number of results; 100 when left out. Above ${mostFound}, it means ${mostFound}.`,
  }),
);
const kind = Type.Optional(
  Type.Unsafe<"zone" | "record" | "all" | "answers">({ type: "string", enum: ["zone", "record", "all", "answers"] }),
);
const query = Type.Object({
  q: Type.String({ maxLength: longestTerm, description: "Part of a name, case-insensitive; `*` is a wildcard." }),
  max,
  type: kind,
  expand: flag("`true` returns full objects."),
});
const zoneQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: longestTerm })),
  max,
  type: kind,
  geo: Type.Optional(Type.Integer({ description: "1 returns only records that are steered by location." })),
  expand: flag("`true` returns full objects."),
});
/** `{zone}` for a zone, `{domain, type, zone}` for a record. */
const hits = Type.Array(Type.Unsafe<object>({ type: "object", additionalProperties: true }));

export const searchRoutes = [
  route({
    method: "GET",
    path: "/v1/search",
    tag,
    summary: "Search zones and records",
    desc: "Zones are returned as `{zone}`, records as `{domain, type, zone}`. `type=answers` searches the answers of records. One call reads a bounded number of them; a Link header then leads to the call that continues there.",
    right,
    secret: true,
    query,
    reply: hits,
    page: mostFound,
    run: ({ query, page }, ctx) => search(ctx, { account_id: ctx.account_id }, query, page),
  }),
  route({
    method: "GET",
    path: "/v1/search/zone/:zone_id",
    tag,
    summary: "Search one zone",
    desc: "The path names the zone by id or by name.",
    right,
    secret: true,
    query: zoneQuery,
    reply: hits,
    page: mostFound,
    async run({ params, query, page }, ctx) {
      const zone = await getZone(ctx, params.zone_id);
      return await search(ctx, { account_id: ctx.account_id, zone_id: zone.id }, query, page);
    },
  }),
];

/** Throws "not found" also for a zone closed to the caller, so that its id does not reveal its name. */
async function getZone({ db, account_id, caller, settings }: Ctx, idOrName: string): Promise<ZoneRow> {
  const isId = /^[0-9a-f]{24}$/i.test(idOrName);
  const row = isId
    ? await findZoneById(db, account_id, idOrName.toLowerCase())
    : await findZone(db, account_id, zoneName(idOrName, settings.edition));
  if (!row || !reachesZone(caller.access, right, row.zone)) throw missing("zone not found", { zone: idOrName });
  return row;
}

async function search(ctx: Ctx, scope: Scope, query: Static<typeof zoneQuery>, page: Page): Promise<Reply<object[]>> {
  const max = Math.min(query.max ?? 100, mostFound);
  const { q: term = "", type = "all", geo, expand = false } = query;
  if (max === 0) return new Reply([], {});
  const { found, next } = await runSearch(ctx, { scope, term, max, type, byPlace: geo === 1, expand }, page.after);
  return new Reply([...found], { next });
}
