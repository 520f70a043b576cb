/** Secrets of keys: each counts until a time, and its text is told once. */
import { newId, newKeyString } from "../../../lib/ids.ts";
import { conflict, invalid } from "../../../lib/problem.ts";
import { assertNoLonger } from "../../access/lifetime.ts";
import { limits } from "../../kit/limits.ts";
import type { Ctx } from "../../write/context.ts";
import type { KeyRow } from "../members/key-store.ts";
import { claimSecret, deleteSecrets, insertSecret, listSecrets, type SecretRow } from "./secret-store.ts";

/** A secret beside its text, which is told once. */
export interface MadeSecret {
  readonly row: SecretRow;
  readonly text: string;
}

export const mostDays = 3650;
const secondsPerDay = 86_400;

/** Throws unless the key may have one more secret beside those that count, and the caller be there as long. */
export async function makeSecret(ctx: Ctx, key: KeyRow, days: number): Promise<MadeSecret> {
  assertNoLonger(ctx.caller, ctx.now + days * secondsPerDay);
  const text = newKeyString();
  await makeRoom(ctx, key);
  return { row: await keepSecret(ctx, key, text, days), text };
}

/** Makes a text a secret of the key from now on. */
export async function keepSecret(ctx: Ctx, key: KeyRow, text: string, days: number): Promise<SecretRow> {
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

/** Secrets that have expired go; of the others there must be room for one more. */
export async function makeRoom(ctx: Ctx, key: KeyRow): Promise<void> {
  const rows = await listSecrets(ctx.db, key);
  const expired = rows.filter((row) => row.expires_at <= ctx.now);
  assertFewActive(ctx, rows, mostActive(key) - 1);
  if (rows.length - expired.length >= limits.keySecrets) {
    throw conflict(`a key has no more than ${limits.keySecrets} secrets: delete one first`);
  }
  await deleteSecrets(
    ctx.db,
    key,
    expired.map(({ id }) => id),
  );
}

/** One in use, and the one that takes its place; a key's own string is one of them. */
export const mostActive = (key: KeyRow) => (key.secret === null ? 2 : 1);

export function assertFewActive({ now }: Ctx, rows: readonly SecretRow[], most: number): void {
  if (rows.filter((row) => row.enabled && row.expires_at > now).length <= most) return;
  throw conflict("the key has as many active secrets as it may: disable or delete one first");
}

/** `30d` as 30; from `least` to ten years. */
export function daysOf(text: string, field: string, least = 1): number {
  const days = /^\d{1,4}d$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (days >= least && days <= mostDays) return days;
  throw invalid(`${field} must be a number of days such as "30d", ${least}d to ${mostDays}d`, { field });
}
