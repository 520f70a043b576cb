/** Rules about all who hold permissions in an account, which no single change may break. */
import { invalid } from "../../../lib/problem.ts";
import { type Holder, holdsRight, type Team, type Teams, teamsById } from "../../access/holder.ts";
import type { Db } from "../../kit/store.ts";
import type { KeyRow } from "./key-store.ts";
import {
  areHeldByAnotherKey,
  areHeldByAnotherUser,
  findEntered,
  type KeptRight,
  listKeysIn,
  listUsersIn,
} from "./members-store.ts";
import { listTeams } from "./team-store.ts";
import type { UserRow } from "./user-store.ts";

/** Some of the account's keys or users, and the teams that they are in. */
export interface Holders<Row> {
  readonly rows: readonly Row[];
  readonly teams: Teams;
}

/** Those that a change is about are others afterwards, or gone; all else stays as it is while the account is locked. */
export interface Transition<Row> {
  readonly before: Holders<Row>;
  readonly after: Holders<Row>;
}

/** What an administrator has. */
const administration: readonly KeptRight[] = ["account.manage_users", "account.manage_apikeys"];

/**
 * A key is to be left that can make others, and longer than until a day; and one that can do all that an administrator
 * does, unless somebody can sign in for it. Of users whom the same change is about, `users` has what they are afterwards.
 */
export async function assertKeysLeft(
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
  if ((await findEntered(db, account_id, administrators(users))).size > 0) return;
  const others = { but: users.rows.map(({ id }) => id), rights: administration };
  if (await areHeldByAnotherUser(db, account_id, { ...others, withPassword: true })) return;
  throw lastOne("while no such user has set a password, the last API key");
}

/** 2 where a key that holds the rights stays, 1 where all that do expire, 0 without any. */
function lastingKeys({ rows, teams }: Holders<KeyRow>, rights: readonly KeptRight[]): 0 | 1 | 2 {
  const holders = rows.filter((key) => !isShut(key) && rights.every((right) => holdsRight(key, teams, right)));
  if (holders.length === 0) return 0;
  return holders.some(({ expiry_days }) => expiry_days === null) ? 2 : 1;
}

/**
 * A user is to be left who can let others in; and where there was one who could sign in for it, another, or a key without an
 * end that may do the same. Keys that the same change is about do not count.
 */
export async function assertAdministratorLeft(
  db: Db,
  account_id: string,
  { before, after }: Transition<UserRow>,
  changing: readonly KeyRow[] = [],
): Promise<void> {
  const rights = administration;
  const [were, are] = [administrators(before), administrators(after)];
  if (were.every((id) => are.includes(id))) return;
  const others = { but: before.rows.map(({ id }) => id), rights };
  if (are.length === 0 && !(await areHeldByAnotherUser(db, account_id, { ...others, withPassword: false }))) {
    throw lastOne("the last user");
  }
  const entered = await findEntered(db, account_id, [...were, ...are]);
  if (!were.some((id) => entered.has(id)) || are.some((id) => entered.has(id))) return;
  if (await areHeldByAnotherUser(db, account_id, { ...others, withPassword: true })) return;
  if (await areHeldByAnotherKey(db, account_id, { but: changing.map(({ id }) => id), rights, lasting: true })) return;
  throw lastOne("the last user who has set a password");
}

const lastOne = (who: string) =>
  invalid(`${who} with the permissions manage_users and manage_apikeys must stay`, {
    permissions: ["manage_users", "manage_apikeys"],
  });

const administrators = ({ rows, teams }: Holders<UserRow>): string[] =>
  rows
    .filter((user) => !isShut(user) && administration.every((right) => holdsRight(user, teams, right)))
    .map(({ id }) => id);

/** An empty list that counts keeps everybody out. */
const isShut = ({ ip_whitelist, ip_whitelist_strict }: Holder) => ip_whitelist_strict && ip_whitelist.length === 0;

/** The members of a team, and all teams of the account. */
export interface Members {
  readonly keys: readonly KeyRow[];
  readonly users: readonly UserRow[];
  readonly teams: Teams;
}

/** In a write that is exclusive they stay as they are. */
export async function findMembers(db: Db, account_id: string, team: string): Promise<Members> {
  const [keys, users] = [await listKeysIn(db, account_id, team), await listUsersIn(db, account_id, team)];
  return { keys, users, teams: teamsById(await listTeams(db, account_id)) };
}

export const withTeam = (members: Members, team: Team): Members => ({
  ...members,
  teams: new Map([...members.teams, [team.id, team]]),
});

/** After the team is gone; all are where they were. */
export const withoutTeam = ({ keys, users, teams }: Members, team: Team): Members => ({
  keys: keys.map((key) => withoutMembership(key, team)),
  users: users.map((user) => withoutMembership(user, team)),
  teams: new Map([...teams].filter(([id]) => id !== team.id)),
});

/** A holder who loses a team stays in the others, or is left with what the team granted. */
function withoutMembership<T extends Holder>(holder: T, { id, permissions }: Team): T {
  const teams = holder.teams.filter((other) => other !== id);
  return { ...holder, teams, permissions: teams.length === 0 ? permissions : holder.permissions };
}
