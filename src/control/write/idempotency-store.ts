/** SQL of replies stored for an Idempotency-Key. */

import { inserted, type RowKind } from "../kit/rows.ts";
import { accountsToTrim, type Db, repeated } from "../kit/store.ts";

interface ReplyRow {
  /** SHA-256 of the request. */
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const findReply = (db: Db, account_id: string, key: string): Promise<ReplyRow | undefined> =>
  db
    .selectFrom("idempotency")
    .select(["request", "status", "headers", "body"])
    .where("account_id", "=", account_id)
    .where("key", "=", key)
    .executeTakeFirst();

export interface NewReply extends ReplyRow {
  readonly account_id: string;
  readonly key: string;
  /** Unix seconds. */
  readonly created: number;
}

/** Fails for an existing key, so that only one of two equal concurrent requests is executed. */
export const repliesStored: RowKind<NewReply> = inserted("idempotency", {
  account_id: "text",
  key: "text",
  request: "text",
  status: "integer",
  headers: "json",
  body: "text",
  created: "bigint",
});

const removedAtOnce = 500;

/** Removes replies created before a time, account by account to use the index. */
export async function trimReplies(db: Db, before: number): Promise<void> {
  for (const id of await accountsToTrim(db)) await removeReplies(db, id, before - 1);
}

/** Removes the replies of an account up to a time, in batches; returns their number. */
export async function removeReplies(db: Db, account_id: string, until: number): Promise<number> {
  const old = db
    .selectFrom("idempotency")
    .select("key")
    .where("account_id", "=", account_id)
    .where("created", "<=", until)
    .orderBy("created")
    .limit(removedAtOnce);
  const remove = db.deleteFrom("idempotency").where("account_id", "=", account_id).where("key", "in", old);
  return await repeated(removedAtOnce, async () => Number((await remove.executeTakeFirstOrThrow()).numDeletedRows));
}
