/** SQL of the account and the user that the first start creates. */
import type { Db } from "../../kit/store.ts";
import type { UserRef } from "../credentials/user-rows-store.ts";

const firstAccount = "first_account";
const firstUser = "first_user";
const operatorAccount = "operator_account";

/** True for the one process that creates the first account of a new store. */
export async function claimFirstStart(db: Db, account_id: string): Promise<boolean> {
  const claimed = await db
    .insertInto("setting")
    .values({ name: firstAccount, value: account_id })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("name")
    .execute();
  return claimed.length > 0;
}

/** The account that the first start created. */
export async function findFirstAccount(db: Db): Promise<string | undefined> {
  const row = db.selectFrom("setting").select("value").where("name", "=", firstAccount);
  return (await row.executeTakeFirst())?.value;
}

/** True once in the life of a store of an earlier version: for the transaction that makes the first account the operator's. */
export async function claimOperator(db: Db, account_id: string): Promise<boolean> {
  const claims = db.selectFrom("setting").select("name").where("name", "=", operatorAccount);
  if ((await claims.execute()).length > 0) return false;
  const claimed = await db
    .insertInto("setting")
    .values({ name: operatorAccount, value: account_id })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("name")
    .execute();
  return claimed.length > 0;
}

/** Notes the user of the first start, and that its account is the operator's. */
export async function noteFirst(db: Db, account_id: string, user_id: string): Promise<void> {
  const rows = [
    { name: operatorAccount, value: account_id },
    { name: firstUser, value: user_id },
  ];
  await db.insertInto("setting").values(rows).execute();
}

/** The user that the first start created; it may have been deleted since. */
export async function findFirstUser(db: Db): Promise<UserRef | undefined> {
  const rows = await db.selectFrom("setting").selectAll().where("name", "in", [firstAccount, firstUser]).execute();
  const [account_id, id] = [firstAccount, firstUser].map((name) => rows.find((row) => row.name === name)?.value);
  return account_id === undefined || id === undefined ? undefined : { account_id, id };
}
