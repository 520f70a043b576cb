/** SQL of replies kept for an Idempotency-Key. */
import { type Db, insertText, statement } from "../store.ts";

export interface KeptReply {
  /** SHA-256 of the request. */
  readonly request: string;
  readonly status: number;
  readonly body: string;
}

export const findReply = (db: Db, account_id: string, key: string): Promise<KeptReply | undefined> =>
  db
    .selectFrom("idempotency")
    .select(["request", "status", "body"])
    .where("account_id", "=", account_id)
    .where("key", "=", key)
    .executeTakeFirst();

/** Fails on a key that is there already: of two equal requests at once, one is done. */
export const insertReply = (account_id: string, key: string, { request, status, body }: KeptReply, created: number) =>
  statement(insertText("idempotency", ["account_id", "key", "request", "status", "body", "created"]), [
    account_id,
    key,
    request,
    status,
    body,
    created,
  ]);

/** Forgets replies that were given before a time. */
export async function trimReplies(db: Db, before: number): Promise<void> {
  await db.deleteFrom("idempotency").where("created", "<", before).execute();
}
