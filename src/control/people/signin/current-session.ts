/**
 * The session of a request. Sign-in routes are open and check it themselves, since an incomplete session is no caller.
 */

import { composeCookie } from "../../../http/message/cookie.ts";
import { Reply } from "../../../http/route/route.ts";
import type { Sender } from "../../../http/route/service.ts";
import { denied, unauthenticated } from "../../../lib/problem.ts";
import { assertAdmitted } from "../../access/admission.ts";
import type { Ctx } from "../../write/context.ts";
import type { SignInCtx } from "./context.ts";
import type { Begun, Session } from "./sessions.ts";
import { refusals, type Stage } from "./stage.ts";

/** Throws unless the request has a session in one of the stages and comes from an address that its user may use. */
export async function getSession(ctx: SignInCtx, ...stages: readonly Stage[]): Promise<Session> {
  const sender = senderOf(ctx);
  const session = await ctx.sessions.find(sender.credentials);
  if (session === undefined) throw notSignedIn();
  assertAdmitted(session.caller, sender.address);
  if (!stages.includes(session.stage)) {
    throw denied(refusals[session.stage], { stage: session.stage });
  }
  return session;
}

export const notSignedIn = () => unauthenticated("you are not signed in, or your session has ended");

export function senderOf({ sender }: Pick<Ctx, "sender">): Sender {
  if (!sender) throw new Error("only requests have senders");
  return sender;
}

/** The reply to a page whose session has begun; it sets the cookie. */
export const replyOf = <T extends object>(ctx: SignInCtx, { stage, secret, csrf }: Begun, rest: T) =>
  new Reply({ ...rest, stage, csrf_token: csrf }, { cookie: composeCookie(ctx.settings.publicUrl, secret) });

/** The reply to a page whose session has ended; it deletes the cookie. */
export const signedOut = (ctx: SignInCtx) =>
  new Reply({}, { cookie: composeCookie(ctx.settings.publicUrl, undefined) });
