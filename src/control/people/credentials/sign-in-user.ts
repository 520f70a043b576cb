/** A user as a caller of the API. */
import type { Caller } from "../../access/caller.ts";
import { standingOf, teamsById } from "../../access/holder.ts";
import type { Signer } from "./sign-in-user-store.ts";

export const callerOf = (signer: Signer): Caller => ({
  account_id: signer.account_id,
  kind: "user",
  id: signer.id,
  name: signer.username,
  suspended: signer.suspended_at !== null,
  ...standingOf(signer, teamsById(signer.in_teams)),
  allowedOfAccount: signer.allowed_of_account.flat(),
  ends: Number.POSITIVE_INFINITY,
});

export const hasTotp = ({ totp_since }: Pick<Signer, "totp_since">) => totp_since !== null;
