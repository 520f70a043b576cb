/** Holders of permissions, which are API keys and users: their own permissions or those of their teams, and how a body changes them. */
import type { Warnings } from "../../http/route/warnings.ts";
import { invalidField } from "../../lib/problem.ts";
import type { AllowEntry } from "../../storage/tables/accounts.ts";
import { limits } from "../kit/limits.ts";
import { afterBody, readAfter } from "../kit/schema.ts";
import { assertAllowList } from "./allowlist.ts";
import { equivalentOf } from "./merge.ts";
import { mergePermissions, octetsOf, type Permissions } from "./permissions.ts";
import type { Edition } from "./rights.ts";

export interface Holder {
  readonly permissions: Readonly<Record<string, unknown>>;
  /** Ids. With at least one team, `permissions` do not apply. */
  readonly teams: readonly string[];
  readonly ip_whitelist: readonly string[];
  /** Whether `ip_whitelist` applies; if it applies and is empty, it admits no address. */
  readonly ip_whitelist_strict: boolean;
}

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly permissions: Readonly<Record<string, unknown>>;
  readonly ip_whitelist: readonly AllowEntry[];
}

/** The teams of an account by id. */
export type Teams = ReadonlyMap<string, Team>;

export const teamsById = (teams: readonly Team[]): Teams => new Map(teams.map((team) => [team.id, team]));

/** Safe: stored permissions went through `mergePermissions`. */
export const permissionsOf = ({ permissions }: Pick<Holder, "permissions">) => permissions as Permissions;

/** The fields of a body; null means empty. */
export interface HolderBody {
  readonly permissions?: Permissions | null;
  readonly teams?: readonly string[] | null;
  readonly ip_whitelist?: readonly string[] | null;
  readonly ip_whitelist_strict?: boolean | null;
}

/** The context in which a body is read. */
export interface Reading {
  readonly settings: { readonly edition: Edition };
  readonly warnings: Warnings;
}

/** Throws `invalid` when the teams of a holder are too many or too large, unless none is new. */
export function assertTeamsFit(joined: readonly string[], before: readonly string[], teams: Teams): void {
  if (joined.every((id) => before.includes(id)) && joined.length <= before.length) return;
  if (joined.length > limits.holderTeams) {
    throw invalidField("teams", `a key or user can be in at most ${limits.holderTeams} teams: leave some first`);
  }
  const most = limits.joinedKilobytes * 1024;
  const found = joined.flatMap((id) => teams.get(id) ?? []);
  if (found.reduce((sum, team) => sum + octetsOf(permissionsOf(team)), 0) > most) {
    const message = `the permissions of all teams of a key or user can have at most ${most} octets of JSON together: name fewer zones and records in them`;
    throw invalidField("teams", message);
  }
}

/** The holder after a body is applied. If the holder is then in a team, permissions in the body are ignored. `teams` are all teams of the account. */
export function changeHolder(before: Holder, body: HolderBody, teams: Teams, reading: Reading): Holder {
  const ip_whitelist = afterBody(body.ip_whitelist, before.ip_whitelist, []);
  assertAllowList(ip_whitelist, "ip_whitelist");
  const joined = readAfter(body.teams, before.teams, [], (sent) => [...new Set(sent)]);
  const unknown = joined.find((id) => !teams.has(id));
  if (unknown !== undefined) {
    throw invalidField("teams", `there is no team "${unknown.slice(0, 60)}"`, { team: unknown.slice(0, 60) });
  }
  if (body.teams) assertTeamsFit(joined, before.teams, teams);
  return {
    ip_whitelist,
    ip_whitelist_strict: afterBody(body.ip_whitelist_strict, before.ip_whitelist_strict, false),
    teams: joined,
    permissions: joined.length > 0 ? before.permissions : ownPermissions(before, body.permissions, teams, reading),
  };
}

/** A holder that leaves its last team keeps the permissions that its teams gave, changed by the body. */
function ownPermissions(
  before: Holder,
  given: HolderBody["permissions"],
  teams: Teams,
  { settings: { edition }, warnings }: Reading,
): Permissions {
  if (before.teams.length > 0) {
    const ofTeams = equivalentOf(teamsOf(before, teams).map(permissionsOf), edition);
    return mergePermissions(ofTeams, given ?? {}, edition, warnings);
  }
  if (given === undefined) return permissionsOf(before);
  return given === null ? {} : mergePermissions(permissionsOf(before), given, edition, warnings);
}

/** The holder's teams that still exist. */
export const teamsOf = (holder: Holder, teams: Teams): Team[] => holder.teams.flatMap((id) => teams.get(id) ?? []);
