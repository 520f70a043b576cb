/** The user of a session, for what belongs to a user alone. */
import { denied } from "../../../lib/problem.ts";
import type { Ctx } from "../../write/context.ts";
import type { UserRef } from "../credentials/user-rows-store.ts";

/** Throws for an API key; `what` names the things that only users have. */
export function ownUser({ caller, account_id }: Pick<Ctx, "caller" | "account_id">, what: string): UserRef {
  if (caller.kind !== "user") throw denied(`${what} belong to users: sign in; an API key has none`);
  return { account_id, id: caller.id };
}
