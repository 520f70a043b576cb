/** Creating, changing and deleting feeds. */
import { isDeepStrictEqual } from "node:util";
import { readPushed } from "../../answer/model/meta.ts";
import { newId } from "../../lib/ids.ts";
import { invalid, missing } from "../../lib/problem.ts";
import { limits } from "../kit/limits.ts";
import { afterBody } from "../kit/schema.ts";
import type { Changed, Ctx } from "../write/context.ts";
import { assertRoom } from "./model/cells-store.ts";
import type { FeedBody } from "./model/schema.ts";
import {
  countFeeds,
  deleteFeeds,
  type FeedRow,
  findFeed,
  findSource,
  insertFeed,
  lockFeed,
  lockSource,
  renewVersion,
  type SourceRow,
  updateFeed,
} from "./model/store.ts";
import { publish } from "./publish.ts";
import { sourceNotFound, sourceTypeOf } from "./source.ts";
import { assertConfigFits, tableOf } from "./types/sourcetype.ts";

export async function createFeed(ctx: Ctx, source_id: string, body: FeedBody & { name: string }): Promise<FeedRow> {
  const { db, account_id, now } = ctx;
  const source = await lockSourceOrThrow(ctx, source_id);
  if ((await countFeeds(db, account_id)) >= limits.feeds) {
    const message = `an account can have at most ${limits.feeds} feeds: delete some that no metadata names`;
    throw invalid(message, { limit: limits.feeds });
  }
  const values = { data: {}, pushed_at: null, max_age: null, fallback: null, named: [], cells: 0 };
  const blank = { account_id, id: newId(), source_id, name: "", label: null, config: {}, ...values, created_at: now };
  const row = withBody(blank, source, { config: {}, ...body });
  if ((await insertFeed(db, row)) > 0) await assertRoom(db, account_id);
  await renewVersion(db, source);
  return row;
}

export async function changeFeed(ctx: Ctx, source_id: string, id: string, body: FeedBody): Promise<Changed<FeedRow>> {
  const { db, account_id } = ctx;
  const source = await lockSourceOrThrow(ctx, source_id);
  const before = await lockFeed(db, account_id, source_id, id);
  if (!before) throw feedNotFound(id);
  const row = withBody(before, source, body);
  if (isDeepStrictEqual(row, before)) return { before, row, changed: false };
  if ((await updateFeed(db, row)) > before.cells) await assertRoom(db, account_id);
  if (row.label !== before.label || row.config["merge"] !== before.config["merge"]) await renewVersion(db, source);
  if (!isDeepStrictEqual([row.max_age, row.fallback], [before.max_age, before.fallback])) publish(ctx, [row]);
  return { before, row, changed: true };
}

/** Deletes a feed. Metadata that takes values from it is unset from then on. */
export async function removeFeed(ctx: Ctx, source_id: string, id: string): Promise<FeedRow> {
  const { db, account_id } = ctx;
  const source = await lockSourceOrThrow(ctx, source_id);
  const row = await lockFeed(db, account_id, source_id, id);
  if (!row) throw feedNotFound(id);
  await deleteFeeds(db, account_id, source_id, [id]);
  await renewVersion(db, source);
  publish(ctx, [row]);
  return row;
}

export async function getFeed({ db, account_id }: Ctx, source_id: string, id: string): Promise<FeedRow> {
  const row = await findFeed(db, account_id, source_id, id);
  if (row) return row;
  throw (await findSource(db, account_id, source_id)) ? feedNotFound(id) : sourceNotFound(source_id);
}

async function lockSourceOrThrow({ db, account_id }: Ctx, source_id: string): Promise<SourceRow> {
  const source = await lockSource(db, account_id, source_id);
  if (!source) throw sourceNotFound(source_id);
  return source;
}

function withBody(before: FeedRow, { sourcetype }: SourceRow, body: FeedBody): FeedRow {
  const type = sourceTypeOf(sourcetype);
  const config = afterBody(body.config, before.config, {});
  if (body.config) assertConfigFits(type.feed_config, config);
  return {
    ...before,
    name: body.name ?? before.name,
    config,
    label: type.labelOf(config),
    max_age: afterBody(body.max_age, before.max_age, null),
    fallback: body.fallback === undefined ? before.fallback : readFallback(body.fallback),
  };
}

const readFallback = (table: FeedBody["fallback"]) =>
  table ? readPushed(tableOf(table, "fallback").data, "fallback") : null;

const feedNotFound = (id: string) => missing("feed not found", { id });
