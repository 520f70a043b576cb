/** Replies that are kept for an Idempotency-Key, and given to whoever sends the same request again. */
import type { Idempotency, StoredReply } from "../../http/service.ts";
import { conflict } from "../../lib/problem.ts";
import { isSealed } from "../../lib/secrets.ts";
import type { Caller } from "../access/caller.ts";
import type { Ctx } from "../context.ts";
import { findReply, repliesKept } from "./store.ts";

/** One that holds secrets is sealed. */
export function keepReply(
  { caller, secrets, now, send }: Ctx,
  { key: sent, request }: Idempotency,
  { status, body }: StoredReply,
  isSecret: boolean,
): void {
  const { account_id } = caller;
  const key = ownKey(caller, sent);
  const kept = isSecret ? secrets.seal(body, sealedFor(account_id, key)) : body;
  send(repliesKept, { account_id, key, request, status, body: kept, created: now });
}

/** Throws `conflict` for another request. */
export async function findKept(ctx: Ctx, { key: sent, request }: Idempotency): Promise<StoredReply | undefined> {
  const { db, caller, account_id, secrets } = ctx;
  const key = ownKey(caller, sent);
  const kept = await findReply(db, account_id, key);
  if (!kept) return undefined;
  if (kept.request !== request) {
    throw conflict(`the Idempotency-Key "${sent}" was sent before with another request`, { key: sent });
  }
  const { status, body } = kept;
  return { status, body: isSealed(body) ? secrets.open(body, sealedFor(account_id, key)) : body };
}

/** It is its caller's: nobody gets the reply that another, who may see more, was given. */
const ownKey = (caller: Caller, key: string) => `${caller.id}:${key}`;

const sealedFor = (account_id: string, key: string) => `idempotency.body:${account_id}:${key}`;
