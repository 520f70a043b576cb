/** The routes of signing in, for the pages of a portal and for our own pages. */

import { Type } from "typebox";
import { maybe } from "../../kit/schema.ts";
import type { Ctx } from "../../write/context.ts";
import { removeSession } from "../credentials/session-store.ts";
import type { SignInCtx } from "./context.ts";
import { route } from "./context.ts";
import { getSession, replyOf, senderOf, signedOut } from "./current-session.ts";
import { askForReset, changePassword, setPasswordBy } from "./newpassword.ts";
import { resourceOf } from "./proofs.ts";
import {
  code,
  nameOrAddress,
  newPassword,
  ofPages,
  password,
  recoveryCode,
  SignedIn,
  username,
  userShown,
  writes,
} from "./schema.ts";
import { userOf } from "./sessions.ts";
import { type Entered, enter, enterSecondFactor } from "./sign-in.ts";

const cookie = "Sets the session's cookie, and ends the browser's earlier session.";
const tokenBody = (id: string) =>
  Type.Object({ token: Type.String({ maxLength: 256 }), password: newPassword }, { $id: id });

export const signInRoutes = [
  route({
    ...ofPages,
    ...writes,
    path: "/v1/auth/signin",
    summary: "Sign in with a password",
    desc: `${cookie} A wrong password, a right one from an address that the user may not use and an unknown user get the same refusal. Repeated guesses have to wait.`,
    body: Type.Object({ username, password }, { $id: "SignInBody" }),
    reply: SignedIn,
    run: async ({ body }, ctx) => signedIn(ctx, await enter(ctx, body.username, body.password)),
  }),
  route({
    ...ofPages,
    ...writes,
    path: "/v1/auth/secondfactor",
    summary: "Sign in: the second step",
    desc: "Takes a code or a recovery code, each of which is accepted once. The session gets a new cookie.",
    body: Type.Object({ code: maybe(code), recovery_code: maybe(recoveryCode) }, { $id: "SecondFactorBody" }),
    reply: SignedIn,
    run: async ({ body }, ctx) => signedIn(ctx, await enterSecondFactor(ctx, body)),
  }),
  route({
    ...ofPages,
    ...writes,
    path: "/v1/auth/signout",
    summary: "Sign out",
    reply: "status",
    async run(_, ctx) {
      const session = await getSession(ctx, "full", "second_factor", "enrolment");
      const resource = resourceOf(session.signer);
      const end = async (tx: Ctx) => {
        await removeSession(tx.db, userOf(session), session.id);
        tx.afterCommit("callers");
        return { result: undefined, resource };
      };
      await ctx.transact(["user", "sign_out"], end, session.caller);
      return signedOut(ctx);
    },
  }),
  route({
    ...ofPages,
    ...writes,
    path: "/v1/auth/invitation",
    summary: "Accept an invitation",
    desc: `Takes the token of the link and a new password. ${cookie}`,
    body: tokenBody("InvitationBody"),
    reply: SignedIn,
    run: async ({ body }, ctx) => signedIn(ctx, await setPasswordBy(ctx, "invitation", body.token, body.password)),
  }),
  route({
    ...ofPages,
    ...writes,
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
    ...ofPages,
    ...writes,
    path: "/v1/auth/reset",
    summary: "Set a new password with the token of a link",
    desc: `The user's sessions end. ${cookie} A second factor is required as usual.`,
    body: tokenBody("ResetBody"),
    reply: SignedIn,
    run: async ({ body }, ctx) => signedIn(ctx, await setPasswordBy(ctx, "reset", body.token, body.password)),
  }),
  route({
    ...ofPages,
    ...writes,
    path: "/v1/auth/password",
    summary: "Change the password",
    desc: "The user's other sessions end, and this session gets a new cookie.",
    body: Type.Object({ password, new_password: newPassword }, { $id: "PasswordBody" }),
    reply: SignedIn,
    run: async ({ body }, ctx) => signedIn(ctx, await changePassword(ctx, body.password, body.new_password)),
  }),
  route({
    ...ofPages,
    method: "GET",
    path: "/v1/auth/session",
    summary: "Get the current session",
    reply: Type.Object({
      ...SignedIn.properties,
      ends: Type.Integer({ description: "The time at which the session ends at the latest, in Unix seconds." }),
    }),
    async run(_, ctx) {
      const { stage, signer, ends } = await getSession(ctx, "full", "second_factor", "enrolment");
      const csrf_token = ctx.sessions.csrfOf(senderOf(ctx).credentials.session ?? "");
      return { stage, csrf_token, user: userShown(signer), ends };
    },
  }),
];

export const signedIn = (ctx: SignInCtx, { begun, signer }: Entered) =>
  replyOf(ctx, begun, { user: userShown(signer) });
