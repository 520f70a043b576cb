/** SQL of data sources and feeds. */
import { type Selectable, sql } from "kysely";
import type { FeedTable, SourceTable } from "../../../storage/tables/feeds.ts";
import type { Db } from "../../kit/store.ts";

export type SourceRow = Selectable<SourceTable>;
export type FeedRow = Selectable<FeedTable>;

/** At most `count` sources of an account that follow a source in order of creation. */
export const listSources = (
  db: Db,
  account_id: string,
  [created_at, id]: readonly [created_at: number, id: string],
  count: number,
): Promise<SourceRow[]> =>
  db
    .selectFrom("source")
    .selectAll()
    .where("account_id", "=", account_id)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), ">", tuple(created_at, id)))
    .orderBy("created_at")
    .orderBy("id")
    .limit(count)
    .execute();

export async function countSources(db: Db, account_id: string): Promise<number> {
  const sources = db.selectFrom("source").where("account_id", "=", account_id);
  return (await sources.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

const sourceOf = (db: Db, account_id: string, id: string) =>
  db.selectFrom("source").selectAll().where("account_id", "=", account_id).where("id", "=", id);

export const findSource = (db: Db, account_id: string, id: string): Promise<SourceRow | undefined> =>
  sourceOf(db, account_id, id).executeTakeFirst();

/** Locks the source against other writers of the source and of its feeds. */
export const lockSource = (db: Db, account_id: string, id: string): Promise<SourceRow | undefined> =>
  sourceOf(db, account_id, id).forUpdate().executeTakeFirst();

export async function insertSource(db: Db, row: SourceRow): Promise<void> {
  await db
    .insertInto("source")
    .values({ ...row, config: JSON.stringify(row.config) })
    .execute();
}

export async function updateSource(db: Db, { account_id, id, name, config }: SourceRow): Promise<void> {
  await db
    .updateTable("source")
    .set({ name, config: JSON.stringify(config) })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

/** Invalidates what processes have cached about the source's feeds. */
export async function renewVersion(db: Db, { account_id, id }: SourceRow): Promise<void> {
  await db
    .updateTable("source")
    .set({ version: sql<number>`version + 1` })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

/** Deletes only the source and its last pushes: its feeds must be deleted already. */
export async function deleteSource(db: Db, { account_id, id }: SourceRow): Promise<void> {
  await db.deleteFrom("recent_push").where("account_id", "=", account_id).where("source_id", "=", id).execute();
  await db.deleteFrom("source").where("account_id", "=", account_id).where("id", "=", id).execute();
}

const feedsOf = (db: Db, account_id: string, source_ids: readonly string[]) =>
  db
    .selectFrom("feed")
    .where("account_id", "=", account_id)
    .where(sql<boolean>`source_id = any(${source_ids}::text[])`);

export const listFeeds = (db: Db, account_id: string, source_ids: readonly string[]): Promise<FeedRow[]> =>
  feedsOf(db, account_id, source_ids).selectAll().orderBy("id").execute();

/** Octets of the feeds of each source, as text. Sources without feeds are left out. */
export const sizesOfFeeds = (db: Db, account_id: string, source_ids: readonly string[]) =>
  feedsOf(db, account_id, source_ids)
    .select([
      "source_id",
      sql<number>`sum(200 + octet_length(data::text) + octet_length(config::text)
      + coalesce(octet_length(fallback::text), 0))::bigint`.as("size"),
    ])
    .groupBy("source_id")
    .execute();

const feedOf = (db: Db, account_id: string, source_id: string, id: string) =>
  feedsOf(db, account_id, [source_id]).selectAll().where("id", "=", id);

export const findFeed = (db: Db, account_id: string, source_id: string, id: string): Promise<FeedRow | undefined> =>
  feedOf(db, account_id, source_id, id).executeTakeFirst();

/** Locks the feed, also against pushes. */
export const lockFeed = (db: Db, account_id: string, source_id: string, id: string): Promise<FeedRow | undefined> =>
  feedOf(db, account_id, source_id, id).forNoKeyUpdate().executeTakeFirst();

export async function countFeeds(db: Db, account_id: string): Promise<number> {
  const count = db
    .selectFrom("feed")
    .where("account_id", "=", account_id)
    .select(({ fn }) => fn.countAll<number>().as("count"));
  return (await count.executeTakeFirstOrThrow()).count;
}

/** Returns the number of cells that the feed takes. */
export async function insertFeed(db: Db, { cells: _, ...row }: FeedRow): Promise<number> {
  const inserted = db
    .insertInto("feed")
    .values({ ...row, data: JSON.stringify(row.data), ...documents(row) })
    .returning("cells");
  return (await inserted.executeTakeFirstOrThrow()).cells;
}

/** Updates everything but the pushed values. Returns the number of cells that the feed takes. */
export async function updateFeed(db: Db, row: FeedRow): Promise<number> {
  const { account_id, id, name, label, max_age } = row;
  const updated = db
    .updateTable("feed")
    .set({ name, label, max_age, ...documents(row) })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .returning("cells");
  return (await updated.executeTakeFirstOrThrow()).cells;
}

const documents = ({ config, fallback }: Pick<FeedRow, "config" | "fallback">) => ({
  config: JSON.stringify(config),
  fallback: fallback && JSON.stringify(fallback),
});

/** Deletes feeds of a source, with their destinations and last pushes. */
export async function deleteFeeds(
  db: Db,
  account_id: string,
  source_id: string,
  ids: readonly string[],
): Promise<void> {
  const pushes = db.deleteFrom("recent_push").where("account_id", "=", account_id).where("source_id", "=", source_id);
  await Promise.all([
    pushes.where("id", "in", ids).execute(),
    db.deleteFrom("destination").where("account_id", "=", account_id).where("feed_id", "in", ids).execute(),
    db.deleteFrom("feed").where("account_id", "=", account_id).where("id", "in", ids).execute(),
  ]);
}
