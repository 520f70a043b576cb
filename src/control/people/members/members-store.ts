/** SQL of the keys and users that hold rights in an account. */
import { sql } from "kysely";
import { type Right, rightPath } from "../../access/rights.ts";
import type { Db } from "../../kit/store.ts";
import type { KeyRow } from "./key-store.ts";
import type { UserRow } from "./user-store.ts";

/** The rights that at least one holder must keep. Both are granted when they are omitted. */
export type KeptRight = Extract<Right, "account.manage_users" | "account.manage_apikeys">;

/** Whether a key other than `but` holds all of the rights and is usable; with `lasting`, one that never expires. */
export async function areHeldByAnotherKey(
  db: Db,
  account_id: string,
  { but, rights, lasting }: { but: readonly string[]; rights: readonly KeptRight[]; lasting: boolean },
): Promise<boolean> {
  const key = db
    .selectFrom("api_key as holder")
    .select("holder.id")
    .where("holder.account_id", "=", account_id)
    .where(isNone(but))
    .where(isOpen)
    .where(({ and }) => and(rights.map(holds)))
    .$if(lasting, (query) => query.where("holder.expiry_days", "is", null))
    .limit(1);
  return (await key.executeTakeFirst()) !== undefined;
}

/**
 * Whether a user other than `but` holds all of the rights and is not locked out; with `withPassword`, one who can sign
 * in.
 */
export async function areHeldByAnotherUser(
  db: Db,
  account_id: string,
  { but, rights, withPassword }: { but: readonly string[]; rights: readonly KeptRight[]; withPassword: boolean },
): Promise<boolean> {
  const user = db
    .selectFrom("account_user as holder")
    .select("holder.id")
    .where("holder.account_id", "=", account_id)
    .where(isNone(but))
    .where(isOpen)
    .where(({ and }) => and(rights.map(holds)))
    .$if(withPassword, (query) => query.where(hasPassword))
    .limit(1);
  return (await user.executeTakeFirst()) !== undefined;
}

/** Returns those of the users who have set a password. */
export async function findEntered(db: Db, account_id: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("user_credential")
    .select("user_id")
    .where("account_id", "=", account_id)
    .where(sql<boolean>`user_id = any(${ids}::text[])`)
    .where("password", "is not", null)
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

export const listKeysIn = (db: Db, account_id: string, team: string): Promise<KeyRow[]> =>
  db
    .selectFrom("api_key as holder")
    .selectAll()
    .where("account_id", "=", account_id)
    .where(isIn(team))
    .orderBy("id")
    .execute();

export const listUsersIn = (db: Db, account_id: string, team: string): Promise<UserRow[]> =>
  db
    .selectFrom("account_user as holder")
    .selectAll()
    .where("account_id", "=", account_id)
    .where(isIn(team))
    .orderBy("id")
    .execute();

const isIn = (team: string) => sql<boolean>`${team} in (select json_array_elements_text(holder.teams))`;

const isNone = (ids: readonly string[]) => sql<boolean>`holder.id <> all(${ids}::text[])`;

/** A strict list without entries locks its holder out. */
const isOpen = sql<boolean>`not (holder.ip_whitelist_strict and json_array_length(holder.ip_whitelist) = 0)`;

const hasPassword = sql<boolean>`exists (
  select from user_credential where user_credential.account_id = holder.account_id
    and user_credential.user_id = holder.id and user_credential.password is not null)`;

const holds = (right: KeptRight) => sql<boolean>`case when json_array_length(holder.teams) = 0
  then ${grants("holder", right)}
  else exists (
    select from team where team.account_id = holder.account_id
      and team.id in (select json_array_elements_text(holder.teams)) and ${grants("team", right)})
  end`;

const grants = (table: "holder" | "team", right: KeptRight) => {
  const [group, name] = rightPath(right);
  return sql<boolean>`coalesce(${sql.ref(`${table}.permissions`)} -> ${sql.lit(group)} ->> ${sql.lit(name)}, 'true') = 'true'`;
};
