/** The route that reads the activity log, as a listing or as a report. */
import { type Static, Type } from "typebox";
import { apiName } from "../../dns/wire/name.ts";
import { Download, routeFor } from "../../http/route/route.ts";
import { invalid } from "../../lib/problem.ts";
import type { Right } from "../access/rights.ts";
import type { ReportServices } from "../kit/reports.ts";
import type { ActivityFilter, ActivityRow } from "../write/activity/store.ts";
import type { Ctx } from "../write/context.ts";
import { Entry, entryReply } from "./listing/entries.ts";
import { mostRead, visibleEntries } from "./listing/listing.ts";
import { readTime } from "./listing/time.ts";
import { type FormatName, formats, producedTypes } from "./reports/index.ts";
import { reportOf } from "./reports/report.ts";

const time = `Unix seconds; ISO 8601, in UTC unless it has an offset; or relative, such as "-7d", "now-1d", "24h", "yesterday".`;

export const mostEntries = 5000;

const ActivityQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: mostEntries,
      description: "The maximum number of entries. Default: 50, or in a report the maximum of its format.",
    }),
  ),
  start: Type.Optional(Type.String({ description: `Earliest time: ${time} A day begins at 0:00 UTC.` })),
  end: Type.Optional(Type.String({ description: `Latest time: ${time} A day ends at 23:59:59 UTC.` })),
  resource_type: Type.Optional(Type.String()),
  resource_id: Type.Optional(Type.String()),
  user: Type.Optional(Type.String({ description: "Name or id of the user or key." })),
  zone: Type.Optional(
    Type.String({
      description: "Only entries about this zone, its records and versions, and change sets that name it.",
    }),
  ),
  export: Type.Optional(
    Type.Unsafe<FormatName>({
      type: "string",
      enum: Object.keys(formats),
      description: "A report in this format instead of the listing; `xslx` is `xlsx`.",
    }),
  ),
});
type ActivityQuery = Static<typeof ActivityQuery>;

/** The common context and the reports of this process. */
export type ActivityCtx = Ctx & ReportServices;

const route = routeFor<Right, ActivityCtx>();

export const activityRoutes = [
  route({
    method: "GET",
    path: "/v1/account/activity",
    tag: "Account",
    summary: "List the activity log",
    desc: `Newest first. A key that may see only some zones gets the entries of these zones; if its permissions do not name the zones, the entries are taken from the newest ${mostRead.toLocaleString("en")} that match, and an earlier \`end\` shows older entries. With \`export\`, the reply is a file with the same entries; an account can create one file at a time.`,
    right: "account.view_activity_log",
    query: ActivityQuery,
    produces: producedTypes,
    reply: Type.Array(Entry),
    async run({ query }, ctx) {
      const filter = await filterOf(query, ctx.now);
      if (query.export !== undefined) return await exported(ctx, filter, query.export, query.limit);
      return await listed(visibleEntries(ctx, filter, query.limit ?? 50));
    },
  }),
];

/** The approximate maximum number of characters in one reply, which is composed in memory. */
export const mostListed = 64 * 1024 * 1024;

async function listed(rows: AsyncIterable<ActivityRow>): Promise<Static<typeof Entry>[]> {
  const entries: Static<typeof Entry>[] = [];
  let size = 0;
  for await (const row of rows) {
    const entry = entryReply(row);
    size += JSON.stringify(entry).length;
    if (size > mostListed)
      throw invalid("limit: the entries are too large for one reply: request fewer", { field: "limit" });
    entries.push(entry);
  }
  return entries;
}

async function exported(ctx: ActivityCtx, filter: ActivityFilter, name: FormatName, limit: number | undefined) {
  const format = formats[name];
  const most = Math.min(limit ?? format.most, format.most);
  const isWhole = limit !== undefined && limit <= format.most;
  const report = reportOf(visibleEntries(ctx, filter, most), { made: ctx.now, filter, most, isWhole });
  const content = await ctx.reports.write(ctx.account_id, () => format.write(report));
  return new Download(content, `activity-${dayOf(ctx.now)}.${format.extension}`, format.mediaType);
}

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

async function filterOf(query: ActivityQuery, now: number): Promise<ActivityFilter> {
  const { start, end, resource_type, resource_id, user } = query;
  const zone = query.zone === undefined || query.zone === "" ? undefined : apiName(query.zone);
  const times = { start: await timeOf("start", start, now), end: await timeOf("end", end, now) };
  return { ...times, resource_type, resource_id, user, zone };
}

const timeOf = async (field: "start" | "end", text: string | undefined, now: number) =>
  text === undefined || text === "" ? undefined : readTime(text, field, now);
