/** SQL of an account's users. */
import type { Selectable } from "kysely";
import type { UserTable } from "../../../storage/tables/users.ts";
import type { Db } from "../../kit/store.ts";
import { loginOf, loginTaken } from "./login.ts";
import { deleteRow } from "./rows-store.ts";

export type UserRow = Selectable<UserTable>;

/** The defaults of a new user. */
export const blankUser = {
  teams: [],
  ip_whitelist: [],
  ip_whitelist_strict: false,
  notify: {},
  shared_auth: {},
  last_access: null,
} satisfies Partial<UserRow>;

/** The user with this login name, whose case does not matter. */
export const findUser = (db: Db, account_id: string, username: string): Promise<UserRow | undefined> =>
  byLogin(db, username).where("login_claim.account_id", "=", account_id).executeTakeFirst();

/** The user with this login name in any account. */
export const findLogin = (db: Db, username: string): Promise<UserRow | undefined> =>
  byLogin(db, username).executeTakeFirst();

const byLogin = (db: Db, username: string) =>
  db
    .selectFrom("login_claim")
    .innerJoin("account_user", (join) =>
      join
        .onRef("account_user.account_id", "=", "login_claim.account_id")
        .onRef("account_user.id", "=", "login_claim.user_id"),
    )
    .selectAll("account_user")
    .where("login_claim.login", "=", loginOf(username));

/** Inserts the user and its claim on the login name. Throws if the name is in use. */
export async function insertUser(db: Db, row: UserRow): Promise<void> {
  await db
    .insertInto("account_user")
    .values({ ...row, ...documents(row) })
    .execute();
  await claimLogin(db, row);
}

/** `before` is the stored row. Throws if the new login name is in use. */
export async function updateUser(db: Db, row: UserRow, before: UserRow): Promise<void> {
  const { account_id, id, username, email, name, ip_whitelist_strict } = row;
  await db
    .updateTable("account_user")
    .set({ username, email, name, ip_whitelist_strict, ...documents(row) })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
  if (loginOf(username) === loginOf(before.username)) return;
  await claimLogin(db, row);
  await db.deleteFrom("login_claim").where("login", "=", loginOf(before.username)).execute();
}

/** Expects that all other rows that refer to the user are deleted. */
export async function deleteUser(db: Db, user: Pick<UserRow, "account_id" | "id">): Promise<void> {
  const { account_id, id } = user;
  await db.deleteFrom("login_claim").where("account_id", "=", account_id).where("user_id", "=", id).execute();
  await deleteRow(db, "account_user", user);
}

async function claimLogin(db: Db, { account_id, id: user_id, username }: UserRow): Promise<void> {
  const claimed = await db
    .insertInto("login_claim")
    .values({ login: loginOf(username), account_id, user_id })
    .onConflict((conflict) => conflict.column("login").doNothing())
    .returning("login")
    .execute();
  if (claimed.length === 0) throw loginTaken(username);
}

const documents = (row: UserRow) => ({
  permissions: JSON.stringify(row.permissions),
  teams: JSON.stringify(row.teams),
  ip_whitelist: JSON.stringify(row.ip_whitelist),
  notify: JSON.stringify(row.notify),
  shared_auth: JSON.stringify(row.shared_auth),
});
