/** SQL of accounts for the operator. */
import type { Selectable } from "kysely";
import { across } from "../../../storage/fence/exceptions.ts";
import type { AccountTable } from "../../../storage/tables/accounts.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { Db } from "../../kit/store.ts";
import { hasChanged } from "../credentials/user-rows-store.ts";
import { loginOf } from "../members/login.ts";
import { countRows } from "../members/rows-store.ts";

export type AccountRow = Pick<Selectable<AccountTable>, "id" | "name" | "created" | "suspended_at" | "operator">;

/** The size of an account. */
export interface AccountSize {
  readonly zones: number;
  readonly users: number;
  readonly keys: number;
}

const columns = ["id", "name", "created", "suspended_at", "operator"] as const;

export const listAccounts = (db: Db): Promise<AccountRow[]> =>
  db.selectFrom("account").select(columns).orderBy("created").orderBy("id").modifyEnd(across("operator")).execute();

/** The accounts with this id or name. */
export const findAccounts = (db: Db, called: string): Promise<AccountRow[]> =>
  db
    .selectFrom("account")
    .select(columns)
    .where((eb) => eb.or([eb("id", "=", called), eb("name", "=", called)]))
    .orderBy("id")
    .modifyEnd(across("operator"))
    .execute();

export async function sizeOf(db: Db, account_id: string): Promise<AccountSize> {
  return {
    zones: await countRows(db, "zone", account_id),
    users: await countRows(db, "account_user", account_id),
    keys: await countRows(db, "api_key", account_id),
  };
}

export async function isLoginTaken(db: Db, username: string): Promise<boolean> {
  const claims = db.selectFrom("login_claim").select("login").where("login", "=", loginOf(username));
  return (await claims.execute()).length > 0;
}

export async function setSuspended(db: Db, id: string, suspended_at: number | null): Promise<void> {
  await db.updateTable("account").set({ suspended_at }).where("id", "=", id).execute();
}

/** Returns whether the account changed. */
export const setOperator = (db: Db, id: string, operator: boolean): Promise<boolean> =>
  hasChanged(
    db.updateTable("account").set({ operator }).where("id", "=", id).where("operator", "!=", operator).returning("id"),
  );

/**
 * Withholds at most `limit` of an account's zones from being served, or releases them; returns them as they are
 * afterwards. Zones that the account has disabled itself stay as they are.
 */
export async function withholdSome(
  db: Db,
  account_id: string,
  withheld: boolean,
  limit: number,
): Promise<readonly ZoneRow[]> {
  const some = db
    .selectFrom("zone")
    .select("id")
    .where("account_id", "=", account_id)
    .where("disabled", "=", !withheld)
    .where("withheld", "=", !withheld)
    .orderBy("id")
    .limit(limit)
    .forNoKeyUpdate();
  return await db
    .updateTable("zone")
    .set({ disabled: withheld, withheld })
    .where("account_id", "=", account_id)
    .where("id", "in", some)
    .returningAll()
    .execute();
}
