/** A link with which a user sets a password, for the operator on the host; it works without any mail. */
import { missing } from "../../../lib/problem.ts";
import type { Secrets } from "../../../lib/secrets.ts";
import { type Db, lockAccount } from "../../kit/store.ts";
import { hasPassword } from "../credentials/management.ts";
import { issueToken, type PasswordLink, type PasswordTokenKind, passwordLink } from "../credentials/token.ts";
import { findLogin, type UserRow } from "../members/user-store.ts";
import { getAccount } from "./accounts.ts";
import type { AccountRow } from "./accounts-store.ts";
import { logCommand } from "./log.ts";

interface Service {
  readonly secrets: Secrets;
  readonly publicUrl: string;
  readonly now: number;
}

export interface UserLink extends PasswordLink {
  readonly row: UserRow;
  /** The users of a suspended account cannot sign in. */
  readonly account: AccountRow;
  /** An invitation for a user without a password, otherwise a reset. */
  readonly kind: PasswordTokenKind;
}

/** Makes a link. The user's earlier links of the same kind become invalid. */
export async function makeLink(db: Db, username: string, { secrets, publicUrl, now }: Service): Promise<UserLink> {
  const row = await findLogin(db, username);
  if (!row) throw missing(`there is no user "${username}"`);
  await lockAccount(db, row.account_id);
  const kind = (await hasPassword({ db }, row)) ? "reset" : "invitation";
  const token = await issueToken({ db, secrets, now }, row, kind);
  const resource = { id: row.id, username: row.username, kind };
  await logCommand(db, row.account_id, "user invite", { log: ["user", "invite"], resource, now });
  const account = await getAccount(db, row.account_id);
  return { row, account, kind, ...passwordLink(publicUrl, kind, token) };
}
