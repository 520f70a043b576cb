/** SQL of replies stored for an Idempotency-Key. */

import { across } from "../../storage/fence/exceptions.ts";
import { inserted, type RowKind } from "../kit/rows.ts";
import type { Db } from "../kit/store.ts";

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

/** Removes replies created before a time. */
export async function trimReplies(db: Db, before: number): Promise<void> {
  await db.deleteFrom("idempotency").where("created", "<", before).modifyEnd(across("age")).execute();
}
