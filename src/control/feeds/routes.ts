/** The routes of data sources, feeds and pushes. */
import { Type } from "typebox";
import { flag } from "../../http/route/query.ts";
import { Reply, routeFor } from "../../http/route/route.ts";
import { listFields } from "../../lib/fields.ts";
import type { Right } from "../access/rights.ts";
import { limits } from "../kit/limits.ts";
import { printCursor, scanCursor, scanWhole } from "../kit/listing.ts";
import { anyObject } from "../kit/schema.ts";
import type { Ctx } from "../write/context.ts";
import { changeFeed, createFeed, getFeed, removeFeed } from "./feed.ts";
import { type DestinationsOf, listDestinations } from "./model/destination-store.ts";
import { feedReplies, feedReply, sourceReply } from "./model/present.ts";
import { Feed, FeedBody, NewFeedBody, NewSourceBody, Source, SourceBody, SourceTypes } from "./model/schema.ts";
import { assertShowable, fittingSources } from "./model/size.ts";
import { type FeedRow, listFeeds, listSources, type SourceRow } from "./model/store.ts";
import type { Pushes } from "./pushes/pushes.ts";
import { changeSource, createSource, getSource, removeSource } from "./source.ts";
import { sourceTypes } from "./types/index.ts";
import type { SourceType } from "./types/sourcetype.ts";

export const tag = "Data sources and feeds";
const sources = "/v1/data/sources";
const feeds = "/v1/data/feeds/:sourceid";
const manageSources = "data.manage_datasources";
const manageFeeds = "data.manage_datafeeds";
export const read = [manageSources, manageFeeds] as const;
export const pushOctets = 1024 * 1024;
export const pushKeys = 50_000;

export interface FeedServices {
  /** Writes pushed values to the store. */
  readonly pushes: Pushes;
}

const route = routeFor<Right, Ctx & FeedServices>();

