/** The carrier of live values inside a site: a follower reads them from PostgreSQL itself, over one connection. */
import {
  type LiveBaseline,
  type LiveBatch,
  type LiveFollower,
  type LiveValue,
  live,
  liveChannel,
  parseValues,
} from "../live.ts";
import { pull } from "../pull.ts";
import type { Sequenced, StreamSource } from "../stream-source.ts";
import type { FollowOptions, Subscription } from "../subscription.ts";
import { StreamConnection } from "./connection.ts";
import { reasonOf } from "./failure.ts";
import { namedData, namedFallback } from "./named.ts";

/** Follows the live values until closed, through restarts of the store. Resolves when the first baseline has been taken. */
export function followLivePostgres(
  url: string,
  follower: LiveFollower,
  { log, id, signal, from }: FollowOptions,
): Promise<Subscription> {
  const open = async (onNews: () => void) =>
    valuesOver(await StreamConnection.open(url, { id: `${id} live`, channel: liveChannel, onNews }));
  return pull({ open, follower, subject: live, reasonOf, log, from }, signal);
}

const mostBatches = 200;
/** Feeds of a baseline that are held at once: each may have as much as a push can carry. */
const mostFeeds = 200;
/** Octets of JSON after which a page ends; its last batch may exceed them. */
const mostOctets = 1 << 20;

const readText = `
  select revision, previous, mark, previous_mark, body
  from (
    select *, sum(octet_length(body)) over (order by revision) - octet_length(body) as before
    from (select * from live_change where revision > $1 order by revision limit ${mostBatches}) as next
  ) as measured
  where before < ${mostOctets}
  order by revision`;

const feedsText = `
  select account_id, id as feed_id, ${namedData} as data, pushed_at as at, max_age, ${namedFallback} as fallback
  from feed where named <> '{}'`;

const valuesOver = (stream: StreamConnection): StreamSource<LiveBaseline, LiveBatch> => ({
  ...stream.source(live),
  async read(after) {
    const rows = await stream.prepared<BatchRow>("read live", readText, after);
    const messages = rows.map(({ body, ...revisions }): LiveBatch => ({ ...revisions, values: parseValues(body) }));
    const octets = rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    return { messages, more: rows.length === mostBatches || octets >= mostOctets };
  },
  baseline: (take) =>
    stream.snapshot(live, (head) => take({ ...head, values: () => stream.fetch<LiveValue>(feedsText, mostFeeds) })),
});

interface BatchRow extends Sequenced {
  readonly body: string;
}
