/** Replies stored for an Idempotency-Key and replayed when the same request is sent again. */
import { hash } from "node:crypto";
import type { Idempotency, StoredReply } from "../../http/route/service.ts";
import { conflict, denied } from "../../lib/problem.ts";
import { isSealed } from "../../lib/secrets.ts";
import type { Caller } from "../access/caller.ts";
import type { Ctx } from "./context.ts";
import { findReply, repliesStored } from "./idempotency-store.ts";

/** The most octets of a reply that is repeated. */
export const mostRepeated = 64 * 1024;

/** The body that is repeated; a large one is replaced, because the store would keep it for a day. */
function repeatable(body: string): string {
  const size = Buffer.byteLength(body);
  if (size <= mostRepeated) return body;
  const message = `the request was done before; its reply of ${size} octets is too large to be repeated: read what it wrote with GET`;
  return JSON.stringify({ message });
}

/** Stores a reply. A reply with secrets is sealed together with a mark of the caller's access. */
export function storeReply(
  { caller, secrets, now, send }: Ctx,
  { key: sent, request }: Idempotency,
  { status, headers, body: whole }: StoredReply,
  isSecret: boolean,
): void {
  const body = repeatable(whole);
  const { account_id } = caller;
  const key = ownKey(caller, sent);
  const reply: SealedReply = { mark: markOf(caller), body };
  const kept = isSecret ? secrets.seal(JSON.stringify(reply), sealedFor(account_id, key)) : body;
  send(repliesStored, { account_id, key, request, status, headers, body: kept, created: now });
}

interface SealedReply {
  /** A digest of the caller's access. */
  readonly mark: string;
  readonly body: string;
}

/** Finds the reply to repeat. Throws `conflict` when the key was used for another request, and `denied` when the caller's access to the secrets in the reply may have changed. */
export async function findStored(ctx: Ctx, { key: sent, request }: Idempotency): Promise<StoredReply | undefined> {
  const { db, caller, account_id, secrets } = ctx;
  const key = ownKey(caller, sent);
  const kept = await findReply(db, account_id, key);
  if (!kept) return undefined;
  if (kept.request !== request) {
    throw conflict(`the Idempotency-Key "${sent}" was already used for another request`, { key: sent });
  }
  const { status, headers, body } = kept;
  if (!isSealed(body)) return { status, headers, body };
  const opened: SealedReply = JSON.parse(secrets.open(body, sealedFor(account_id, key)));
  if (opened.mark === markOf(caller)) return { status, headers, body: opened.body };
  throw denied("the reply contains secrets and is not repeated, because your access has changed since", { key: sent });
}

/** A digest of the caller's access: equal for callers with equal access. */
const markOf = ({ access, allowed, allowedOfTeams, ends }: Caller) => {
  const grants = access.map((grant) =>
    JSON.stringify(grant, (_, value) => (value instanceof Set ? [...value] : value)),
  );
  return hash("sha256", JSON.stringify([grants.sort(), allowed, allowedOfTeams, ends]));
};

/** The key includes the caller's id, so that no other caller gets the reply. */
const ownKey = (caller: Caller, key: string) => `${caller.id}:${key}`;

const sealedFor = (account_id: string, key: string) => `idempotency.body:${account_id}:${key}`;