export const feedRoutes = [
  route({
    method: "GET",
    path: "/v1/data/sourcetypes",
    tag,
    summary: "List source types",
    right: "any",
    reply: SourceTypes,
    run: async () => Object.fromEntries([...sourceTypes].map(([name, type]) => [name, listingOf(type)])),
  }),
  route({
    method: "GET",
    path: sources,
    tag,
    summary: "List data sources with their feeds",
    desc: "In order of creation.",
    right: read,
    reply: Type.Array(Source),
    page: limits.sources,
    async run({ page }, ctx) {
      const { db, account_id } = ctx;
      const [created_at, id] = scanCursor(page.after);
      const found = await listSources(db, account_id, [scanWhole(created_at), id], page.limit + 1);
      const shown = await fittingSources(db, account_id, found.slice(0, page.limit));
      const last = shown.length < found.length ? shown.at(-1) : undefined;
      return new Reply(await withFeeds(ctx, shown), { next: last && printCursor(String(last.created_at), last.id) });
    },
  }),
  route({
    method: "GET",
    path: `${sources}/:sourceid`,
    tag,
    summary: "Get a data source with its feeds",
    right: read,
    reply: Source,
    run: async ({ params }, ctx) => await withOwnFeeds(ctx, await getSource(ctx, params.sourceid)),
  }),
  route({
    method: "PUT",
    path: sources,
    tag,
    summary: "Create a data source",
    right: manageSources,
    body: NewSourceBody,
    reply: Source,
    log: ["datasource", "create"],
    run: async ({ body }, ctx) => sourceReply(await createSource(ctx, body), []),
  }),
  route({
    method: "POST",
    path: `${sources}/:sourceid`,
    tag,
    summary: "Change a data source",
    desc: "Absent fields stay unchanged; `feeds` and `status` are ignored.",
    right: manageSources,
    body: SourceBody,
    reply: Source,
    log: ["datasource", "update"],
    async run({ params, body }, ctx) {
      const { before, row, changed } = await changeSource(ctx, params.sourceid, body);
      const reply = await withOwnFeeds(ctx, row);
      return new Reply(reply, changed ? { before: sourceReply(before, reply.feeds) } : { changed });
    },
  }),
  route({
    method: "DELETE",
    path: `${sources}/:sourceid`,
    tag,
    summary: "Delete a data source with all of its feeds",
    right: manageSources,
    reply: "status",
    log: ["datasource", "delete"],
    async run({ params }, ctx) {
      const { row, feeds: gone } = await removeSource(ctx, params.sourceid);
      return sourceReply(row, feedReplies(gone, []));
    },
  }),
  route({
    method: "GET",
    path: feeds,
    tag,
    summary: "List the feeds of a data source",
    right: read,
    reply: Type.Array(Feed),
    run: async ({ params }, ctx) => (await withOwnFeeds(ctx, await getSource(ctx, params.sourceid))).feeds,
  }),
  route({
    method: "GET",
    path: `${feeds}/:feedid`,
    tag,
    summary: "Get a feed",
    right: read,
    reply: Feed,
    run: async ({ params }, ctx) => await withDestinations(ctx, await getFeed(ctx, params.sourceid, params.feedid)),
  }),
  route({
    method: "PUT",
    path: feeds,
    tag,
    summary: "Create a feed",
    right: manageFeeds,
    body: NewFeedBody,
    reply: Feed,
    log: ["datafeed", "create"],
    run: async ({ params, body }, ctx) => feedReply(await createFeed(ctx, params.sourceid, body), []),
  }),
  route({
    method: "POST",
    path: `${feeds}/:feedid`,
    tag,
    summary: "Change a feed",
    desc: "Absent fields stay unchanged; `data` and `destinations` are ignored.",
    right: manageFeeds,
    body: FeedBody,
    reply: Feed,
    log: ["datafeed", "update"],
    async run({ params, body }, ctx) {
      const { before, row, changed } = await changeFeed(ctx, params.sourceid, params.feedid, body);
      const reply = await withDestinations(ctx, row);
      return new Reply(
        reply,
        changed ? { before: { ...feedReply(before, []), destinations: reply.destinations } } : { changed },
      );
    },
  }),
  route({
    method: "DELETE",
    path: `${feeds}/:feedid`,
    tag,
    summary: "Delete a feed",
    desc: "Metadata that takes values from the feed is unset from then on.",
    right: manageFeeds,
    reply: "status",
    log: ["datafeed", "delete"],
    run: async ({ params }, ctx) => feedReply(await removeFeed(ctx, params.sourceid, params.feedid), []),
  }),
  route({
    method: "POST",
    path: "/v1/feed/:id",
    tag,
    summary: "Push values to the feeds of a data source, or to one feed",
    desc: "The id is that of a source or a feed. The body is a table of metadata, an object of tables by feed label, or both together. A table replaces the feed's previous table. With `merge=true`, or with `merge` in the feed's configuration, keys that are not in it keep their values, and keys with null lose them. The values are stored before the reply is sent, and affect answers a few milliseconds later.",
    right: "data.push_to_datafeeds",
    query: Type.Object({ merge: flag("`true` merges, `false` replaces, whatever the feeds' configuration.") }),
    body: anyObject("Values by metadata key, or tables of values by feed label."),
    mostBody: pushOctets,
    mostKeys: pushKeys,
    reply: "status",
    ownTransaction: true,
    async run({ params, body, query }, { pushes, account_id }) {
      await pushes.push(account_id, params.id, body, query.merge);
      return undefined;
    },
  }),
];

const listingOf = ({ shortdesc, desc, config, feed_config, compatible_meta }: SourceType) => ({
  shortdesc,
  desc,
  config: listFields(config),
  feed_config: listFields(feed_config),
  compatible_meta: [...compatible_meta],
});

/** The most destinations of a reply. */
export const mostDestinations = 100_000;

async function destinationsOf({ db, account_id, warnings }: Ctx, of: DestinationsOf) {
  const found = await listDestinations(db, account_id, of, mostDestinations + 1);
  if (found.length <= mostDestinations) return found;
  warnings.add("destinations", `only ${mostDestinations} of them are shown`);
  return found.slice(0, mostDestinations);
}

async function withFeeds(ctx: Ctx, rows: readonly SourceRow[]) {
  const { db, account_id } = ctx;
  const source_ids = rows.map(({ id }) => id);
  const found = await listFeeds(db, account_id, source_ids);
  const replies = feedReplies(found, await destinationsOf(ctx, { source_ids }));
  const bySource = Map.groupBy(replies, (_, i) => found[i]!.source_id);
  return rows.map((row) => sourceReply(row, bySource.get(row.id) ?? []));
}

async function withOwnFeeds(ctx: Ctx, row: SourceRow) {
  await assertShowable(ctx.db, ctx.account_id, row.id);
  return (await withFeeds(ctx, [row]))[0]!;
}

const withDestinations = async (ctx: Ctx, row: FeedRow) =>
  feedReply(row, await destinationsOf(ctx, { feed_id: row.id }));
