/** Who holds permissions in an account, all together: for rules that no single change may break. */
import { invalid } from "../../lib/problem.ts";
import { holds } from "../access/access.ts";
import { type Holder, standingOf, type Team, type Teams, teamsById } from "../access/holder.ts";
import type { Db } from "../store.ts";
import { type KeyRow, listKeys } from "./store.ts";
import { listTeams } from "./team-store.ts";

export interface Members {
  readonly keys: readonly KeyRow[];
  readonly teams: Teams;
}

/** The account is locked, so that they stay as they are. */
export async function findMembers(db: Db, account_id: string): Promise<Members> {
  const [keys, teams] = [await listKeys(db, account_id), await listTeams(db, account_id)];
  return { keys, teams: teamsById(teams) };
}

/** After one of the keys is another, or gone. */
export const withKey = ({ keys, teams }: Members, id: string, row: KeyRow | undefined): Members => ({
  keys: [...keys.filter((key) => key.id !== id), ...(row ? [row] : [])],
  teams,
});

export const withTeam = ({ keys, teams }: Members, team: Team): Members => ({
  keys,
  teams: new Map([...teams, [team.id, team]]),
});

/** Those who were in the team are other rows, the rest are the same. */
export const withoutTeam = ({ keys, teams }: Members, team: Team): Members => ({
  keys: keys.map((key) => withoutMembership(key, team)),
  teams: new Map([...teams].filter(([id]) => id !== team.id)),
});

/** Somebody is to be left who can let others in, and longer than until a day. */
export function assertHoldersLeft(before: Members, after: Members): void {
  if (lastingKeys(after) < lastingKeys(before)) {
    throw invalid("the last API key with the permission manage_apikeys must stay", { permission: "manage_apikeys" });
  }
}

/** 2 where a key that manages keys stays, 1 where all that do expire, 0 without any. */
function lastingKeys({ keys, teams }: Members): 0 | 1 | 2 {
  const right = "account.manage_apikeys";
  const holders = keys.filter((key) => !isShut(key) && holds(standingOf(key, teams).access, right));
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
