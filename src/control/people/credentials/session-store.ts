/** SQL of sessions. */
import { type Insertable, sql } from "kysely";
import { across } from "../../../storage/fence/exceptions.ts";
import type { UserSessionTable } from "../../../storage/tables/users.ts";
import type { Db } from "../../kit/store.ts";
import { signInUsers } from "./sign-in-user-store.ts";
import { hasChanged, ofUser, type UserRef } from "./user-rows-store.ts";

/** The lifetimes of sessions, in seconds. */
export interface Lifetimes {
  /** After the last request. */
  readonly idle: number;
  /** After the beginning. */
  readonly total: number;
  /** After the beginning, while the second factor is missing. */
  readonly incomplete: number;
}

/** The session with this keyed hash and its user, unless the session has expired. */
export const findSession = (db: Db, hash: string, now: number, { idle, total, incomplete }: Lifetimes) =>
  signInUsers(db)
    .innerJoin("user_session", (join) =>
      join
        .onRef("user_session.account_id", "=", "account_user.account_id")
        .onRef("user_session.user_id", "=", "account_user.id"),
    )
    .select(["user_session.id as session_id", "user_session.stage", "user_session.created as began"])
    .where("user_session.hash", "=", hash)
    .where("user_session.used_at", ">", now - idle)
    .where("user_session.created", ">", now - total)
    .where((eb) => eb.or([eb("user_session.stage", "=", "full"), eb("user_session.created", ">", now - incomplete)]))
    .executeTakeFirst();

/** The proof of a user's identity: a password, and a second factor where one is set up. */
export interface PasswordProof {
  readonly by: "password";
  /** The stored hash that the password matched. */
  readonly password: string | null;
  /** The time at which the second factor was set up; null without one. */
  readonly totp_since: number | null;
}

/** The kinds of proof with which a session can begin. `first`: the link of the first start, until there is a password. */
export type Proof = PasswordProof | { readonly by: "first" };

/** The proof of a user who gave a password, and a second factor where there is one. */
export const passwordProof = ({ password, totp_since }: Omit<PasswordProof, "by">): Proof => ({
  by: "password",
  password,
  totp_since,
});

/** Selects a row if the user's proof is still valid, and locks it until the transaction ends. */
function proven({ account_id, id }: UserRef, proof: Proof) {
  switch (proof.by) {
    case "password":
      return sql`
        select from user_credential
        where account_id = ${account_id} and user_id = ${id} and password = ${proof.password}
          and totp_since is not distinct from ${proof.totp_since}::bigint
        for share`;
    case "first":
      // a first password, whose transaction removes the user's tokens, waits for this one, which has taken a token
      return sql`
        select from account_user
        where account_id = ${account_id} and id = ${id} and not exists (
          select from user_credential
          where user_credential.account_id = ${account_id} and user_credential.user_id = ${id}
            and (user_credential.password is not null or user_credential.totp_since is not null))
        for share`;
  }
}

/**
 * Inserts a session if the proof is still valid, and returns whether it did. The proof is locked until the transaction
 * ends, so a change that ends all sessions cannot miss one that begins at the same time.
 */
export async function insertSession(db: Db, row: Insertable<UserSessionTable>, proof: Proof): Promise<boolean> {
  const { account_id, user_id, id, hash, stage, created, used_at, address, agent } = row;
  const { rows } = await sql`
    with proven as (${proven({ account_id, id: user_id }, proof)})
    insert into user_session (account_id, user_id, id, hash, stage, created, used_at, address, agent)
    select ${account_id}, ${user_id}, ${id}, ${hash}, ${stage}, ${created}::bigint, ${used_at}::bigint, ${address}, ${agent}
    from proven
    returning id`.execute(db);
  return rows.length > 0;
}

/**
 * Lets a session begin again if the proof is still valid, and returns whether it did. The proof is locked until the
 * transaction ends.
 */
