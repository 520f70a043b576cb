/** The routes of marks: the changes of an account, a zone or a record in a time, for the time axis of statistics. */
import { Type } from "typebox";
import { Reply } from "../../http/route/route.ts";
import { invalidField } from "../../lib/problem.ts";
import { readTime } from "../activity/listing/time.ts";
import { scanCursor, scanWhole } from "../kit/listing.ts";
import type { Ctx } from "../write/context.ts";
import { route } from "../write/route.ts";
import { getZone } from "../zones/model/zone/find.ts";
import { readPath } from "../zones/records/path.ts";
import { Mark, markPage, markReply, mostRead, type Wanted } from "./marks.ts";
import { listAccountMarks, listZoneMarks, type MarkPlace, type Range } from "./marks-store.ts";

const tag = "Statistics";
const right = "dns.view_zones";
const day = 86_400;
const times = "Unix seconds, or a time as `start` and `end` of the activity log have it.";
const query = Type.Object({
  start: Type.Optional(Type.String({ description: `Earliest time; a day before \`end\` by default. ${times}` })),
  end: Type.Optional(Type.String({ description: "Latest time; now by default." })),
});
const common = {
  method: "GET",
  tag,
  right,
  query,
  reply: Type.Array(Mark),
  page: 1000,
} as const;
const desc = `Newest first, from the history of zones, as far as the caller may see the zones and records. One request reads at most ${mostRead.toLocaleString("en")} changes.`;

export const markRoutes = [
  route({
    ...common,
    path: "/v1/stats/marks",
    summary: "List the changes in a time",
    desc: `Changes of all zones, also of deleted ones. ${desc}`,
    async run({ query, page }, ctx) {
      const range = await rangeOf(query, ctx.now);
      const start = scanPlace(page.after);
      const { items, last } = await markPage(ctx, undefined, page.limit, (after, count) =>
        listAccountMarks(ctx.db, ctx.account_id, range, after ?? start, count),
      );
      return new Reply(items.map(markReply), { next: last && printPlace(last) });
    },
  }),
  route({
    ...common,
    path: "/v1/stats/marks/:zone",
    summary: "List the changes of a zone in a time",
    desc,
    target: ({ zone }) => ({ zone }),
    run: ({ params, query, page }, ctx) => zoneMarks(ctx, params.zone, undefined, query, page),
  }),
  route({
    ...common,
    path: "/v1/stats/marks/:zone/:domain/:type",
    summary: "List the changes of a record in a time",
    desc: `${desc} Also of a record that is gone. A change that is too large to be read is listed with \`records\` null: it may have changed the record.`,
    target: (params) => params,
    run({ params, query, page }, ctx) {
      const { zone, domain, type } = readPath(ctx, params);
      return zoneMarks(ctx, zone, { domain, type: type.name }, query, page);
    },
  }),
];

interface Times {
  readonly start?: string;
  readonly end?: string;
}

async function zoneMarks(
  ctx: Ctx,
  name: string,
  wanted: Wanted,
  times: Times,
  { limit, after: cursor }: { readonly limit: number; readonly after: string | undefined },
) {
  const range = await rangeOf(times, ctx.now);
  const zone = await getZone(ctx, name);
  const { items, last } = await markPage(ctx, wanted, limit, (after, count) =>
    listZoneMarks(ctx.db, zone, range, after?.change_id ?? cursor, count),
  );
  return new Reply(items.map(markReply), { next: last?.change_id });
}

async function rangeOf({ start, end }: Times, now: number): Promise<Range> {
  const until = end === undefined ? now : await readTime(end, "end", now);
  const since = start === undefined ? Math.max(0, until - day) : await readTime(start, "start", now);
  if (since > until) throw invalidField("start", "is after the end");
  return { start: since, end: until };
}

/** The cursor of the account's listing. */
const printPlace = ({ at, zone_id, change_id }: MarkPlace) => `${at}/${zone_id}/${change_id}`;

/** Reads a cursor of an untrusted client. */
function scanPlace(text: string | undefined): MarkPlace | undefined {
  if (text === undefined) return undefined;
  const [first, change_id] = scanCursor(text);
  const [at, zone_id] = scanCursor(first);
  return { at: scanWhole(at), zone_id, change_id };
}
