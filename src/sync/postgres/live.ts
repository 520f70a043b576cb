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
import type { Page, Source } from "../source.ts";
import type { FollowOptions, Subscription } from "../subscription.ts";
import { StreamConnection } from "./connection.ts";
import { reasonOf } from "./failure.ts";

/** Follows the live values until closed, through restarts of the store. Resolves when the first baseline has been taken. */
export function followLivePostgres(
  url: string,
  follower: LiveFollower,
  { log, id, signal, from }: FollowOptions,
): Promise<Subscription> {
  const open = (notice: () => void) => LiveSource.open(url, id, notice);
  return pull({ open, follower, subject: live, reasonOf, log, from }, signal);
}

const mostBatches = 200;
/** Feeds of a baseline that are held at once: each may have as much as a push can carry. */
const mostFeeds = 200;
/** Octets of JSON after which a page ends; its last batch may exceed them. */
const mostOctets = 8 << 20;

const readText = `
  select revision, previous, body
  from (
    select *, sum(octet_length(body)) over (order by revision) - octet_length(body) as before
    from (select * from live_change where revision > $1 order by revision limit ${mostBatches}) as next
  ) as measured
  where before < ${mostOctets}
  order by revision`;

class LiveSource implements Source<LiveBaseline, LiveBatch> {
  readonly notifies: boolean;
  readonly #stream: StreamConnection;

  static async open(url: string, id: string, notice: () => void): Promise<LiveSource> {
    return new LiveSource(await StreamConnection.open(url, { id: `${id} live`, channel: liveChannel, notice }));
  }

  private constructor(stream: StreamConnection) {
    this.#stream = stream;
    this.notifies = stream.notifies;
  }

  store(): Promise<string | undefined> {
    return this.#stream.store();
  }

  head(): Promise<number> {
    return this.#stream.head(live);
  }

  async read(after: number): Promise<Page<LiveBatch>> {
    const rows = await this.#stream.prepared<BatchRow>("read live", readText, after);
    const messages = rows.map(({ body, ...place }): LiveBatch => ({ ...place, values: parseValues(body) }));
    const octets = rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    return { messages, more: rows.length === mostBatches || octets >= mostOctets };
  }

  baseline(take: (baseline: LiveBaseline) => Promise<void>): Promise<void> {
    return this.#stream.snapshot(live, (revision) => take({ revision, values: () => this.#values() }));
  }

  end(): void {
    this.#stream.end();
  }

  #values(): AsyncIterable<readonly LiveValue[]> {
    return this.#stream.fetch<LiveValue>(
      "select account_id, id as feed_id, data, pushed_at as at, max_age, fallback from feed",
      mostFeeds,
    );
  }
}

interface BatchRow {
  readonly revision: number;
  readonly previous: number;
  readonly body: string;
}
