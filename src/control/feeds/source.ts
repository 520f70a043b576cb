/** Creating, changing and deleting data sources. */
import { isDeepStrictEqual } from "node:util";
import { newSourceId } from "../../lib/ids.ts";
import { invalid, missing, notBuilt } from "../../lib/problem.ts";
import { limits } from "../kit/limits.ts";
import { afterBody } from "../kit/schema.ts";
import type { Changed, Ctx } from "../write/context.ts";
import type { NewSourceBody, SourceBody } from "./model/schema.ts";
import {
  countSources,
  deleteFeeds,
  deleteSource,
  type FeedRow,
  findSource,
  insertSource,
  listFeeds,
  lockSource,
  type SourceRow,
  updateSource,
} from "./model/store.ts";
import { publish } from "./publish.ts";
import { comingTypes, sourceTypes } from "./types/index.ts";
import { assertConfigFits, type SourceType } from "./types/sourcetype.ts";

export async function createSource(ctx: Ctx, body: NewSourceBody): Promise<SourceRow> {
  const { db, account_id, now } = ctx;
  const type = sourceTypeOf(body.sourcetype);
  const config = body.config ?? {};
  assertConfigFits(type.config, config);
  if ((await countSources(db, account_id)) >= limits.sources) {
    const message = `an account can have at most ${limits.sources} data sources: delete some that get no pushes`;
    throw invalid(message, { limit: limits.sources });
  }
  const { name, sourcetype } = body;
  const id = newSourceId();
  const row = { account_id, id, name, sourcetype, config, status: type.status, version: 1, created_at: now };
  await insertSource(db, row);
  return row;
}

export async function changeSource({ db, account_id }: Ctx, id: string, body: SourceBody): Promise<Changed<SourceRow>> {
  const before = await lockSource(db, account_id, id);
  if (!before) throw sourceNotFound(id);
  if (body.sourcetype && body.sourcetype !== before.sourcetype) {
    throw invalid(`sourcetype cannot be changed from "${before.sourcetype}"`, { field: "sourcetype" });
  }
  const config = afterBody(body.config, before.config, {});
  if (body.config) assertConfigFits(sourceTypeOf(before.sourcetype).config, config);
  const row = { ...before, name: body.name ?? before.name, config };
  if (isDeepStrictEqual(row, before)) return { before, row, changed: false };
  await updateSource(db, row);
  return { before, row, changed: true };
}

/** Deletes the source with all its feeds. Metadata that takes values from them is unset from then on. */
export async function removeSource(ctx: Ctx, id: string): Promise<{ row: SourceRow; feeds: readonly FeedRow[] }> {
  const { db, account_id } = ctx;
  const row = await lockSource(db, account_id, id);
  if (!row) throw sourceNotFound(id);
  const feeds = await listFeeds(db, account_id, [id]);
  if (feeds.length > 0) {
    await deleteFeeds(
      db,
      account_id,
      id,
      feeds.map((feed) => feed.id),
    );
    publish(ctx, feeds);
  }
  await deleteSource(db, row);
  return { row, feeds };
}

export async function getSource({ db, account_id }: Ctx, id: string): Promise<SourceRow> {
  const row = await findSource(db, account_id, id);
  if (!row) throw sourceNotFound(id);
  return row;
}

export function sourceTypeOf(name: string): SourceType {
  const type = sourceTypes.get(name);
  if (!type) {
    const known = `supported: ${[...sourceTypes.keys()].join(", ")}`;
    const details = { field: "sourcetype" };
    if (comingTypes.has(name)) throw notBuilt(`sourcetype "${name}" is not supported yet; ${known}`, details);
    throw invalid(`sourcetype "${name.slice(0, 60)}" is not known; ${known}`, details);
  }
  return type;
}

export const sourceNotFound = (id: string) => missing("source not found", { id });
