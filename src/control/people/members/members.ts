/** Invariants over all holders of permissions in an account: at least one administrator must remain. */
import { invalid } from "../../../lib/problem.ts";
import type { Holder, Team, Teams } from "../../access/holder.ts";
import { holdsRight } from "../../access/standing.ts";
import type { Db } from "../../kit/store.ts";
import type { KeyRow } from "./key-store.ts";
import {
  areHeldByAnotherKey,
  areHeldByAnotherUser,
  type KeptRight,
  listKeysIn,
  listUsersIn,
  listUsersWith,
} from "./members-store.ts";
import { findTeamsOf } from "./team-store.ts";
import type { UserRow } from "./user-store.ts";

/** Some of the account's keys or users, and their teams. */
export interface Holders<Row> {
  readonly rows: readonly Row[];
  readonly teams: Teams;
}

/** The holders that a change affects, before and after it. All others stay as they are while the account is locked. */
export interface Transition<Row> {
  readonly before: Holders<Row>;
  readonly after: Holders<Row>;
}

/** The rights of an administrator. */
const administration: readonly KeptRight[] = ["account.manage_users", "account.manage_apikeys"];

/**
 * Throws unless a key that can manage keys remains and, if one of them never expired, one that never expires. An
 * administrator's key that never expires must also remain, unless an administrator can sign in. `users` contains the
 * users that the same change affects, as they are afterwards.
 */
export async function assertKeyRemains(
  db: Db,
  account_id: string,
  { before, after }: Transition<KeyRow>,
  users: Holders<UserRow> = { rows: [], teams: new Map() },
): Promise<void> {
  const rights: readonly KeptRight[] = ["account.manage_apikeys"];
  const [was, is] = [lastingKeys(before, rights), lastingKeys(after, rights)];
  const but = before.rows.map(({ id }) => id);
  if (is < was && !(await areHeldByAnotherKey(db, account_id, { but, rights, lasting: was === 2 }))) {
    throw invalid("the last API key with the permission manage_apikeys must stay", { permission: "manage_apikeys" });
  }
  if (lastingKeys(before, administration) < 2 || lastingKeys(after, administration) === 2) return;
  if (await areHeldByAnotherKey(db, account_id, { but, rights: administration, lasting: true })) return;
  if ((await listUsersWith(db, account_id, "password", administrators(users))).size > 0) return;
  const others = { but: users.rows.map(({ id }) => id), rights: administration };
  if (await areHeldByAnotherUser(db, account_id, { ...others, withPassword: true })) return;
  throw lastOne("the last API key", " until a user with both has set a password");
}

/** 2 if a key that holds the rights never expires, 1 if all such keys expire, 0 without any. */
function lastingKeys({ rows, teams }: Holders<KeyRow>, rights: readonly KeptRight[]): 0 | 1 | 2 {
  const holders = rows.filter((key) => !isLockedOut(key) && rights.every((right) => holdsRight(key, teams, right)));
  if (holders.length === 0) return 0;
  return holders.some(({ expiry_days }) => expiry_days === null) ? 2 : 1;
}

/**
 * Throws unless an administrator remains among the users. If one of them could sign in before, one who can sign in must
 * remain: a key does not replace the last person who can look after the keys.
 */
export async function assertAdministratorRemains(
  db: Db,
  account_id: string,
  { before, after }: Transition<UserRow>,
): Promise<void> {
  const rights = administration;
  const [were, are] = [administrators(before), administrators(after)];
  if (were.every((id) => are.includes(id))) return;
  const others = { but: before.rows.map(({ id }) => id), rights };
  if (are.length === 0 && !(await areHeldByAnotherUser(db, account_id, { ...others, withPassword: false }))) {
    throw lastOne("the last user");
  }
  const entered = await listUsersWith(db, account_id, "password", [...were, ...are]);
  if (!were.some((id) => entered.has(id)) || are.some((id) => entered.has(id))) return;
  if (await areHeldByAnotherUser(db, account_id, { ...others, withPassword: true })) return;
  throw lastOne("the last user who has set a password", " until another one has set a password");
}

const lastOne = (holder: string, condition = "") =>
  invalid(`${holder} with the permissions manage_users and manage_apikeys must stay${condition}`, {
    permissions: ["manage_users", "manage_apikeys"],
  });

const administrators = ({ rows, teams }: Holders<UserRow>): string[] =>
  rows
    .filter((user) => !isLockedOut(user) && administration.every((right) => holdsRight(user, teams, right)))
    .map(({ id }) => id);

/** A strict list without entries locks its holder out. */
const isLockedOut = ({ ip_whitelist, ip_whitelist_strict }: Holder) => ip_whitelist_strict && ip_whitelist.length === 0;

/** The members of a team, and all teams that these have. */
export interface Members {
  readonly keys: readonly KeyRow[];
  readonly users: readonly UserRow[];
  readonly teams: Teams;
}

/** Finds a team's members, who stay the same for the duration of an exclusive write. */
export async function findMembers(db: Db, account_id: string, team: string): Promise<Members> {
  const [keys, users] = [await listKeysIn(db, account_id, team), await listUsersIn(db, account_id, team)];
  return { keys, users, teams: await findTeamsOf(db, account_id, [{ teams: [team] }, ...keys, ...users]) };
}

export const withTeam = (members: Members, team: Team): Members => ({
  ...members,
  teams: new Map([...members.teams, [team.id, team]]),
});

/** The members after the team is deleted, in the same order. */
export const withoutTeam = ({ keys, users, teams }: Members, team: Team): Members => ({
  keys: keys.map((key) => withoutMembership(key, team)),
  users: users.map((user) => withoutMembership(user, team)),
  teams: new Map([...teams].filter(([id]) => id !== team.id)),
});

/** Removes the holder from a team. A holder without another team gets the team's permissions as its own. */
function withoutMembership<T extends Holder>(holder: T, { id, permissions }: Team): T {
  const teams = holder.teams.filter((other) => other !== id);
  return { ...holder, teams, permissions: teams.length === 0 ? permissions : holder.permissions };
}