export async function renewSession(db: Db, user: UserRef, id: string, proof: Proof, now: number): Promise<boolean> {
  const { rows } = await sql`
    with proven as (${proven(user, proof)})
    update user_session set created = ${now}::bigint, used_at = ${now}::bigint
    where account_id = ${user.account_id} and user_id = ${user.id} and user_session.id = ${id}
      and exists (select from proven)
    returning user_session.id`.execute(db);
  return rows.length > 0;
}

export const listSessions = (db: Db, user: UserRef, now: number, { idle, total }: Lifetimes) =>
  db
    .selectFrom("user_session")
    .select(["id", "created", "used_at", "address", "agent"])
    .where(ofUser(user))
    .where("stage", "=", "full")
    .where("used_at", ">", now - idle)
    .where("created", ">", now - total)
    .orderBy("created", "desc")
    .orderBy("id")
    .limit(1000)
    .execute();

/** Returns whether the session existed. */
export const removeSession = (db: Db, user: UserRef, id: string): Promise<boolean> =>
  hasChanged(db.deleteFrom("user_session").where(ofUser(user)).where("id", "=", id).returning("id"));

/** Removes all of a user's sessions except one. Returns their number. */
export async function removeSessions(db: Db, user: UserRef, except = ""): Promise<number> {
  const remove = db.deleteFrom("user_session").where(ofUser(user)).where("id", "!=", except);
  return (await remove.returning("id").execute()).length;
}

/** Removes the user's oldest sessions of a stage, so that `most` remain besides the one that has just begun. */
export async function removeOldest(
  db: Db,
  { account_id, user_id, id, stage }: Pick<Insertable<UserSessionTable>, "account_id" | "user_id" | "id" | "stage">,
  most: number,
): Promise<void> {
  const user = ofUser({ account_id, id: user_id });
  const others = db
    .selectFrom("user_session")
    .select("id")
    .where(user)
    .where("stage", "=", stage)
    .where("id", "!=", id)
    .orderBy("created", "desc")
    .orderBy("used_at", "desc")
    .orderBy("id");
  await db.deleteFrom("user_session").where(user).where("id", "in", others.offset(most)).execute();
}

/** Removes expired sessions. */
export async function trimSessions(db: Db, now: number, { idle, total, incomplete }: Lifetimes): Promise<void> {
  await db
    .deleteFrom("user_session")
    .where((eb) =>
      eb.or([
        eb("used_at", "<=", now - idle),
        eb("created", "<=", now - total),
        eb.and([eb("stage", "!=", "full"), eb("created", "<=", now - incomplete)]),
      ]),
    )
    .modifyEnd(across("age"))
    .execute();
}

/** Stores the time of a sign-in as the user's last access. */
export async function touchUser(db: Db, { account_id, id }: UserRef, last_access: number): Promise<void> {
  const users = db.updateTable("account_user").set({ last_access });
  await users.where("account_id", "=", account_id).where("id", "=", id).execute();
}

export interface SessionUse {
  readonly account_id: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly at: number;
}

/** Stores the last use of sessions and their users. The order of ids prevents deadlocks between processes. */
export async function touchSessions(db: Db, uses: readonly SessionUse[]): Promise<void> {
  const accounts = uses.map((use) => use.account_id);
  const sessions = uses.map((use) => use.session_id);
  const users = uses.map((use) => use.user_id);
  const times = uses.map((use) => use.at);
  await sql`
    update user_session set used_at = used.at
    from (
      select * from unnest(${accounts}::text[], ${sessions}::text[], ${times}::bigint[]) as each (account_id, id, at)
      order by id) as used
    where user_session.account_id = used.account_id and user_session.id = used.id`.execute(db);
  await sql`
    update account_user set last_access = used.at
    from (
      select account_id, id, max(at) as at
      from unnest(${accounts}::text[], ${users}::text[], ${times}::bigint[]) as each (account_id, id, at)
      group by account_id, id order by id) as used
    where account_user.account_id = used.account_id and account_user.id = used.id`.execute(db);
}
