/** Feeds and pushes as the control plane makes them, for tests of the live values' stream; and a follower that checks it. */
import { metaKeys } from "../../src/answer/model/meta.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Store } from "../../src/storage/db.ts";
import { announceLive, type FeedKey, publishLive } from "../../src/storage/outbox/live.ts";
import type { LiveBaseline, LiveBatch, LiveFollower, LiveValue } from "../../src/sync/live.ts";

/** The keys under which these tests push, as if records named them. */
const named = ["n", "m", "a", "b", "c", ...Object.keys(metaKeys)];

type Table = Readonly<Record<string, unknown>>;

export interface NewFeed {
  readonly max_age?: number | null;
  readonly fallback?: Table | null;
}

/** Ids of feeds of one new source, in order; nothing was pushed to them yet. */
export async function insertFeeds(store: Store, account_id: string, feeds: readonly NewFeed[]): Promise<string[]> {
  const source_id = newId();
  const rows = feeds.map(({ max_age = null, fallback = null }) => ({ id: newId(), max_age, fallback }));
  await store.transaction(async (tx) => {
    await tx
      .insertInto("source")
      .values({
        ...{ account_id, id: source_id, name: "test", sourcetype: "nsone_v1", config: "{}", status: "ok" },
        ...{ version: 1, created_at: 0 },
      })
      .execute();
    for (let at = 0; at < rows.length; at += 1000) {
      await tx
        .insertInto("feed")
        .values(
          rows.slice(at, at + 1000).map(({ id, max_age, fallback }) => ({
            ...{ account_id, id, source_id, name: id, label: id, config: "{}", data: "{}", pushed_at: null, max_age },
            ...{ fallback: fallback && JSON.stringify(fallback), created_at: 0, named },
          })),
        )
        .execute();
    }
    publishLive(
      tx,
      rows.map(({ id }) => ({ account_id, feed_id: id })),
    );
  });
  await announceLive(store.db);
  return rows.map(({ id }) => id);
}

export interface Push {
  readonly feed_id: string;
  /** The new table, which may depend on the one before. */
  readonly data: Table | ((before: Table) => Table);
}

/** Writes the pushes as one batch; `interrupt` is called before COMMIT and may throw. */
export async function push(store: Store, pushes: readonly Push[], interrupt?: () => Promise<void>): Promise<void> {
  await store.transaction(async (tx) => {
    const at = Date.now();
    const published: FeedKey[] = [];
    for (const { feed_id, data } of pushes.toSorted((a, b) => (a.feed_id < b.feed_id ? -1 : 1))) {
      const locked = tx.selectFrom("feed").selectAll().where("id", "=", feed_id).forUpdate();
      const { account_id, data: before } = await locked.executeTakeFirstOrThrow();
      const value = typeof data === "function" ? data(before) : data;
      const row = { data: JSON.stringify(value), pushed_at: at };
      await tx.updateTable("feed").set(row).where("id", "=", feed_id).execute();
      published.push({ account_id, feed_id });
    }
    publishLive(tx, published);
    await interrupt?.();
  });
  await announceLive(store.db);
}

export async function removeFeed(store: Store, account_id: string, feed_id: string): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.deleteFrom("feed").where("account_id", "=", account_id).where("id", "=", feed_id).execute();
    publishLive(tx, [{ account_id, feed_id }]);
  });
  await announceLive(store.db);
}

/** The store's state of feeds, as the stream sends it. */
export async function storedFeeds(store: Store): Promise<Map<string, LiveValue>> {
  const rows = await store.db
    .selectFrom("feed")
    .select(["account_id", "id as feed_id", "data", "pushed_at as at", "max_age", "fallback"])
    .execute();
  return new Map(rows.map((row) => [row.feed_id, row]));
}

/** Saves the messages of the stream. */
export class LiveMirror implements LiveFollower {
  values = new Map<string, LiveValue>();
  /** Every batch since the last baseline. */
  batches: LiveBatch[] = [];
  baselines: number[] = [];
  /** Called with each batch before it is kept. */
  onApply: (batch: LiveBatch) => void = () => {};

  get revision(): number {
    return this.batches.at(-1)?.revision ?? this.baselines.at(-1) ?? 0;
  }

  async start(baseline: LiveBaseline): Promise<void> {
    this.values = new Map();
    this.batches = [];
    for await (const values of baseline.values()) for (const value of values) this.#keep(value);
    this.baselines.push(baseline.revision);
  }

  apply(batches: readonly LiveBatch[]): void {
    for (const batch of batches) {
      this.onApply(batch);
      for (const value of batch.values) this.#keep(value);
      this.batches.push(batch);
    }
  }

  /** Resolves when a revision has been applied. */
  async reaches(revision: number, within = 10_000): Promise<void> {
    const deadline = performance.now() + within;
    while (this.revision < revision) {
      if (performance.now() > deadline) throw new Error(`the follower is at ${this.revision}, not at ${revision}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  #keep(value: LiveValue) {
    if (value.data === null) this.values.delete(value.feed_id);
    else this.values.set(value.feed_id, value);
  }
}
