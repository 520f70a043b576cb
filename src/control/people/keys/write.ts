/**
 * Creating, changing and deleting API keys. Callers can only grant rights they hold, and a key that manages keys must
 * remain.
 */
import { isDeepStrictEqual } from "node:util";
import { newId, newKeyString } from "../../../lib/ids.ts";
import { conflict, invalid, invalidField } from "../../../lib/problem.ts";
import { changeHolder, type Reading, type Teams } from "../../access/holder.ts";
import { assertLasting, assertNoGain, assertNoLockout } from "../../access/lifetime.ts";
import type { Edition } from "../../access/rights.ts";
import { assertGivable, assertHeld, assertNotLockedOut, shownPermissions, standingOf } from "../../access/standing.ts";
import { limits } from "../../kit/limits.ts";
import { afterBody } from "../../kit/schema.ts";
import type { Db } from "../../kit/store.ts";
import type { Ctx } from "../../write/context.ts";
import { deleteKey, insertKey, type KeyRow, updateKey } from "../members/key-store.ts";
import { assertKeyRemains } from "../members/members.ts";
import { assertRoom } from "../members/room.ts";
import { countRows, getRow, isNameTaken } from "../members/rows-store.ts";
import { findTeams } from "../members/team-store.ts";
import { permissionsOfPreset } from "./presets.ts";
import type { KeyBody, NewKeyBody } from "./schema.ts";
import { daysOf, type MadeSecret, makeSecret } from "./secret.ts";

/** A key that expires has no string of its own, but gets its first secret. */
export async function createKey(ctx: Ctx, sent: NewKeyBody): Promise<{ row: KeyRow; made: MadeSecret | undefined }> {
  const { db, account_id, secrets, now } = ctx;
  const body = withPreset(sent);
  const id = newId();
  const expiry_days = body.expiry_duration ? daysOf(body.expiry_duration, "expiry_duration") : null;
  const key = expiry_days === null ? newKeyString() : undefined;
  const blank: KeyRow = {
    account_id,
    id,
    name: "",
    secret: key === undefined ? null : secrets.seal(key, secretContext(id)),
    expiry_days,
    permissions: {},
    ip_whitelist: [],
    ip_whitelist_strict: false,
    teams: [],
    deletion_guard: null,
    created: now,
    last_access: null,
  };
  if ((await countRows(db, "api_key", account_id)) >= limits.keys) {
    throw invalid(`an account can have at most ${limits.keys} API keys`);
  }
  const teams = await findTeams(db, account_id, body.teams ?? []);
  const row = withBody(blank, body, teams, ctx);
  assertName(row.name);
  assertGivable(ctx.caller, standingOf(row, teams));
  if (expiry_days === null) assertLasting(ctx.caller);
  await assertNameFree(db, row);
  await assertRoom(ctx, "api_key", row);
  await insertKey(db, row, key && secrets.hash(key));
  return { row, made: expiry_days === null ? undefined : await makeSecret(ctx, row, expiry_days) };
}

function withPreset({ preset, ...body }: NewKeyBody): KeyBody {
  if (!preset) return body;
  if (body.permissions) throw invalidField("preset", "cannot be combined with permissions");
  if (body.teams?.length) throw invalidField("preset", "cannot be combined with teams, whose permissions would apply");
  return { ...body, permissions: permissionsOfPreset(preset) };
}

export async function changeKey(
  ctx: Ctx,
  id: string,
  body: KeyBody,
): Promise<{ before: KeyRow; row: KeyRow; changed: boolean }> {
  const { db, account_id, settings } = ctx;
  const before = await getKey(ctx, id);
  const teams = await findTeams(db, account_id, [...before.teams, ...(body.teams ?? [])]);
  const row = { ...withBody(before, body, teams, ctx), expiry_days: expiryAfter(before, body) };
  if (isDeepStrictEqual(shown(row, teams, settings.edition), shown(before, teams, settings.edition))) {
    return { before, row: before, changed: false };
  }
  assertName(row.name);
  const held = standingOf(before, teams);
  assertHeld(ctx.caller, held);
  const standing = standingOf(row, teams);
  assertGivable(ctx.caller, standing);
  assertNoGain(ctx.caller, held, standing);
  assertNoLockout(ctx.caller, before, held, standing);
  if (ctx.caller.id === id) assertNotLockedOut(standing, ctx.sender?.address);
  await assertNameFree(db, row);
  await assertKeyRemains(db, account_id, { before: { rows: [before], teams }, after: { rows: [row], teams } });
  await assertRoom(ctx, "api_key", row, before);
  await updateKey(db, row);
  ctx.afterCommit("callers");
  return { before, row, changed: true };
}

export async function removeKey(ctx: Ctx, id: string): Promise<KeyRow> {
  const { db, account_id } = ctx;
  const row = await getKey(ctx, id);
  const teams = await findTeams(db, account_id, row.teams);
  assertHeld(ctx.caller, standingOf(row, teams));
  await assertKeyRemains(db, account_id, { before: { rows: [row], teams }, after: { rows: [], teams } });
  await deleteKey(db, row);
  ctx.afterCommit("callers");
  return row;
}

export const getKey = ({ db, account_id }: Ctx, id: string): Promise<KeyRow> =>
  getRow(db, "api_key", { account_id, id }, "api key not found");

/** The context to which the encryption of a key string is bound. */
export const secretContext = (id: string) => `api_key.secret:${id}`;

/** Throws unless the caller could create the key as it is. */
export async function assertMayMake(ctx: Ctx, row: KeyRow): Promise<void> {
  assertGivable(ctx.caller, await standingOfKey(ctx, row));
}

export const standingOfKey = async ({ db, account_id }: Ctx, row: KeyRow) =>
  standingOf(row, await findTeams(db, account_id, row.teams));

const withBody = (before: KeyRow, body: KeyBody, teams: Teams, reading: Reading): KeyRow => ({
  ...before,
  name: body.name ?? before.name,
  deletion_guard: afterBody(body.deletion_guard, before.deletion_guard, null),
  ...changeHolder(before, body, teams, reading),
});

/** A key created without an expiry cannot get one later; its string can be rotated instead. */
function expiryAfter({ expiry_days }: KeyRow, { expiry_duration }: KeyBody): number | null {
  const field = "expiry_duration";
  if (expiry_duration === null && expiry_days !== null) {
    throw invalid("expiry_duration cannot be removed: create a key without it", { field });
  }
  if (!expiry_duration) return expiry_days;
  if (expiry_days === null) throw invalid("expiry_duration can only be set when the key is created", { field });
  return daysOf(expiry_duration, field);
}

const shown = (row: KeyRow, teams: Teams, edition: Edition) => ({
  ...row,
  permissions: shownPermissions(row, teams, edition),
});

function assertName(name: string): void {
  const { length } = [...name];
  if (length < 2 || length > 64) throw invalid("name must have 2 to 64 characters", { field: "name" });
}

async function assertNameFree(db: Db, row: KeyRow): Promise<void> {
  if (await isNameTaken(db, "api_key", row)) {
    throw conflict(`api key with name "${row.name}" exists`, { name: row.name });
  }
}
