/** The routes of signing in, for the pages of a portal and for our own pages. */

import { Type } from "typebox";
import { composeCookie } from "../../../http/message/cookie.ts";
import { Reply } from "../../../http/route/route.ts";
import { maybe } from "../../kit/schema.ts";
import { removeSession } from "../credentials/session-store.ts";
import { route, type SignInCtx, writeAs } from "./context.ts";
import { getSession, senderOf } from "./current-session.ts";
import { signInFirst } from "./links.ts";
import { askForReset, changePassword, setPasswordBy } from "./newpassword.ts";
import {
  bothProofs,
  code,
  nameOrAddress,
  newPassword,
  password,
  recoveryCode,
  SignedIn,
  signInRoute,
  signInWrite,
  username,
  userShown,
} from "./schema.ts";
import { completeSignIn, confirmSession, type SignInResult, signIn } from "./sign-in.ts";

const cookie = "Sets the session's cookie, and ends the browser's earlier session.";
const token = Type.String({ maxLength: 256, description: "The text after # in the link." });
const tokenBody = (id: string) => Type.Object({ token, password: newPassword }, { $id: id });

export const signInRoutes = [
  route({
    ...signInWrite,
    path: "/v1/auth/signin",
    summary: "Sign in with a password",
    desc: `${cookie} A wrong password, a right password from an address that the user may not use, and an unknown user get the same refusal. Repeated guesses have to wait.`,
    body: Type.Object({ username, password }, { $id: "SignInBody" }),
    reply: SignedIn,
    run: async ({ body }, ctx) => signInReply(ctx, await signIn(ctx, body.username, body.password)),
  }),
  route({
    ...signInWrite,
    fromHere: true,
    path: "/v1/auth/first",
    summary: "Sign in as the first user",
    desc: `Takes the token of the link that a start prints on a terminal while the first user has no password. It works once, for 15 minutes, and until the next start. The request must come from the machine of the service, to a loopback address and through no proxy. ${cookie} Then set a password (POST /v1/auth/password).`,
    body: Type.Object({ token }, { $id: "FirstSignInBody" }),
    reply: SignedIn,
    run: async ({ body }, ctx) => signInReply(ctx, await signInFirst(ctx, body.token)),
  }),
  route({
    ...signInWrite,
    path: "/v1/auth/secondfactor",
    summary: "Sign in: the second step",
    desc: "Takes a code or a recovery code, each of which is accepted once. The session gets a new cookie.",
    body: Type.Object({ code: maybe(code), recovery_code: maybe(recoveryCode) }, { $id: "SecondFactorBody" }),
    reply: SignedIn,
    run: async ({ body }, ctx) => signInReply(ctx, await completeSignIn(ctx, body)),
  }),
  route({
    ...signInWrite,
    path: "/v1/auth/signout",
    summary: "Sign out",
    reply: "status",
    async run(_, ctx) {
      const { id, user } = await getSession(ctx, "full", "second_factor", "enrolment");
      await writeAs(ctx, user, "sign_out", async (tx) => {
        await removeSession(tx.db, user, id);
        tx.afterCommit("callers");
      });
      return new Reply({}, { cookie: composeCookie(ctx.settings.publicUrl, undefined) });
    },
  }),
  route({
    ...signInWrite,
    path: "/v1/auth/confirm",
    summary: "Give the password again",
    desc: "Requires the password, and a code or a recovery code if the user has a second factor. For 15 minutes after this, or after signing in, the session may change users, teams, keys and allow lists. The lifetime of the session begins again.",
    body: bothProofs,
    reply: "status",
    async run({ body }, ctx) {
      await confirmSession(ctx, body.password, body);
      return {};
    },
  }),
  route({
    ...signInWrite,
    path: "/v1/auth/invitation",
    summary: "Accept an invitation",
    desc: `Takes the token of the link and a new password. ${cookie}`,
    body: tokenBody("InvitationBody"),
    reply: SignedIn,
    run: async ({ body }, ctx) => signInReply(ctx, await setPasswordBy(ctx, "invitation", body.token, body.password)),
  }),
  route({
    ...signInWrite,
    path: "/v1/auth/forgot",
    summary: "Ask for a link to set a new password",
    desc: "The reply is the same whether or not the user exists. Each user with the e-mail address gets a separate link.",
    body: Type.Object({ username: nameOrAddress }, { $id: "ForgotBody" }),
    reply: "status",
    async run({ body }, ctx) {
      await askForReset(ctx, body.username);
      return {};
    },
  }),
  route({
    ...signInWrite,
    path: "/v1/auth/reset",
    summary: "Set a new password with the token of a link",
    desc: `The user's sessions end. ${cookie} A second factor is required as usual.`,
    body: tokenBody("ResetBody"),
    reply: SignedIn,
    run: async ({ body }, ctx) => signInReply(ctx, await setPasswordBy(ctx, "reset", body.token, body.password)),
  }),
  route({
    ...signInWrite,
    path: "/v1/auth/password",
    summary: "Change the password, or set the first one",
    desc: "Requires the current password, unless the user has none yet (`has_password`). The user's other sessions end, and this session gets a new cookie.",
    body: Type.Object({ password: maybe(password), new_password: newPassword }, { $id: "PasswordBody" }),
    reply: SignedIn,
    run: async ({ body }, ctx) => signInReply(ctx, await changePassword(ctx, body.password, body.new_password)),
  }),
  route({
    ...signInRoute,
    method: "GET",
    path: "/v1/auth/session",
    summary: "Get the current session",
    reply: Type.Object({
      ...SignedIn.properties,
      ends: Type.Integer({ description: "The time at which the session ends at the latest, in Unix seconds." }),
    }),
    async run(_, ctx) {
      const { stage, user, ends } = await getSession(ctx, "full", "second_factor", "enrolment");
      const csrf_token = ctx.sessions.csrfOf(senderOf(ctx).credentials.session ?? "");
      return { stage, csrf_token, user: userShown(user), ends };
    },
  }),
];

/** The reply of a request that begins a session: it sets the cookie. */
export function signInReply<T extends SignInResult>(ctx: SignInCtx, { newSession, user, ...rest }: T) {
  const { stage, secret, csrf } = newSession;
  const body = { user: userShown(user), ...rest, stage, csrf_token: csrf };
  return new Reply(body, { cookie: composeCookie(ctx.settings.publicUrl, secret) });
}
