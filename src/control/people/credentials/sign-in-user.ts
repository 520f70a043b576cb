/** A user as a caller of the API. */
import type { Caller } from "../../access/caller.ts";
import { teamsById } from "../../access/holder.ts";
import { standingOf } from "../../access/standing.ts";
import type { SignInUser } from "./sign-in-user-store.ts";

/** Without `confirmedUntil`, the user has just given the password. */
export const callerOf = (user: SignInUser, confirmedUntil = Number.POSITIVE_INFINITY): Caller => ({
  account_id: user.account_id,
  kind: "user",
  id: user.id,
  name: user.username,
  suspended: user.suspended_at !== null,
  isOperator: user.operator,
  ...standingOf(user, teamsById(user.in_teams)),
  allowedOfAccount: user.allowed_of_account.flat(),
  deletionGuard: user.deletion_guard,
  ends: Number.POSITIVE_INFINITY,
  confirmedUntil,
});

export const hasTotp = ({ totp_since }: Pick<SignInUser, "totp_since">) => totp_since !== null;
