/** The routes of the zones and records with the most queries in a period. */
import { Type } from "typebox";
import { reachesAll } from "../access/access.ts";
import { nullable } from "../kit/schema.ts";
import type { Ctx } from "../write/context.ts";
import { route } from "../write/route.ts";
import { getZone } from "../zones/model/zone/find.ts";
import { groupBy, limitQuery, type Period, periodQuery, periodReply, spanOf } from "./present.ts";
import type { Scope } from "./store.ts";
import { visibleUsage } from "./visible.ts";

const tag = "Statistics";
const right = "dns.view_zones";
const query = Type.Object({ period: periodQuery, limit: limitQuery });
const common = {
  ...periodReply,
  queries: Type.Integer({ description: "All queries of the period that the caller may see." }),
};
const queries = Type.Integer();

export const topRoutes = [
  route({
    method: "GET",
    path: "/v1/stats/top",
    tag,
    summary: "List the zones with the most queries",
    desc: "Without the queries that the caller may not see. Zones without queries are left out.",
    right,
    query,
    reply: Type.Object({ ...common, zones: Type.Array(Type.Object({ zone: Type.String(), queries })) }),
    async run({ query: { period = "24h", limit = 10 } }, ctx) {
      const { groups, ...rest } = await counted(ctx, { account_id: ctx.account_id }, period, ["zone"]);
      return { ...rest, zones: most(groups, limit).map(({ zone, queries }) => ({ zone, queries })) };
    },
  }),
  route({
    method: "GET",
    path: "/v1/stats/top/:zone",
    tag,
    summary: "List the records of a zone with the most queries",
    desc: "Without the queries that the caller may not see. Counts of records may be estimates. Records without queries are left out.",
    right,
    target: ({ zone }) => ({ zone }),
    query,
    reply: Type.Object({
      zone: Type.String(),
      ...common,
      without_record: nullable(
        Type.Integer({
          description:
            "Queries for names and types without a record; null for a caller who may not see the whole zone.",
        }),
      ),
      records: Type.Array(Type.Object({ domain: Type.String(), rectype: Type.String(), queries })),
    }),
    async run({ params, query: { period = "24h", limit = 10 } }, ctx) {
      const { account_id, zone } = await getZone(ctx, params.zone);
      const { groups, ...rest } = await counted(ctx, { account_id, zone }, period, ["domain", "type"]);
      const rows = groups.filter(({ domain }) => domain !== "");
      const without = groups.find(({ domain }) => domain === "")?.queries ?? 0;
      const records = most(rows, limit).map(({ domain, type, queries }) => ({ domain, rectype: type, queries }));
      const without_record = reachesAll(ctx.caller.access, right, zone) ? Math.max(0, without) : null;
      return { zone, ...rest, without_record, records };
    },
  }),
];

interface Sum {
  readonly zone: string;
  readonly domain: string;
  readonly type: string;
  readonly queries: number;
}

/** Longer than any period, so that there is one row for the whole period. */
const wholePeriod = 2 ** 40;

async function counted(ctx: Ctx, scope: Scope, period: Period, keys: readonly ("zone" | "domain" | "type")[]) {
  const { span, since } = spanOf(period, ctx.now);
  const detail = keys.includes("domain") ? "record" : "zone";
  const rows = await visibleUsage(ctx, scope, { span, since, step: wholePeriod }, detail);
  const groups = groupBy(rows, keys).map((group): Sum => {
    const { zone, domain, type } = group;
    return { zone, domain, type, queries: group.rows.reduce((sum, row) => sum + row.queries, 0) };
  });
  const queries = Math.max(
    0,
    groups.reduce((sum, group) => sum + group.queries, 0),
  );
  return { period, since, queries, groups };
}

const most = (groups: readonly Sum[], limit: number) =>
  groups
    .filter(({ queries }) => queries > 0)
    .sort((a, b) => b.queries - a.queries)
    .slice(0, limit);
