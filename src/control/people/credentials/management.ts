/** Administrators' changes to a user's sign-in, each in the transaction of the write. */
import type { Ctx } from "../../write/context.ts";
import { findCredential, removeCredential, removeRecoveryCodes, removeSecondFactor } from "./credential-store.ts";
import { removeSessions } from "./session-store.ts";
import { issueToken } from "./token.ts";
import { removeTokens, type UserRef } from "./token-store.ts";

type Ending = Pick<Ctx, "db" | "afterCommit">;

/** Issues the token of a new invitation, for `pageLink`. Tokens of earlier invitations become invalid. */
export const inviteUser = (ctx: Pick<Ctx, "db" | "secrets" | "now">, user: UserRef): Promise<string> =>
  issueToken(ctx, user, "invitation");

/** Whether the user has set a password and therefore cannot be invited again. */
export async function hasSignedIn({ db }: Pick<Ctx, "db">, user: UserRef): Promise<boolean> {
  return ((await findCredential(db, user))?.password ?? null) !== null;
}

/** Removes the second factor and ends the user's sessions. Returns whether the user had a second factor. */
export async function resetSecondFactor(ctx: Ending, user: UserRef): Promise<boolean> {
  const had = await removeSecondFactor(ctx.db, user);
  await endSessions(ctx, user);
  return had;
}

/** Ends all sessions of a user whose way to sign in has changed or is gone. */
async function endSessions(ctx: Ending, user: UserRef): Promise<void> {
  await removeSessions(ctx.db, user);
  ctx.afterCommit("callers");
}

/** Removes every credential, token and session of a user who is about to be deleted. */
export async function revokeAll(ctx: Ending, user: UserRef): Promise<void> {
  await removeTokens(ctx.db, user);
  await removeRecoveryCodes(ctx.db, user);
  await removeCredential(ctx.db, user);
  // last: without a password no new session can begin
  await endSessions(ctx, user);
}
