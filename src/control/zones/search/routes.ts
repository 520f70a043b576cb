/** The routes of the legacy search over zones, records and answers. */
import { type Static, Type } from "typebox";
import { shortAnswer } from "../../../dns/rdata/codec.ts";
import { flag } from "../../../http/route/query.ts";
import { missing } from "../../../lib/problem.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { reachesRecord, reachesZone } from "../../access/access.ts";
import type { Ctx } from "../../write/context.ts";
import { route } from "../../write/route.ts";
import { recordReply } from "../model/record/present.ts";
import { zoneName } from "../model/zone/fields.ts";
import { zoneOnly } from "../model/zone/present.ts";
import { findZone, findZoneById } from "../model/zone/store.ts";
import { likeInJson, likePattern, matches, parseTerm } from "./match.ts";
import { type FoundRecord, type RecordKey, type Scope, searchRecords, searchZones } from "./store.ts";

const tag = "Search";
const right = "dns.view_zones";
const longestTerm = 1024;
export const mostFound = 5000;

const max = Type.Optional(
  Type.Integer({ minimum: 0, maximum: mostFound, description: "Maximum number of results; 100 when left out." }),
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
    desc: "Zones are returned as `{zone}`, records as `{domain, type, zone}`. `type=answers` searches the answers of records.",
    right,
    secret: true,
    query,
    reply: hits,
    run: ({ query }, ctx) => search(ctx, { account_id: ctx.account_id }, query),
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
    async run({ params, query }, ctx) {
      const zone = await getZone(ctx, params.zone_id);
      return await search(ctx, { account_id: ctx.account_id, zone_id: zone.id }, query);
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

async function search(ctx: Ctx, scope: Scope, query: Static<typeof zoneQuery>): Promise<object[]> {
  const { type = "all", max = 100, expand = false } = query;
  const found: object[] = [];
  if (type === "zone" || type === "all") {
    for await (const row of zonesFound(ctx, scope, query.q ?? "")) {
      if (found.length >= max) return found;
      found.push(expand ? zoneOnly(ctx, row) : { zone: row.zone });
    }
  }
  if (type === "zone") return found;
  for await (const row of recordsFound(ctx, scope, query.q ?? "", type === "answers")) {
    if (found.length >= max) break;
    if (query.geo === 1 && !isSteeredByPlace(row)) continue;
    const { domain, type, zone } = row;
    found.push(expand ? recordReply(row, row) : { domain, type, zone });
  }
  return found;
}

const page = 500;

async function* zonesFound({ db, caller }: Ctx, scope: Scope, q: string): AsyncGenerator<ZoneRow> {
  const pattern = likePattern(parseTerm(q));
  for (let after = ""; ; ) {
    const rows = await searchZones(db, scope, pattern, after, page);
    yield* rows.filter(({ zone }) => reachesZone(caller.access, right, zone));
    if (rows.length < page) return;
    after = rows.at(-1)!.zone;
  }
}

async function* recordsFound(ctx: Ctx, scope: Scope, q: string, inAnswers: boolean): AsyncGenerator<FoundRecord> {
  const { db, caller } = ctx;
  const term = parseTerm(q);
  const pattern = inAnswers
    ? ({ in: "answers", like: likeInJson(term) } as const)
    : ({ in: "domain", like: likePattern(term) } as const);
  const isFound = ({ answers }: FoundRecord) =>
    !inAnswers || answers.some(({ answer }) => matches(term, shortAnswer(answer)));
  for (let after: RecordKey = { zone_id: "", domain: "", type: "" }; ; ) {
    const rows = await searchRecords(db, scope, pattern, after, page);
    yield* rows.filter((row) => isFound(row) && reachesRecord(caller.access, right, row.zone, row.domain, row.type));
    if (rows.length < page) return;
    after = rows.at(-1)!;
  }
}

const isSteeredByPlace = ({ filters }: FoundRecord) =>
  filters.some((step) => /^geo(target|fence)_/.test(String(Object(step).filter)));
