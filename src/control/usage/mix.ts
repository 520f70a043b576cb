/** The routes of answered queries by type, RCODE and transport, and of queries for names that do not exist. */
import { Type } from "typebox";
import { reachesAll } from "../access/access.ts";
import type { Ctx } from "../write/context.ts";
import { route } from "../write/route.ts";
import { getZone } from "../zones/model/zone/find.ts";
import { counted, limitQuery, type Period, periodQuery, periodReply, spanOf } from "./present.ts";
import { type MixedRow, readMissing, readMix, type Scope } from "./store.ts";

const tag = "Statistics";
const right = "dns.view_zones";
const queries = Type.Integer();
const graph = Type.Array(Type.Array(Type.Integer()), {
  description: "The start of each step in Unix seconds, and its queries.",
});
const Mix = Type.Object({
  ...periodReply,
  queries: Type.Integer({ description: "Their sum." }),
  types: Type.Array(Type.Object({ type: Type.String({ description: "`other` for rare types." }), queries, graph })),
  rcodes: Type.Array(Type.Object({ rcode: Type.String(), queries, graph })),
  transports: Type.Array(
    Type.Object({ transport: Type.String({ description: "`udp`, `tcp`, `tls` or `https`." }), queries, graph }),
  ),
});
const estimates = "From busy edges, the counts are estimates.";

export const mixRoutes = [
  route({
    method: "GET",
    path: "/v1/stats/mix",
    tag,
    summary: "Get answered queries by type, RCODE and transport",
    desc: `${estimates} Zones of which the caller may not see all records are left out.`,
    right,
    query: Type.Object({ period: periodQuery }),
    reply: Mix,
    run: ({ query }, ctx) => mixOf(ctx, { account_id: ctx.account_id }, query.period),
  }),
  route({
    method: "GET",
    path: "/v1/stats/mix/:zone",
    tag,
    summary: "Get answered queries of a zone by type, RCODE and transport",
    desc: `${estimates} Nothing for a caller who may not see all records of the zone.`,
    right,
    target: ({ zone }) => ({ zone }),
    query: Type.Object({ period: periodQuery }),
    reply: Mix,
    async run({ params, query }, ctx) {
      const { account_id, zone } = await getZone(ctx, params.zone);
      return await mixOf(ctx, { account_id, zone }, query.period);
    },
  }),
  route({
    method: "GET",
    path: "/v1/stats/missing/:zone",
    tag,
    summary: "List the names of a zone that do not exist and have the most queries",
    desc: `${estimates} Names that are asked for only now and then are left out. Nothing for a caller who may not see all records of the zone.`,
    right,
    target: ({ zone }) => ({ zone }),
    query: Type.Object({
      period: Type.Optional(
        Type.Unsafe<"24h" | "30d">({ type: "string", enum: ["24h", "30d"], description: "24h by default." }),
      ),
      limit: limitQuery,
    }),
    reply: Type.Object({
      zone: Type.String(),
      ...periodReply,
      names: Type.Array(Type.Object({ domain: Type.String(), queries })),
    }),
    async run({ params, query: { period = "24h", limit = 10 } }, ctx) {
      const { account_id, zone } = await getZone(ctx, params.zone);
      const { since } = spanOf(period, ctx.now);
      const isWhole = reachesAll(ctx.caller.access, right, zone);
      const names = isWhole ? await readMissing(ctx.db, account_id, zone, since, limit) : [];
      return { zone, period, since, names };
    },
  }),
];

async function mixOf(ctx: Ctx, scope: Scope, period: Period = "24h") {
  const span = spanOf(period, ctx.now);
  const rows = (await readMix(ctx.db, scope, span)).filter(({ zone }) => reachesAll(ctx.caller.access, right, zone));
  const by = (key: "type" | "rcode" | "transport") =>
    [...Map.groupBy(rows, (row) => row[key])]
      .map(([name, own]) => ({ name, ...counted(own, span) }))
      .sort((a, b) => b.queries - a.queries);
  return {
    period,
    since: span.since,
    queries: rows.reduce((sum: number, row: MixedRow) => sum + row.queries, 0),
    types: by("type").map(({ name, ...rest }) => ({ type: name, ...rest })),
    rcodes: by("rcode").map(({ name, ...rest }) => ({ rcode: name, ...rest })),
    transports: by("transport").map(({ name, ...rest }) => ({ transport: name, ...rest })),
  };
}
