/** SQL of an account's users. */
import type { Selectable } from "kysely";
import type { UserTable } from "../../storage/tables.ts";
import type { Db } from "../store.ts";
import { loginOf } from "./login.ts";

export type UserRow = Selectable<UserTable>;

/** What nobody said of a user. */
export const blankUser = {
  teams: [],
  ip_whitelist: [],
  ip_whitelist_strict: false,
  notify: {},
  shared_auth: {},
  last_access: null,
} satisfies Partial<UserRow>;

/** The user with its claim on the login name. */
export async function insertUser(db: Db, row: UserRow): Promise<void> {
  await db
    .insertInto("account_user")
    .values({ ...row, ...documents(row) })
    .execute();
  const { account_id, id: user_id, username } = row;
  await db
    .insertInto("login_claim")
    .values({ login: loginOf(username), account_id, user_id })
    .execute();
}

const documents = (row: UserRow) => ({
  permissions: JSON.stringify(row.permissions),
  teams: JSON.stringify(row.teams),
  ip_whitelist: JSON.stringify(row.ip_whitelist),
  notify: JSON.stringify(row.notify),
  shared_auth: JSON.stringify(row.shared_auth),
});
