/** The routes of statistics: queries per second and queries of a period, for the account, a zone or a record. */
import { type Static, Type } from "typebox";
import { flag } from "../../http/route/query.ts";
import { missing } from "../../lib/problem.ts";
import type { Ctx } from "../write/context.ts";
import { route } from "../write/route.ts";
import { findRecord } from "../zones/model/record/store.ts";
import { getZone } from "../zones/model/zone/find.ts";
import { type RecordPath, readPath, recordNotFound } from "../zones/records/path.ts";
import { counted, type Group, groupBy, periodQuery, spanOf, Usage } from "./present.ts";
import { countFeeds, type Scope } from "./store.ts";
import { visibleUsage, visibleZones } from "./visible.ts";

const tag = "Statistics";
const right = "dns.view_zones";
const rateDesc = "Queries per second over the last one to two minutes. Edges report every ten seconds.";
const usageDesc =
  "The queries in each step of the period, without those that the caller may not see. Queries for names and types without a record are counted for the zone only.";

const networks = Type.Optional(
  Type.String({ description: "`*`, or ids separated by commas; unknown networks have no queries." }),
);
const rateQuery = Type.Object({ networks });
const usageQuery = Type.Object({
  networks,
  period: periodQuery,
  expand: flag("`true` lists the account's zones, or the zone's records, separately."),
  aggregate: flag("`true` returns one element and ignores `expand` and `by_tier`."),
  by_tier: flag("`true` returns one element for each tier of records."),
});
type UsageQuery = Static<typeof usageQuery>;
const Rate = Type.Object({ qps: Type.Number() });
const Usages = Type.Array(Usage);

export const statsRoutes = [
  route({
    method: "GET",
    path: "/v1/stats/qps",
    tag,
    summary: "Get queries per second",
    desc: rateDesc,
    right,
    query: rateQuery,
    reply: Rate,
    run: ({ query }, ctx) => rate(ctx, { account_id: ctx.account_id }, query.networks),
  }),
  route({
    method: "GET",
    path: "/v1/stats/qps/:zone",
    tag,
    summary: "Get queries per second for a zone",
    desc: rateDesc,
    right,
    target: ({ zone }) => ({ zone }),
    query: rateQuery,
    reply: Rate,
    run: async ({ params, query }, ctx) => rate(ctx, await zoneScope(ctx, params.zone), query.networks),
  }),
  route({
    method: "GET",
    path: "/v1/stats/qps/:zone/:domain/:type",
    tag,
    summary: "Get queries per second for a record",
    desc: rateDesc,
    right,
    target: (params) => params,
    query: rateQuery,
    reply: Rate,
    run: async ({ params, query }, ctx) => rate(ctx, await recordScope(ctx, params), query.networks),
  }),
  route({
    method: "GET",
    path: "/v1/stats/usage",
    tag,
    summary: "Get the queries of a period",
    desc: usageDesc,
    right,
    query: usageQuery,
    reply: Usages,
    async run({ query }, ctx) {
      const scope = { account_id: ctx.account_id };
      const zones = await visibleZones(ctx);
      const isExpanded = query.expand && !query.aggregate;
      const total = isExpanded ? undefined : await accountTotal(ctx, zones);
      return await usage(
        ctx,
        scope,
        query,
        isExpanded ? ["zone"] : [],
        ({ zone }) => total ?? { records: zones.get(zone) ?? 0, zone },
      );
    },
  }),
  route({
    method: "GET",
    path: "/v1/stats/usage/:zone",
    tag,
    summary: "Get the queries of a period for a zone",
    desc: usageDesc,
    right,
    target: ({ zone }) => ({ zone }),
    query: usageQuery,
    reply: Usages,
    async run({ params, query }, ctx) {
      const scope = await zoneScope(ctx, params.zone);
      const { zone } = scope;
      if (query.expand && !query.aggregate) {
        return await usage(ctx, scope, query, ["domain", "type"], ({ domain, type }) => ({
          domain,
          zone,
          rectype: type,
        }));
      }
      const records = (await visibleZones(ctx, zone)).get(zone) ?? 0;
      return await usage(ctx, scope, query, [], () => ({ records, zone }));
    },
  }),
  route({
    method: "GET",
    path: "/v1/stats/usage/:zone/:domain/:type",
    tag,
    summary: "Get the queries of a period for a record",
    desc: usageDesc,
    right,
    target: (params) => params,
    query: usageQuery,
    reply: Usages,
    async run({ params, query }, ctx) {
      const scope = await recordScope(ctx, params);
      const { zone, domain, type } = scope;
      return await usage(ctx, scope, query, [], () => ({ domain, zone, rectype: type }));
    },
  }),
];

