/** The activity log, for reading. */
import { type Static, Type } from "typebox";
import { notBuilt } from "../../lib/problem.ts";
import { route } from "../route.ts";
import { nullable } from "../schema.ts";
import { maxLooked, openEntries } from "./listing.ts";
import type { ActivityRow } from "./store.ts";
import { readTime } from "./time.ts";

const Entry = Type.Object(
  {
    id: Type.String(),
    resource_type: Type.String(),
    resource_id: Type.String(),
    user_id: Type.String(),
    user_name: Type.String(),
    user_type: Type.String(),
    action: Type.String(),
    timestamp: Type.Integer(),
    address: nullable(Type.String({ description: "Where the caller was; blank for what the service did by itself." })),
    resource: Type.Unsafe<unknown>({ description: "The resource after the act, secrets blanked." }),
    before: Type.Optional(
      Type.Unsafe<unknown>({
        description:
          "Of a change: the fields that it changed, as they were, secrets blanked; null for those that were not there.",
      }),
    ),
  },
  { $id: "ActivityEntry" },
);

const time = `Unix seconds; ISO 8601, in UTC unless it says otherwise; or relative, such as "-7d", "now-1d", "24h", "yesterday".`;

const ActivityQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000, description: "Entries at most; 50 when left out." })),
  start: Type.Optional(Type.String({ description: `Earliest time: ${time} A day begins at 0:00 UTC.` })),
  end: Type.Optional(Type.String({ description: `Latest time: ${time} A day ends at 23:59:59 UTC.` })),
  resource_type: Type.Optional(Type.String()),
  resource_id: Type.Optional(Type.String()),
  user: Type.Optional(Type.String({ description: "Name or id of the user or key." })),
  export: Type.Optional(Type.String()),
});

export const activityRoutes = [
  route({
    method: "GET",
    path: "/v1/account/activity",
    tag: "Account",
    summary: "List what was done",
    desc: `Newest first. A key that may see some zones only gets the entries of those, out of the newest ${maxLooked.toLocaleString("en")} that match; an earlier \`end\` shows older ones.`,
    right: "account.view_activity_log",
    query: ActivityQuery,
    reply: Type.Array(Entry),
    async run({ query }, ctx) {
      const { limit = 50, start, end, resource_type, resource_id, user } = query;
      if (query.export !== undefined) throw notBuilt("export: reports are not built yet", { field: "export" });
      const filter = { start: await timeOf("start", start, ctx.now), end: await timeOf("end", end, ctx.now) };
      return (await openEntries(ctx, { ...filter, resource_type, resource_id, user }, limit)).map(entryReply);
    },
  }),
];

function entryReply({ before, ...row }: ActivityRow): Static<typeof Entry> {
  return before === null ? row : { ...row, before };
}

const timeOf = async (field: "start" | "end", text: string | undefined, now: number) =>
  text === undefined || text === "" ? undefined : readTime(text, field, now);
