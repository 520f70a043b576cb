/** The routes that show the state of feeds, and the last pushes of sources. */
import { Type } from "typebox";
import { Reply, routeFor } from "../../../http/route/route.ts";
import { reachesRecord } from "../../access/access.ts";
import type { Right } from "../../access/rights.ts";
import { openPage } from "../../kit/listing.ts";
import type { Ctx } from "../../write/context.ts";
import { getFeed } from "../feed.ts";
import { mostKept } from "../pushes/recent-store.ts";
import { type FeedServices, read, tag } from "../routes.ts";
import { getSource } from "../source.ts";
import { FeedStatus, RecentPush, type SteeredRecord } from "./schema.ts";
import { listSteered, type SteeredCursor, type SteeredRow } from "./steered-store.ts";
import { pushReply, valuesAt } from "./values.ts";

const route = routeFor<Right, Ctx & FeedServices>();
const kept = `Of a source, and of each feed, the last ${mostKept} pushes are kept; some are left out if there are very many.`;

export const feedStatusRoutes = [
  route({
    method: "GET",
    path: "/v1/data/feeds/:sourceid/:feedid/status",
    tag,
    summary: "Get the state of a feed",
    desc: `Values with their age, the records that they steer, and the last pushes with their results. Shows the records that the caller may see. ${kept}`,
    right: read,
    reply: FeedStatus,
    page: 100,
    async run({ params: { sourceid, feedid }, page }, ctx) {
      const feed = await getFeed(ctx, sourceid, feedid);
      const { id, name, source_id } = feed;
      const pushes = await ctx.pushes.recent.of({ account_id: ctx.account_id, source_id, id });
      const { items, last } = await steered(ctx, id, page);
      const status: FeedStatus = {
        ...{ id, name, source: source_id },
        ...valuesAt(feed, pushes, ctx.now),
        steers: items,
        pushes: pushes.map(pushReply),
      };
      return new Reply(status, { next: last && printPlace(last) });
    },
  }),
  route({
    method: "GET",
    path: "/v1/data/sources/:sourceid/pushes",
    tag,
    summary: "List the last pushes to a data source",
    desc: `Newest first, also those that were refused. ${kept}`,
    right: read,
    reply: Type.Array(RecentPush),
    async run({ params }, ctx) {
      const { account_id, id } = await getSource(ctx, params.sourceid);
      return (await ctx.pushes.recent.of({ account_id, source_id: id, id })).map(pushReply);
    },
  }),
];

/** Records in one read: their answers may be large. */
const atOnce = 100;

/** The records that the caller may see. */
async function steered(
  { db, account_id, caller }: Ctx,
  feed_id: string,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Promise<{ items: SteeredRecord[]; last: SteeredRow | undefined }> {
  const isOpen = ({ zone, domain, type }: SteeredRow) =>
    zone !== null && reachesRecord(caller.access, "dns.view_zones", zone, domain, type);
  const start = scanPlace(after);
  const { items, last } = await openPage<SteeredRow>(limit, isOpen, async (previous, wanted) => {
    const count = Math.min(wanted, atOnce);
    const found = await listSteered(db, account_id, feed_id, previous ?? start, count);
    return { items: found, isLast: found.length < count };
  });
  return { items: items.map((row) => ({ ...row, zone: row.zone! })), last };
}

/** Names and types have no blanks. */
const printPlace = ({ domain, type, id }: SteeredCursor) => `${domain} ${type} ${id}`;

/** Reads a cursor of an untrusted client. */
function scanPlace(text = ""): SteeredCursor {
  const [domain = "", type = "", id = ""] = text.split(" ");
  return { domain, type, id };
}
