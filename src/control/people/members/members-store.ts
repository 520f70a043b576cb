/** SQL of the keys and users that hold rights in an account. */
import { type RawBuilder, sql } from "kysely";
import { type Right, rightPath } from "../../access/rights.ts";
import type { Db } from "../../kit/store.ts";
import type { KeyRow } from "./key-store.ts";
import type { UserRow } from "./user-store.ts";

/** The rights that at least one holder must keep. Both are granted when they are omitted. */
export type KeptRight = Extract<Right, "account.manage_users" | "account.manage_apikeys">;

interface Search {
  /** Ids of holders that are not considered. */
  readonly but: readonly string[];
  readonly rights: readonly KeptRight[];
}

/** Whether a key holds all of the rights and is usable; with `lasting`, only a key that never expires counts. */
export const areHeldByAnotherKey = (
  db: Db,
  account_id: string,
  { lasting, ...search }: Search & { readonly lasting: boolean },
): Promise<boolean> => existsHolder(db, account_id, search, "api_key", lasting ? isLasting : undefined);

/** Whether a user holds all of the rights and is not locked out; with `withPassword`, only a user who can sign in counts. */
export const areHeldByAnotherUser = (
  db: Db,
  account_id: string,
  { withPassword, ...search }: Search & { readonly withPassword: boolean },
): Promise<boolean> => existsHolder(db, account_id, search, "account_user", withPassword ? hasPassword : undefined);

async function existsHolder(
  db: Db,
  account_id: string,
  { but, rights }: Search,
  table: "api_key" | "account_user",
  condition: RawBuilder<boolean> = sql`true`,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(table)} as holder
    where holder.account_id = ${account_id} and holder.id <> all(${but}::text[]) and ${isOpen} and ${condition}
      and ${sql.join(rights.map(holds), sql` and `)}
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Returns the ids of the users who have set a password, or confirmed a second factor. */
export async function listUsersWith(
  db: Db,
  account_id: string,
  column: "password" | "totp_since",
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("user_credential")
    .select("user_id")
    .where("account_id", "=", account_id)
    .where(sql<boolean>`user_id = any(${ids}::text[])`)
    .where(column, "is not", null)
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

/** A strict list without entries locks its holder out. */
const isOpen = sql<boolean>`not (holder.ip_whitelist_strict and json_array_length(holder.ip_whitelist) = 0)`;

const isLasting = sql<boolean>`holder.expiry_days is null`;

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
  const permissions = sql.ref(`${table}.permissions`);
  const omitted = sql`case when ${permissions} ->> 'default' = 'deny' then 'false' else 'true' end`;
  return sql<boolean>`coalesce(${permissions} -> ${sql.lit(group)} ->> ${sql.lit(name)}, ${omitted}) = 'true'`;
};
