/** Changing a key's secrets without an interruption: the old and the new secret are valid together for a time. */
import { newKeyString } from "../../../lib/ids.ts";
import { conflict, invalid, missing } from "../../../lib/problem.ts";
import { assertLasting, assertNoLonger } from "../../access/lifetime.ts";
import { assertHeld } from "../../access/standing.ts";
import type { Ctx } from "../../write/context.ts";
import type { KeyRow } from "../members/key-store.ts";
import { assertFewActive, daysOf, type MadeSecret, makeRoom, makeSecret, mostActive, storeSecret } from "./secret.ts";
import { deleteSecrets, enableSecret, listSecrets, replaceString, type SecretRow } from "./secret-store.ts";
import { assertMayMake, getKey, secretContext, standingOfKey } from "./write.ts";

/** Adds a secret. The caller must be allowed to create a key like this one. */
export async function addSecret(ctx: Ctx, id: string, duration: string): Promise<{ row: KeyRow; made: MadeSecret }> {
  const row = await keyToChange(ctx, id);
  await assertMayMake(ctx, row);
  if (row.expiry_days === null) {
    throw invalid("the key was created without expiry_duration and has a string of its own; rotate it instead");
  }
  const days = duration === "" ? row.expiry_days : daysOf(duration, "expiry_duration");
  return { row, made: await makeSecret(ctx, row, days) };
}

/**
 * Enables or disables a secret. Enabling needs the same rights as creating a secret; disabling, the same rights as
 * deleting the key.
 */
export async function changeSecret(
  ctx: Ctx,
  id: string,
  secretid: string,
  enabled: boolean | null | undefined,
): Promise<{ row: KeyRow; changed: boolean }> {
  const row = await keyToChange(ctx, id);
  const all = await listSecrets(ctx.db, row);
  const secret = secretOf(all, secretid);
  // null resets to the default, true
  const wanted = enabled === undefined ? secret.enabled : (enabled ?? true);
  if (wanted === secret.enabled) return { row, changed: false };
  if (wanted) {
    await assertMayMake(ctx, row);
    assertNoLonger(ctx.caller, secret.expires_at);
  }
  const after = all.map((other) => (other.id === secretid ? { ...other, enabled: wanted } : other));
  assertFewActive(ctx, after, mostActive(row));
  await enableSecret(ctx.db, secret, wanted);
  return { row, changed: true };
}

export async function removeSecret(ctx: Ctx, id: string, secretid: string): Promise<KeyRow> {
  const row = await keyToChange(ctx, id);
  await deleteSecrets(ctx.db, row, [secretOf(await listSecrets(ctx.db, row), secretid)]);
  return row;
}

/** Gives the key a new string. The earlier string becomes a secret that stays valid for the days of `overlap`. */
export async function rotateKey(ctx: Ctx, id: string, overlap: string): Promise<KeyRow> {
  const { db, secrets } = ctx;
  const row = await keyToChange(ctx, id);
  await assertMayMake(ctx, row);
  assertLasting(ctx.caller);
  if (row.secret === null)
    throw conflict("the key expires and has no string of its own; create a second secret instead");
  const days = daysOf(overlap, "overlap", 0);
  const before = secrets.open(row.secret, secretContext(row.id));
  const after = newKeyString();
  const secret = secrets.seal(after, secretContext(row.id));
  // without an overlap, no earlier secret stays valid
  if (days > 0) await makeRoom(ctx, row);
  else await deleteSecrets(db, row, await listSecrets(db, row));
  await replaceString(db, row, secret, secrets.hash(after));
  if (days > 0) await storeSecret(ctx, row, before, days);
  return { ...row, secret };
}

/** The key whose secrets the caller may change. */
async function keyToChange(ctx: Ctx, id: string): Promise<KeyRow> {
  const row = await getKey(ctx, id);
  assertHeld(ctx.caller, await standingOfKey(ctx, row));
  ctx.afterCommit("callers");
  return row;
}

function secretOf(all: readonly SecretRow[], id: string): SecretRow {
  const secret = all.find((other) => other.id === id);
  if (!secret) throw missing("secret not found", { id });
  return secret;
}