async function accountTotal({ db, account_id }: Ctx, zones: ReadonlyMap<string, number>) {
  const records = [...zones.values()].reduce((sum, count) => sum + count, 0);
  return { jobs: 0, zones: zones.size, records, feeds: await countFeeds(db, account_id) };
}

async function zoneScope(ctx: Ctx, path: string): Promise<Scope & { readonly zone: string }> {
  const { account_id, zone } = await getZone(ctx, path);
  return { account_id, zone };
}

async function recordScope(ctx: Ctx, path: RecordPath): Promise<Scope & RecordPath> {
  const checked = readPath(ctx, path);
  const { zone, domain, type } = checked;
  const found = await findRecord(ctx.db, ctx.account_id, zone, domain, type.name);
  if (!found) throw missing("zone not found", { zone });
  if (found.records.length === 0) throw recordNotFound(checked);
  return { account_id: ctx.account_id, zone, domain, type: type.name };
}

const minute = 60;

async function rate(ctx: Ctx, scope: Scope, networks: string | undefined): Promise<Static<typeof Rate>> {
  if (!hasQueries(ctx, networks)) return { qps: 0 };
  const since = ctx.now - (ctx.now % minute) - minute;
  const rows = await visibleUsage(ctx, scope, { span: minute, since, step: minute }, "account");
  const queries = rows.reduce((sum, row) => sum + row.queries, 0);
  return { qps: Math.round((queries / (ctx.now - since)) * 1000) / 1000 };
}

/**
 * Returns one element for each group of rows with equal `keys`, and with equal tier if `by_tier` is set. Without keys,
 * there is at least one, even if there are no rows.
 */
async function usage(
  ctx: Ctx,
  scope: Scope,
  query: UsageQuery,
  keys: readonly ("zone" | "domain" | "type")[],
  describe: (
    group: Pick<Group, "zone" | "domain" | "type">,
  ) => Omit<Static<typeof Usage>, "period" | "queries" | "graph">,
): Promise<Static<typeof Usages>> {
  const { period = "24h", by_tier, aggregate } = query;
  const span = spanOf(period, ctx.now);
  const isByTier = by_tier && !aggregate;
  const detail = isByTier || keys.includes("domain") ? "record" : keys.includes("zone") ? "zone" : "account";
  const rows = hasQueries(ctx, query.networks) ? await visibleUsage(ctx, scope, span, detail) : [];
  const shown = keys.includes("domain") ? rows.filter(({ domain }) => domain !== "") : rows;
  const groups = groupBy(shown, isByTier ? [...keys, "tier"] : keys);
  const nothing = { zone: scope.zone ?? "", domain: "", type: "", tier: 1, rows: [] };
  return (groups.length === 0 && keys.length === 0 ? [nothing] : groups).map((group) => ({
    ...describe(group),
    ...(isByTier ? { tier: group.tier } : {}),
    period,
    ...counted(group.rows, span),
  }));
}

/** Whether a list of networks includes any existing network; usage is not separated by network. */
const hasQueries = ({ settings }: Ctx, networks = "*") =>
  networks === "*" ||
  networks.split(",").some((id) => settings.networks.some((it) => String(it.network_id) === id.trim()));
