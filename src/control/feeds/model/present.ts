/** Data sources and feeds as replies show them. */
import type { DestinationRow } from "./destination-store.ts";
import type { Feed, Source } from "./schema.ts";
import type { FeedRow, SourceRow } from "./store.ts";

export const feedReply = (row: FeedRow, destinations: readonly DestinationRow[]): Feed => ({
  name: row.name,
  data: row.data,
  id: row.id,
  config: row.config,
  networks: [],
  destinations: destinations.map(({ destid, desttype, record_id }) => ({ destid, desttype, record: record_id })),
  pushed_at: row.pushed_at === null ? null : Math.floor(row.pushed_at / 1000),
  max_age: row.max_age,
  fallback: row.fallback,
});

/** `destinations` may include those of other feeds. */
export function feedReplies(rows: readonly FeedRow[], destinations: readonly DestinationRow[]): Feed[] {
  const byFeed = Map.groupBy(destinations, ({ feed_id }) => feed_id);
  return rows.map((row) => feedReply(row, byFeed.get(row.id) ?? []));
}

export const sourceReply = (row: SourceRow, feeds: readonly Feed[]): Source => ({
  status: row.status,
  name: row.name,
  feeds: [...feeds],
  config: row.config,
  id: row.id,
  sourcetype: row.sourcetype,
});
