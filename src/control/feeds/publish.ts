/** Publishes changed or deleted feeds to edges, within the transaction of the change. */
import { type FeedKey, liveBatch, type NamedKey, nameKeys } from "../../storage/outbox/live.ts";
import type { RowKind } from "../kit/rows.ts";
import type { Ctx } from "../write/context.ts";

const feedsPublished: RowKind<FeedKey> = { write: liveBatch };
const keysNamed: RowKind<NamedKey> = { write: nameKeys };

/** Publishes what feeds are at the end of the transaction; a deleted feed is gone. */
export function publish(ctx: Ctx, feeds: readonly { readonly account_id: string; readonly id: string }[]): void {
  for (const { account_id, id } of feeds) ctx.send(feedsPublished, { account_id, feed_id: id });
  ctx.afterCommit("feeds");
}

/** Notes that a record names a key of a feed. */
export function nameKey(ctx: Ctx, key: NamedKey): void {
  ctx.send(keysNamed, key);
  ctx.afterCommit("feeds");
}
