/** Secrets of keys: each is valid until it expires, and its text is shown once. */
import { newId, newKeyString } from "../../../lib/ids.ts";
import { conflict, invalid } from "../../../lib/problem.ts";
import { assertNoLonger } from "../../access/lifetime.ts";
import { limits } from "../../kit/limits.ts";
import type { Ctx } from "../../write/context.ts";
import type { KeyRow } from "../members/key-store.ts";
import { claimSecret, deleteSecrets, insertSecret, listSecrets, type SecretRow } from "./secret-store.ts";

/** A new secret with its text, which is shown once. */
export interface MadeSecret {
  readonly row: SecretRow;
  readonly text: string;
}

const secondsPerDay = 86_400;

/**
 * Throws if the key already has the maximum number of active secrets, or if the secret would be valid longer than the
 * caller.
 */
export async function makeSecret(ctx: Ctx, key: KeyRow, days: number): Promise<MadeSecret> {
  assertNoLonger(ctx.caller, ctx.now + days * secondsPerDay);
  const text = newKeyString();
  await makeRoom(ctx, key);
  return { row: await storeSecret(ctx, key, text, days), text };
}

/** Stores a text as a secret of the key. */
export async function storeSecret(ctx: Ctx, key: KeyRow, text: string, days: number): Promise<SecretRow> {
  const { db, account_id, secrets, now } = ctx;
  const id = newId();
  const row: SecretRow = {
    account_id,
    key_id: key.id,
    id,
    secret: secrets.seal(text, `api_key_secret.secret:${id}`),
    expires_at: now + days * secondsPerDay,
    enabled: true,
    last_access: null,
  };
  await insertSecret(db, row);
  await claimSecret(db, row, secrets.hash(text));
  return row;
}

/** Deletes expired secrets. Throws unless one more secret fits besides the remaining ones. */
export async function makeRoom(ctx: Ctx, key: KeyRow): Promise<void> {
  const rows = await listSecrets(ctx.db, key);
  const expired = rows.filter((row) => row.expires_at <= ctx.now);
  assertFewActive(ctx, rows, mostActive(key) - 1);
  if (rows.length - expired.length >= limits.keySecrets) {
    throw conflict(`a key can have at most ${limits.keySecrets} secrets: delete one first`);
  }
  await deleteSecrets(ctx.db, key, expired);
}

/** The maximum number of active secrets: one in use and its successor. A key's own string counts as one of the two. */
export const mostActive = (key: KeyRow) => (key.secret === null ? 2 : 1);

export function assertFewActive({ now }: Ctx, rows: readonly SecretRow[], most: number): void {
  if (rows.filter((row) => row.enabled && row.expires_at > now).length <= most) return;
  throw conflict("the key already has two active secrets: disable or delete one first");
}

/** Parses a duration such as `30d`: from `least` days to ten years. */
export function daysOf(text: string, field: string, least = 1): number {
  const days = /^\d{1,4}d$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (days >= least && days <= limits.keyDays) return days;
  throw invalid(`${field} must be a number of days such as "30d", ${least}d to ${limits.keyDays}d`, { field });
}
