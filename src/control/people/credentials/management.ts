/** Administrators' changes to a user's sign-in, each in the transaction of the write. */
import type { Ctx } from "../../write/context.ts";
import { findCredential, removeSecondFactor } from "./credential-store.ts";
import { removeSessions } from "./session-store.ts";
import { removeRows, type UserRef } from "./user-rows-store.ts";

type WriteCtx = Pick<Ctx, "db" | "afterCommit">;

/** Whether the user has set a password and therefore cannot be invited again. */
export async function hasPassword({ db }: Pick<Ctx, "db">, user: UserRef): Promise<boolean> {
  return ((await findCredential(db, user))?.password ?? null) !== null;
}

/** Removes the second factor and ends the user's sessions. Returns whether the user had a second factor. */
export async function resetSecondFactor(ctx: WriteCtx, user: UserRef): Promise<boolean> {
  const had = await removeSecondFactor(ctx.db, user);
  await endSessions(ctx, user);
  return had;
}

async function endSessions(ctx: WriteCtx, user: UserRef): Promise<void> {
  await removeSessions(ctx.db, user);
  ctx.afterCommit("callers");
}

/** Removes every credential, token, session, draft and saved view of a user who is about to be deleted. */
export async function revokeAll(ctx: WriteCtx, user: UserRef): Promise<void> {
  await removeRows(ctx.db, "user_token", user);
  await removeRows(ctx.db, "recovery_code", user);
  await removeRows(ctx.db, "user_credential", user);
  await removeRows(ctx.db, "draft", user);
  await removeRows(ctx.db, "saved_view", user);
  // last: without a password no new session can begin
  await endSessions(ctx, user);
}
