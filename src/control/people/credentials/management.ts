/** What those who manage users do to a user's sign-in; all of it in the transaction of their write. */
import type { Ctx } from "../../write/context.ts";
import { findCredential, removeCredential, removeRecoveryCodes, removeSecondFactor } from "./credential-store.ts";
import { removeSessions } from "./session-store.ts";
import { issueToken } from "./token.ts";
import { removeTokens, type UserRef } from "./token-store.ts";

type Ending = Pick<Ctx, "db" | "afterCommit">;

/** The token of a new invitation, which `pageLink` makes a link of; those of earlier ones open nothing any more. */
export const inviteUser = (ctx: Pick<Ctx, "db" | "secrets" | "now">, user: UserRef): Promise<string> =>
  issueToken(ctx, user, "invitation");

/** Whether the user has set a password, and so cannot be invited again. */
export async function hasSignedIn({ db }: Pick<Ctx, "db">, user: UserRef): Promise<boolean> {
  return ((await findCredential(db, user))?.password ?? null) !== null;
}

/** Takes the second factor away, and ends the user's sessions. Returns whether there was one. */
export async function resetSecondFactor(ctx: Ending, user: UserRef): Promise<boolean> {
  const had = await removeSecondFactor(ctx.db, user);
  await endSessions(ctx, user);
  return had;
}

/** For a user who may not sign in any more, or not as before. */
async function endSessions(ctx: Ending, user: UserRef): Promise<void> {
  await removeSessions(ctx.db, user);
  ctx.afterCommit("callers");
}

/** For a user who is to be deleted: nothing is left that opens anything. */
export async function revokeAll(ctx: Ending, user: UserRef): Promise<void> {
  await removeTokens(ctx.db, user);
  await removeRecoveryCodes(ctx.db, user);
  await removeCredential(ctx.db, user);
  // last, as none begins without a password
  await endSessions(ctx, user);
}
