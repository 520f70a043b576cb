/** Who holds permissions in an account, all together: for rules that no single change may break. */
import { invalid } from "../../lib/problem.ts";
import { type Holder, holdsRight, type Team, type Teams, teamsById } from "../access/holder.ts";
import type { Db } from "../store.ts";
import { type KeyRow, listKeys } from "./store.ts";
import { listTeams } from "./team-store.ts";
import { listUsers, type UserRow } from "./user-store.ts";

export interface Members {
  readonly keys: readonly KeyRow[];
  readonly users: readonly UserRow[];
  readonly teams: Teams;
}

/** The account is locked, so that they stay as they are. */
export async function findMembers(db: Db, account_id: string): Promise<Members> {
  const [keys, users] = [await listKeys(db, account_id), await listUsers(db, account_id)];
  return { keys, users, teams: teamsById(await listTeams(db, account_id)) };
}

/** After one of the keys is another, or gone. */
export const withKey = (members: Members, id: string, row: KeyRow | undefined): Members => ({
  ...members,
  keys: [...members.keys.filter((key) => key.id !== id), ...(row ? [row] : [])],
});

export const withUser = (members: Members, id: string, row: UserRow | undefined): Members => ({
  ...members,
  users: [...members.users.filter((user) => user.id !== id), ...(row ? [row] : [])],
});

export const withTeam = (members: Members, team: Team): Members => ({
  ...members,
  teams: new Map([...members.teams, [team.id, team]]),
});

/** Those who were in the team are other rows, the rest are the same, and all are where they were. */
export const withoutTeam = ({ keys, users, teams }: Members, team: Team): Members => ({
  keys: keys.map((key) => withoutMembership(key, team)),
  users: users.map((user) => withoutMembership(user, team)),
  teams: new Map([...teams].filter(([id]) => id !== team.id)),
});

/** Somebody is to be left who can let others in, and longer than until a day. */
export function assertHoldersLeft(before: Members, after: Members): void {
  if (lastingKeys(after) < lastingKeys(before)) {
    throw invalid("the last API key with the permission manage_apikeys must stay", { permission: "manage_apikeys" });
  }
  if (hasAdministrator(before) && !hasAdministrator(after)) {
    throw invalid("the last user with the permissions manage_users and manage_apikeys must stay", {
      permissions: ["manage_users", "manage_apikeys"],
    });
  }
}

const hasAdministrator = ({ users, teams }: Members): boolean =>
  users.some(
    (user) =>
      !isShut(user) &&
      (["account.manage_users", "account.manage_apikeys"] as const).every((right) => holdsRight(user, teams, right)),
  );

/** 2 where a key that manages keys stays, 1 where all that do expire, 0 without any. */
function lastingKeys({ keys, teams }: Members): 0 | 1 | 2 {
  const right = "account.manage_apikeys";
  const holders = keys.filter((key) => !isShut(key) && holdsRight(key, teams, right));
  if (holders.length === 0) return 0;
  return holders.some(({ expiry_days }) => expiry_days === null) ? 2 : 1;
}

/** An empty list that counts keeps everybody out. */
const isShut = ({ ip_whitelist, ip_whitelist_strict }: Holder) => ip_whitelist_strict && ip_whitelist.length === 0;

/** A holder who loses a team stays in the others, or is left with what the team granted. */
function withoutMembership<T extends Holder>(holder: T, { id, permissions }: Team): T {
  if (!holder.teams.includes(id)) return holder;
  const teams = holder.teams.filter((other) => other !== id);
  return { ...holder, teams, permissions: teams.length === 0 ? permissions : holder.permissions };
}
