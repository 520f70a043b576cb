/** Creating, changing and deleting API keys: nobody gives a right that they lack, and somebody keeps the keys. */
import { isDeepStrictEqual } from "node:util";
import { newId, newKeyString } from "../../lib/ids.ts";
import { conflict, denied, invalid, missing, notBuilt } from "../../lib/problem.ts";
import { beyond, holdsAll } from "../access/access.ts";
import { assertAllowList, isListed, isWithin } from "../access/allowlist.ts";
import type { Caller } from "../access/caller.ts";
import { isGranted, mergePermissions, type Permissions, showPermissions } from "../access/permissions.ts";
import { grantOf } from "../access/permit.ts";
import type { Ctx } from "../context.ts";
import { lockAccount } from "../store.ts";
import type { KeyBody } from "./apikeys.ts";
import { daysOf, type MadeSecret, makeSecret } from "./secret.ts";
import { deleteKey, findKey, insertKey, type KeyRow, listKeys, updateKey } from "./store.ts";

/** One that expires has no string of its own, and gets its first secret. */
export async function createKey(ctx: Ctx, body: KeyBody): Promise<{ row: KeyRow; made: MadeSecret | undefined }> {
  const { db, account_id, secrets, settings, now } = ctx;
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
    created: now,
    last_access: null,
  };
  const row = withBody(blank, body, settings.edition);
  assertName(row.name);
  assertHeld(ctx, row);
  assertNoWider(ctx, row);
  await lockAccount(db, account_id);
  assertNameFree(row, await listKeys(db, account_id));
  await insertKey(db, row, key && secrets.hash(key));
  return { row, made: expiry_days === null ? undefined : await makeSecret(ctx, row, expiry_days) };
}

export async function changeKey(
  ctx: Ctx,
  id: string,
  body: KeyBody,
): Promise<{ before: KeyRow; row: KeyRow; changed: boolean }> {
  const { db, account_id, settings } = ctx;
  await lockAccount(db, account_id);
  const before = await getKey(ctx, id);
  const row = { ...withBody(before, body, settings.edition), expiry_days: expiryAfter(before, body) };
  if (isDeepStrictEqual(shown(row, settings.edition), shown(before, settings.edition))) {
    return { before, row: before, changed: false };
  }
  assertName(row.name);
  assertHeld(ctx, before);
  assertHeld(ctx, row);
  assertNoWider(ctx, row);
  assertStillHere(ctx, row);
  const others = (await listKeys(db, account_id)).filter((key) => key.id !== id);
  assertNameFree(row, others);
  if (!holdsKeys(row) || isShut(row)) assertHolderLeft(before, others);
  await updateKey(db, row);
  return { before, row, changed: true };
}

export async function removeKey(ctx: Ctx, id: string): Promise<KeyRow> {
  const { db, account_id } = ctx;
  await lockAccount(db, account_id);
  const row = await getKey(ctx, id);
  assertHeld(ctx, row);
  assertHolderLeft(
    row,
    (await listKeys(db, account_id)).filter((key) => key.id !== id),
  );
  await deleteKey(db, row);
  return row;
}

export async function getKey({ db, account_id }: Ctx, id: string): Promise<KeyRow> {
  const row = await findKey(db, account_id, id);
  if (!row) throw missing("api key not found", { id });
  return row;
}

/** What the secrets kit binds a key string to. */
export const secretContext = (id: string) => `api_key.secret:${id}`;

const grantOfKey = (row: KeyRow) => grantOf(permissionsOf(row));

/** Whether the key's string would let the caller do nothing that it cannot do as it is. */
export const isNoMoreThan = (caller: Caller, row: KeyRow) =>
  holdsAll(caller.access, [grantOfKey(row)]) && isNoWider(caller, row);

/** Stored permissions went through `mergePermissions`. */
export const permissionsOf = ({ permissions }: KeyRow) => permissions as Permissions;

