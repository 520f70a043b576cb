/** The size of feeds in a reply, counted before they are read: a reply is composed in memory in one step. */
import { Problem } from "../../../lib/problem.ts";
import { mostText } from "../../kit/listing.ts";
import type { Db } from "../../kit/store.ts";
import { type SourceRow, sizesOfFeeds } from "./store.ts";

/** Octets of the feeds of one source that a reply may show. */
export const mostShown = 32 * 1024 * 1024;

/** Throws when the feeds of a source are too large for a reply. */
export async function assertShowable(db: Db, account_id: string, source_id: string): Promise<void> {
  const size = (await sizesOfFeeds(db, account_id, [source_id]))[0]?.size ?? 0;
  if (size > mostShown) throw tooLarge(source_id, size);
}

/** The first sources whose feeds fit in one page; always at least one. */
export async function fittingSources(
  db: Db,
  account_id: string,
  sources: readonly SourceRow[],
): Promise<readonly SourceRow[]> {
  const ids = sources.map(({ id }) => id);
  const sizes = new Map((await sizesOfFeeds(db, account_id, ids)).map(({ source_id, size }) => [source_id, size]));
  let left = mostText;
  const count = sources.findIndex(({ id, config }) => {
    left -= (sizes.get(id) ?? 0) + JSON.stringify(config).length;
    return left < 0;
  });
  const first = sources[0];
  const size = first && sizes.get(first.id);
  if (first && size !== undefined && size > mostShown) throw tooLarge(first.id, size);
  return count < 0 ? sources : sources.slice(0, Math.max(1, count));
}

const tooLarge = (source_id: string, size: number) =>
  new Problem("too_large", `the feeds of the source ${source_id} are too large for one reply: get them one by one`, {
    size,
    limit: mostShown,
  });
