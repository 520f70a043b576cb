/**
 * Creating, inviting, changing and deleting users. Callers can only grant rights they hold, and an administrator must
 * remain.
 */
import { isDeepStrictEqual } from "node:util";
import { newId } from "../../../lib/ids.ts";
import { invalid, missing, notBuilt } from "../../../lib/problem.ts";
import { isOneLine, mailAddress } from "../../../lib/text/email.ts";
import { isObject } from "../../../lib/values.ts";
import { changeHolder, type Reading, type Teams } from "../../access/holder.ts";
import { assertLasting, assertNoGain, assertNoLockout } from "../../access/lifetime.ts";
import type { Edition } from "../../access/rights.ts";
import { assertGivable, assertHeld, assertNotLockedOut, shownPermissions, standingOf } from "../../access/standing.ts";
import { limits } from "../../kit/limits.ts";
import type { Ctx } from "../../write/context.ts";
import { countAttempt } from "../credentials/attempts.ts";
import { hasPassword, resetSecondFactor, revokeAll } from "../credentials/management.ts";
import { issueToken, pageLink } from "../credentials/token.ts";
import { removeRows } from "../credentials/user-rows-store.ts";
import { redirectMail } from "../mail/queue.ts";
import { deleteLinkMail, deleteMailAbout } from "../mail/store.ts";
import { assertUsername } from "../members/login.ts";
import { assertAdministratorRemains } from "../members/members.ts";
import { assertRoom } from "../members/room.ts";
import { countRows } from "../members/rows-store.ts";
import { findTeams } from "../members/team-store.ts";
import { blankUser, deleteUser, findUser, insertUser, type UserRow, updateUser } from "../members/user-store.ts";
import { addressChanged, invitation, secondFactorReset } from "./letters.ts";
import { mailUser } from "./mail.ts";
import type { NewUserBody, UserBody } from "./schema.ts";

/** Returns the invitation's token in edition ddi, whose invitations are not sent by mail. */
export async function createUser(ctx: Ctx, body: NewUserBody): Promise<{ row: UserRow; invite_token?: string }> {
  const { db, account_id, settings, now } = ctx;
  const blank: UserRow = {
    ...blankUser,
    account_id,
    id: newId(),
    username: "",
    email: "",
    name: "",
    permissions: {},
    created: now,
  };
  assertUsername(body.username);
  assertEmail(body.email);
  if ((await countRows(db, "account_user", account_id)) >= limits.users) {
    throw invalid(`an account can have at most ${limits.users} users`);
  }
  const teams = await findTeams(db, account_id, body.teams ?? []);
  const row = withBody(blank, body, teams, ctx);
  assertGivable(ctx.caller, standingOf(row, teams));
  assertLasting(ctx.caller);
  await assertRoom(ctx, "account_user", row);
  await insertUser(db, row);
  if (settings.edition === "ddi") return { row, invite_token: await issueToken(ctx, row, "invitation") };
  await sendInvitation(ctx, row);
  return { row };
}

export async function changeUser(
  ctx: Ctx,
  username: string,
  body: UserBody,
): Promise<{ before: UserRow; row: UserRow; changed: boolean }> {
  const before = await getUserToWrite(ctx, username);
  return await change(ctx, before, body);
}

async function change(ctx: Ctx, before: UserRow, body: UserBody) {
  const { db, account_id, settings, caller } = ctx;
  const teams = await findTeams(db, account_id, [...before.teams, ...(body.teams ?? [])]);
  const row = withBody(before, body, teams, ctx);
  if (isDeepStrictEqual(shown(row, teams, settings.edition), shown(before, teams, settings.edition))) {
    return { before, row: before, changed: false };
  }
  const held = standingOf(before, teams);
  const standing = standingOf(row, teams);
  assertHeld(caller, held);
  assertGivable(caller, standing);
  assertNoGain(caller, held, standing);
  assertNoLockout(caller, before, held, standing);
  // the owner of the new address can take over the user by a password reset
  if (row.email !== before.email) {
    assertGivable(caller, held);
    assertLasting(caller);
  }
  if (caller.id === row.id) assertNotLockedOut(standing, ctx.sender?.address);
  await assertAdministratorRemains(db, account_id, {
    before: { rows: [before], teams },
    after: { rows: [row], teams },
  });
  await assertRoom(ctx, "account_user", row, before);
  await updateUser(db, row, before);
  // links already sent to the old address must not work any more
  if (row.email !== before.email) {
    await removeRows(db, "user_token", row);
    await redirectMail(ctx, row.id, before.email, row.email);
    if (await hasPassword(ctx, row)) await notifyFormerAddress(ctx, before);
  }
  ctx.afterCommit("callers");
  return { before, row, changed: true };
}

export async function removeUser(ctx: Ctx, row: UserRow): Promise<void> {
  const { db, account_id, caller } = ctx;
  const teams = await findTeams(db, account_id, row.teams);
  assertGivable(caller, standingOf(row, teams));
  if (caller.id === row.id)
    throw invalid("you cannot delete your own user; ask another administrator", { username: row.username });
  await assertAdministratorRemains(db, account_id, { before: { rows: [row], teams }, after: { rows: [], teams } });
  await deleteMailAbout(db, account_id, row.id);
  await revokeAll(ctx, row);
  await deleteUser(db, row);
}

