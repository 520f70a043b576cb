/** Replies that are kept for an Idempotency-Key, and given to whoever sends the same request again. */
import { hash } from "node:crypto";
import type { Idempotency, StoredReply } from "../../http/route/service.ts";
import { conflict, denied } from "../../lib/problem.ts";
import { isSealed } from "../../lib/secrets.ts";
import type { Caller } from "../access/caller.ts";
import type { Ctx } from "./context.ts";
import { findReply, repliesKept } from "./idempotency-store.ts";

/** One that holds secrets is sealed, with what the caller was who may see them. */
export function keepReply(
  { caller, secrets, now, send }: Ctx,
  { key: sent, request }: Idempotency,
  { status, body }: StoredReply,
  isSecret: boolean,
): void {
  const { account_id } = caller;
  const key = ownKey(caller, sent);
  const told: Told = { mark: markOf(caller), body };
  const kept = isSecret ? secrets.seal(JSON.stringify(told), sealedFor(account_id, key)) : body;
  send(repliesKept, { account_id, key, request, status, body: kept, created: now });
}

interface Told {
  /** What the caller was. Not there in what was kept by versions that did not look at it. */
  readonly mark?: string;
  readonly body: string;
}

/** Throws `conflict` for another request, and `denied` when the caller might no longer be shown the secrets in the reply. */
export async function findKept(ctx: Ctx, { key: sent, request }: Idempotency): Promise<StoredReply | undefined> {
  const { db, caller, account_id, secrets } = ctx;
  const key = ownKey(caller, sent);
  const kept = await findReply(db, account_id, key);
  if (!kept) return undefined;
  if (kept.request !== request) {
    throw conflict(`the Idempotency-Key "${sent}" was sent before with another request`, { key: sent });
  }
  const { status, body } = kept;
  if (!isSealed(body)) return { status, body };
  const told: Told = JSON.parse(secrets.open(body, sealedFor(account_id, key)));
  if (told.mark === markOf(caller)) return { status, body: told.body };
  const since = told.mark === undefined ? "the service was upgraded since" : "what you may do has changed since";
  throw denied(`this request was answered before, with what only its sender may see, and ${since}`, { key: sent });
}

/** The same for callers who may do the same. */
const markOf = ({ access, allowed, allowedOfTeams, ends }: Caller) => {
  const grants = access.map((grant) =>
    JSON.stringify(grant, (_, value) => (value instanceof Set ? [...value] : value)),
  );
  return hash("sha256", JSON.stringify([grants.sort(), allowed, allowedOfTeams, ends]));
};

/** It is its caller's: nobody gets the reply that another, who may see more, was given. */
const ownKey = (caller: Caller, key: string) => `${caller.id}:${key}`;

const sealedFor = (account_id: string, key: string) => `idempotency.body:${account_id}:${key}`;
