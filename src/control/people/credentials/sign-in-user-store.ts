/** SQL of users with all columns that signing in needs: identity, credentials, permissions and allow lists. */
import { sql } from "kysely";
import { across } from "../../../storage/fence/exceptions.ts";
import { allowedOfAccount, inTeams } from "../../access/store.ts";
import type { Db } from "../../kit/store.ts";
import type { UserRef } from "./user-rows-store.ts";

export const signInUsers = (db: Db) =>
  db
    .selectFrom("account_user")
    .innerJoin("account", "account.id", "account_user.account_id")
    .leftJoin("user_credential", (join) =>
      join
        .onRef("user_credential.account_id", "=", "account_user.account_id")
        .onRef("user_credential.user_id", "=", "account_user.id"),
    )
    .select([
      "account_user.account_id",
      "account_user.id",
      "account_user.username",
      "account_user.email",
      "account_user.name",
      "account_user.permissions",
      "account_user.teams",
      "account_user.ip_whitelist",
      "account_user.ip_whitelist_strict",
      "account.suspended_at",
      "account.operator",
      "account.deletion_guard",
      "account.second_factor_required",
      "user_credential.password",
      "user_credential.totp",
      "user_credential.totp_since",
      inTeams("account_user").as("in_teams"),
      allowedOfAccount("account_user").as("allowed_of_account"),
    ]);

export type SignInUser = NonNullable<Awaited<ReturnType<typeof findSignInUser>>>;

export const findSignInUser = (db: Db, { account_id, id }: UserRef) =>
  signInUsers(db)
    .where("account_user.account_id", "=", account_id)
    .where("account_user.id", "=", id)
    .executeTakeFirst();

/** `login` is the login name in the spelling of `loginOf`. */
export const findSignInUserByLogin = (db: Db, login: string) =>
  signInUsers(db)
    .innerJoin("login_claim", (join) =>
      join
        .onRef("login_claim.account_id", "=", "account_user.account_id")
        .onRef("login_claim.user_id", "=", "account_user.id"),
    )
    .where("login_claim.login", "=", login)
    .executeTakeFirst();

/**
 * At most `most` users with this e-mail address. Those who have proved it come first, because nobody checks the addresses
 * that an account gives its users. Accounts take turns. In each account, those with a password come first, then the oldest.
 */
export const findSignInUsersByAddress = (db: Db, address: string, most: number) =>
  signInUsers(db)
    .where(sql<boolean>`lower(account_user.email) = lower(${address})`)
    .orderBy(isUnproven)
    .orderBy(
      sql`row_number() over (
        partition by account_user.account_id
        order by ${isUnproven}, user_credential.password is null, account_user.created)`,
    )
    .orderBy(sql`user_credential.password is null`)
    .orderBy("account_user.created")
    .limit(most)
    .modifyEnd(across("address"))
    .execute();

const isUnproven = sql<boolean>`user_credential.proven_email is distinct from lower(account_user.email)`;