function withBody(before: KeyRow, body: KeyBody, edition: Ctx["settings"]["edition"]): KeyRow {
  if (body.teams && body.teams.length > 0) throw notBuilt("teams are not built yet", { field: "teams" });
  const ip_whitelist = body.ip_whitelist === undefined ? before.ip_whitelist : (body.ip_whitelist ?? []);
  assertAllowList(ip_whitelist, "ip_whitelist");
  const strict = body.ip_whitelist_strict === undefined ? before.ip_whitelist_strict : body.ip_whitelist_strict;
  return {
    ...before,
    name: body.name ?? before.name,
    ip_whitelist,
    ip_whitelist_strict: strict ?? false,
    permissions: permissionsAfter(permissionsOf(before), body.permissions, edition),
  };
}

/** A string that was given out without an end is not given one afterwards: it is rotated instead. */
function expiryAfter({ expiry_days }: KeyRow, { expiry_duration }: KeyBody): number | null {
  if (!expiry_duration) return expiry_days;
  const field = "expiry_duration";
  if (expiry_days === null) throw invalid("expiry_duration: the key was made without, and keeps its string", { field });
  return daysOf(expiry_duration, field);
}

function permissionsAfter(before: Permissions, said: KeyBody["permissions"], edition: Ctx["settings"]["edition"]) {
  if (said === undefined) return before;
  return said === null ? {} : mergePermissions(before, said, edition);
}

const shown = (row: KeyRow, edition: Ctx["settings"]["edition"]) => ({
  ...row,
  permissions: showPermissions(permissionsOf(row), edition),
});

function assertName(name: string): void {
  const { length } = [...name];
  if (length < 2 || length > 64) throw invalid("name must have 2 to 64 characters", { field: "name" });
}

function assertNameFree(row: KeyRow, keys: readonly KeyRow[]): void {
  if (keys.some(({ name }) => name === row.name)) {
    throw conflict(`api key with name "${row.name}" exists`, { name: row.name });
  }
}

/** Nobody makes a key that may do more than they may, and none that does so already is theirs to change or delete. */
export function assertHeld({ caller }: Ctx, row: KeyRow): void {
  const permissions = beyond(caller.access, [grantOfKey(row)]);
  if (permissions.length === 0) return;
  const message = `You are not allowed to modify the following permissions: ${permissions.join(", ")}`;
  throw denied(message, { permissions });
}

const isNoWider = ({ allowed }: Caller, row: KeyRow) =>
  allowed === undefined || (row.ip_whitelist_strict && isWithin(row.ip_whitelist, allowed));

/** Whoever is held to some addresses makes no key that is not. */
export function assertNoWider({ caller }: Ctx, row: KeyRow): void {
  if (isNoWider(caller, row)) return;
  const message =
    "your key is held to an allow list: ip_whitelist_strict must be true and ip_whitelist within your own";
  throw denied(message, { field: row.ip_whitelist_strict ? "ip_whitelist" : "ip_whitelist_strict" });
}

/** Nobody shuts out themselves. */
function assertStillHere({ caller, address }: Ctx, row: KeyRow): void {
  if (caller.id !== row.id || !row.ip_whitelist_strict || address === undefined) return;
  if (isListed(row.ip_whitelist, address)) return;
  const message = `ip_whitelist does not contain ${address}, from where you ask: your own key would be of no more use`;
  throw invalid(message, { field: "ip_whitelist", address });
}

const holdsKeys = (row: KeyRow) => isGranted(permissionsOf(row), "account.manage_apikeys");

/** An empty list that counts keeps everybody out. */
const isShut = (row: KeyRow) => row.ip_whitelist_strict && row.ip_whitelist.length === 0;

/** One that expires leaves nobody behind one day. */
const staysHolder = (row: KeyRow) => holdsKeys(row) && !isShut(row) && row.expiry_days === null;

function assertHolderLeft(leaving: KeyRow, others: readonly KeyRow[]): void {
  if (holdsKeys(leaving) && !others.some(staysHolder)) {
    throw invalid("the last API key with the permission manage_apikeys must stay", { permission: "manage_apikeys" });
  }
}
