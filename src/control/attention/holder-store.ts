/** SQL of the feeds and keys of an account that need attention, and of the values of its feeds. */
import { type Db, rowsOf, statement } from "../kit/store.ts";

export interface SilentFeed {
  readonly id: string;
  readonly name: string;
  readonly source_id: string;
  /** Unix milliseconds; null for never. */
  readonly pushed_at: number | null;
  /** Unix seconds. */
  readonly created_at: number;
  readonly max_age: number;
  /** Whether a record takes values from the feed. */
  readonly steers: boolean;
}

/** Feeds whose last push is older than they allow. */
export const listSilent = (db: Db, account_id: string, now: number): Promise<readonly SilentFeed[]> =>
  rowsOf(db, statement<SilentFeed>(silentText, [account_id, now]));
const silentText = `
  select id, name, source_id, pushed_at, created_at, max_age,
    exists (select from destination where destination.account_id = $1 and destination.feed_id = feed.id) as steers
  from feed
  where account_id = $1 and max_age is not null
    and coalesce(pushed_at, created_at * 1000) + max_age * 1000 <= $2::bigint * 1000
  order by id`;

export interface EndingKey {
  readonly id: string;
  readonly name: string;
  /** The end of its last secret in Unix seconds. */
  readonly expires_at: number;
}

/** Keys whose last secret ends in a time. */
export const listEnding = (db: Db, account_id: string, from: number, until: number): Promise<readonly EndingKey[]> =>
  rowsOf(db, statement<EndingKey>(endingText, [account_id, from, until]));
const endingText = `
  select api_key.id, api_key.name, max(secret.expires_at) as expires_at
  from api_key
  join api_key_secret as secret on secret.account_id = api_key.account_id and secret.key_id = api_key.id
  where api_key.account_id = $1 and api_key.secret is null and secret.enabled
  group by api_key.id, api_key.name having max(secret.expires_at) between $2 and $3
  order by api_key.id`;

/** The values in the feeds of an account. */
export async function countCells(db: Db, account_id: string): Promise<number> {
  const row = await db
    .selectFrom("account_cells")
    .select("cells")
    .where("account_id", "=", account_id)
    .executeTakeFirst();
  return row?.cells ?? 0;
}
