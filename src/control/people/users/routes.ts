/** The routes of users. */
import { type Static, Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import { invalid } from "../../../lib/problem.ts";
import { shownPermissions } from "../../access/standing.ts";
import { limits } from "../../kit/limits.ts";
import { pageById, shownPage } from "../../kit/listing.ts";
import type { Ctx } from "../../write/context.ts";
import { route } from "../../write/route.ts";
import { loginOf } from "../members/login.ts";
import { listUsersWith } from "../members/members-store.ts";
import { listRows } from "../members/rows-store.ts";
import { findTeamsOf } from "../members/team-store.ts";
import type { UserRow } from "../members/user-store.ts";
import { InviteBody, NamedUserBody, NewUserBody, User, UserBody } from "./schema.ts";
import {
  changeUser,
  createUser,
  getUser,
  getUserToWrite,
  notifyOf,
  reinviteUser,
  removeUser,
  resetFactor,
} from "./write.ts";

const tag = "Account";
const path = "/v1/account/users";
const right = "account.manage_users";

const creation =
  "An omitted right is granted. Callers can only grant rights that they hold. The user gets a mail with a link that " +
  "sets a password; in edition ddi the reply contains the link's token instead.";

export const userRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "List users",
    right,
    reply: Type.Array(User),
    page: limits.users,
    async run({ page }, ctx) {
      const found = await pageById(page, (part) => listRows(ctx.db, "account_user", ctx.account_id, part));
      const { shown, last } = await shownPage(found, await showing(ctx, found.items));
      return new Reply(shown, { next: last?.id });
    },
  }),
  route({
    method: "GET",
    path: `${path}/:username`,
    tag,
    summary: "Get a user",
    right,
    reply: User,
    run: async ({ params }, ctx) => await replyOf(ctx, await getUser(ctx, params.username)),
  }),
  route({
    method: "PUT",
    path,
    tag,
    summary: "Create a user",
    desc: creation,
    right,
    exclusive: true,
    secret: true,
    body: NewUserBody,
    reply: User,
    log: ["user", "create"],
    run: async ({ body }, ctx) => await created(ctx, body),
  }),
  route({
    method: "PUT",
    path: `${path}/:username`,
    tag,
    summary: "Create the user named in the path",
    desc: creation,
    right,
    exclusive: true,
    secret: true,
    body: NamedUserBody,
    reply: User,
    log: ["user", "create"],
    async run({ params, body }, ctx) {
      const username = body.username ?? params.username;
      if (loginOf(username) !== loginOf(params.username)) {
        throw invalid(`username is ${username} in the body and ${params.username} in the path`, { field: "username" });
      }
      return await created(ctx, { ...body, username });
    },
  }),
  route({
    method: "POST",
    path: `${path}/:username`,
    tag,
    summary: "Change a user",
    desc:
      "Omitted fields keep their values. When the address changes, links sent to the old address stop working: a user who " +
      "has not signed in yet has to be invited again.",
    right,
    exclusive: true,
    body: UserBody,
    reply: User,
    log: ["user", "update"],
    async run({ params, body }, ctx) {
      const { before, row, changed } = await changeUser(ctx, params.username, body);
      const reply = await replyOf(ctx, row);
      return new Reply(reply, changed ? { before: await replyOf(ctx, before) } : { changed });
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/:username`,
    tag,
    summary: "Delete a user",
    desc: "Ends the user's sessions. The last user with manage_users and manage_apikeys cannot be deleted, nor can users delete themselves.",
    right,
    exclusive: true,
    reply: "status",
    log: ["user", "delete"],
    async run({ params }, ctx) {
      const row = await getUserToWrite(ctx, params.username);
      const shown = await replyOf(ctx, row);
      await removeUser(ctx, row);
      return shown;
    },
  }),
  route({
    method: "POST",
    path: "/v1/account/reinvite/:username",
    tag,
    summary: "Invite a user again",
    desc: "Sends a new link, which replaces earlier links, to a user who has not set a password yet.",
    right,
    exclusive: true,
    body: InviteBody,
    reply: "status",
    log: ["user", "reinvite"],
    run: async ({ params, body }, ctx) => await replyOf(ctx, await reinviteUser(ctx, params.username, body)),
  }),
  route({
    method: "DELETE",
    path: "/v1/account/2factor/reset/:username",
    tag,
    summary: "Reset a user's second factor",
    desc: "The user can then sign in with the password alone, and is notified by mail. Ends the user's sessions.",
    right,
    exclusive: true,
    reply: "status",
    confirmation: "Two-factor authentication is disabled for the user.",
    log: ["user", "reset_2fa"],
    async run({ params }, ctx) {
      const { row, had } = await resetFactor(ctx, params.username);
      const reply = await replyOf(ctx, row);
      return had ? reply : new Reply(reply, { changed: false });
    },
  }),
];

async function created(ctx: Ctx, body: NewUserBody): Promise<Static<typeof User>> {
  const { row, ...token } = await createUser(ctx, body);
  return { ...(await replyOf(ctx, row)), ...token };
}

const replyOf = async (ctx: Ctx, row: UserRow) => (await showing(ctx, [row]))(row);

/** Reads the teams and second factors of the rows, and returns a function that makes a row's reply. */
async function showing(
  { db, account_id, settings }: Ctx,
  rows: readonly UserRow[],
): Promise<(row: UserRow) => Static<typeof User>> {
  const teams = await findTeamsOf(db, account_id, rows);
  const ids = rows.map(({ id }) => id);
  const factors = await listUsersWith(db, account_id, "totp_since", ids);
  return (row) => ({
    id: row.id,
    username: row.username,
    email: row.email,
    name: row.name,
    teams: row.teams,
    permissions: shownPermissions(row, teams, settings.edition),
    ip_whitelist: row.ip_whitelist,
    ip_whitelist_strict: row.ip_whitelist_strict,
    notify: notifyOf(row),
    ...(Object.keys(row.shared_auth).length > 0 ? { shared_auth: row.shared_auth } : {}),
    "2fa_enabled": factors.has(row.id),
    last_access: row.last_access,
    created: row.created,
  });
}
