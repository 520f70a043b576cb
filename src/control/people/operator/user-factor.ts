/** Resetting a lost second factor on the host, even if no administrator is left who could do so over the API. */
import { missing } from "../../../lib/problem.ts";
import type { Secrets } from "../../../lib/secrets.ts";
import { type Db, lockAccount } from "../../kit/store.ts";
import { resetSecondFactor } from "../credentials/management.ts";
import { sendMail } from "../mail/queue.ts";
import { findLogin, type UserRow } from "../members/user-store.ts";
import { secondFactorReset } from "../users/letters.ts";
import { logCommand } from "./log.ts";

/** `had` is false if the user had no second factor; the sessions end in either case. */
export async function resetFactorOf(
  db: Db,
  username: string,
  { secrets, now }: { readonly secrets: Secrets; readonly now: number },
): Promise<{ row: UserRow; had: boolean }> {
  const row = await findLogin(db, username);
  if (!row) throw missing(`there is no user "${username}"`);
  const { account_id, id } = row;
  await lockAccount(db, account_id);
  // the service notices committed changes by itself
  const afterCommit = () => {};
  const had = await resetSecondFactor({ db, afterCommit }, row);
  if (!had) return { row, had };
  const resource = { id, username: row.username };
  await logCommand(db, account_id, "user reset-2fa", { log: ["user", "reset_2fa"], resource, now });
  if (row.email !== "") {
    const about = { resource_type: "user", resource_id: id };
    const sending = { db, account_id, secrets, now, afterCommit };
    await sendMail(sending, secondFactorReset(row), about);
  }
  return { row, had };
}