/** Sends a new invitation, which replaces earlier invitations. */
export async function reinviteUser(ctx: Ctx, username: string, body: UserBody): Promise<UserRow> {
  const before = await getUserToWrite(ctx, username);
  if (await hasPassword(ctx, before)) {
    const message = `user ${before.username} has already set a password; use "forgot password" to get a new one`;
    throw invalid(message, { username: before.username });
  }
  const { row } = await change(ctx, before, body);
  if (row.email === "") throw invalid("the user has no e-mail address; add email to the request", { field: "email" });
  await assertMayActAs(ctx, row);
  await removeRows(ctx.db, "user_token", row);
  await deleteLinkMail(ctx.db, ctx.account_id, row.id);
  await sendInvitation(ctx, row);
  return row;
}

/** `had` is false if the user had no second factor. */
export async function resetFactor(ctx: Ctx, username: string): Promise<{ row: UserRow; had: boolean }> {
  const row = await getUserToWrite(ctx, username);
  if (ctx.caller.id === row.id) {
    throw invalid("you cannot reset your own second factor; ask another administrator", { username: row.username });
  }
  await assertMayActAs(ctx, row);
  const had = await resetSecondFactor(ctx, row);
  if (had) await mailUser(ctx, row, secondFactorReset);
  return { row, had };
}

/** By default, throws the message that clients expect from reads. */
export async function getUser({ db, account_id }: Ctx, username: string, message = "user not found"): Promise<UserRow> {
  const row = await findUser(db, account_id, username);
  if (!row) throw missing(message, { username });
  return row;
}

/** Throws the message that clients compare at writes. */
export const getUserToWrite = (ctx: Ctx, username: string): Promise<UserRow> => getUser(ctx, username, "Unknown user");

/** A caller who gives a user a new way to sign in could act as that user, and so must hold all of the user's rights. */
async function assertMayActAs(ctx: Ctx, row: UserRow): Promise<void> {
  const teams = await findTeams(ctx.db, ctx.account_id, row.teams);
  assertGivable(ctx.caller, standingOf(row, teams));
  assertLasting(ctx.caller);
}

/** The former address may belong to anyone, so these mails share the invitations' limit on mail to strangers. */
async function notifyFormerAddress(ctx: Ctx, before: UserRow): Promise<void> {
  if (before.email === "") return;
  await countAttempt(ctx, ["move", before.id], ["invitation", ctx.account_id]);
  await mailUser(ctx, before, addressChanged);
}

/** Invitations go to any address that a caller names, so their number per account is limited. */
async function sendInvitation(ctx: Ctx, row: UserRow): Promise<void> {
  const token = await issueToken(ctx, row, "invitation", row.email);
  await countAttempt(ctx, ["invitation", ctx.account_id]);
  await mailUser(ctx, row, () => invitation(row, pageLink(ctx.settings.publicUrl, "invitation", token)));
}

function withBody(before: UserRow, body: UserBody, teams: Teams, reading: Reading): UserRow {
  const row: UserRow = {
    ...before,
    username: body.username ?? before.username,
    email: body.email ?? before.email,
    name: body.name === undefined ? before.name : (body.name ?? ""),
    notify: body.notify === undefined ? before.notify : mergeNotify(before.notify, body.notify),
    shared_auth: body.shared_auth === undefined ? before.shared_auth : (body.shared_auth ?? {}),
    ...changeHolder(before, body, teams, reading),
  };
  // stored values may break these rules, such as the first user's missing address
  if (row.username !== before.username) assertUsername(row.username);
  if (row.email !== before.email) assertEmail(row.email);
  if (row.name !== before.name) assertName(row.name);
  assertSharedAuth(row.shared_auth);
  return row;
}

/** Merges the sent fields into the stored ones; null resets a field, or all of them, to the default. */
const mergeNotify = (before: UserRow["notify"], sent: UserBody["notify"]): UserRow["notify"] =>
  sent ? Object.fromEntries(Object.entries({ ...before, ...sent }).filter(([, value]) => value !== null)) : {};

function assertEmail(email: string): void {
  if (mailAddress(email) !== undefined) return;
  throw invalid("email must be one address, such as ann@example.com", { field: "email" });
}

function assertName(name: string): void {
  if ([...name].length > 255 || !isOneLine(name)) {
    throw invalid("name must be one line of at most 255 characters", { field: "name" });
  }
}

function assertSharedAuth({ saml }: UserRow["shared_auth"]): void {
  if (!isObject(saml) || saml["sso"] !== true) return;
  throw notBuilt("single sign-on by SAML is not available yet: shared_auth.saml.sso must be false", {
    field: "shared_auth.saml.sso",
  });
}

/** The mails that the user wants. */
export const notifyOf = ({ notify }: UserRow) => ({ billing: notify["billing"] === true });

const shown = (row: UserRow, teams: Teams, edition: Edition) => ({
  ...row,
  notify: notifyOf(row),
  permissions: shownPermissions(row, teams, edition),
});
