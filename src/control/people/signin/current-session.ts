/** The session of a request. Sign-in routes are open and check it themselves: an incomplete session is no caller. */

import type { Sender } from "../../../http/route/service.ts";
import { denied, unauthenticated } from "../../../lib/problem.ts";
import { assertAdmitted } from "../../access/admission.ts";
import type { Ctx } from "../../write/context.ts";
import type { SignInCtx } from "./context.ts";
import type { Session } from "./sessions.ts";
import { refusals, type Stage } from "./stage.ts";

/** Throws unless the request has a session in one of the stages and comes from an address that its user may use. */
export async function getSession(ctx: SignInCtx, ...stages: readonly Stage[]): Promise<Session> {
  const sender = senderOf(ctx);
  const session = await ctx.sessions.find(sender.credentials, sender);
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
