/**
 * What API keys and users have in common: permissions of their own or those of their teams, and addresses that they are
 * held to. What counts of them at a request, and what a body may make of them.
 */
import { isDeepStrictEqual } from "node:util";
import { remembered } from "../../lib/pairs.ts";
import { denied, invalid } from "../../lib/problem.ts";
import type { AllowEntry } from "../../storage/tables/accounts.ts";
import { type Access, beyond, holdsAll } from "./access.ts";
import { assertAllowList, isListed, isWithin } from "./allowlist.ts";
import { equivalentOf, showTogether } from "./merge.ts";
import { isGranted, mergePermissions, type Permissions, showPermissions } from "./permissions.ts";
import { type Grant, grantOf } from "./permit.ts";
import type { Edition, Right } from "./rights.ts";

export interface Holder {
  readonly permissions: Readonly<Record<string, unknown>>;
  /** Ids. While there is one, `permissions` do not count. */
  readonly teams: readonly string[];
  readonly ip_whitelist: readonly string[];
  /** Whether the list counts; then an empty one keeps everybody out. */
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

/** What counts at a request. */
export interface Standing {
  readonly access: Access;
  /** The own allow list; undefined when it does not count. */
  readonly allowed: readonly string[] | undefined;
  /** The teams' allow lists together, which count unless they are empty. */
  readonly allowedOfTeams: readonly string[];
}

export function standingOf(holder: Holder, teams: Teams): Standing {
  const { ip_whitelist, ip_whitelist_strict } = holder;
  const allowed = ip_whitelist_strict ? ip_whitelist : undefined;
  if (holder.teams.length === 0) return { access: [grantOf(permissionsOf(holder))], allowed, allowedOfTeams: [] };
  const { access, allowedOfTeams } = togetherOf(holder, teams);
  return { access, allowed, allowedOfTeams };
}

/** What the teams that somebody is in come to. */
interface Together extends Pick<Standing, "access" | "allowedOfTeams"> {
  /** As replies show it. */
  readonly shown: Map<Edition, ReturnType<typeof showTogether>>;
}

/** By the teams of an account as they were read, and the ids of some: many are in the same ones. */
const known = new WeakMap<Teams, Map<string, Together>>();

function togetherOf(holder: Holder, teams: Teams): Together {
  const combinations = known.get(teams) ?? new Map<string, Together>();
  known.set(teams, combinations);
  const name = holder.teams.join(" ");
  const together = combinations.get(name) ?? makeTogether(teamsOf(holder, teams));
  combinations.set(name, together);
  return together;
}

const makeTogether = (teams: readonly Team[]): Together => ({
  access: teams.map((team) => grantOf(permissionsOf(team))),
  allowedOfTeams: teams.flatMap((team) => team.ip_whitelist.flatMap(({ values }) => values)),
  shown: new Map(),
});

/** Whether somebody holds a right somewhere: what `standingOf` says, for looking at many. */
export const holdsRight = (holder: Holder, teams: Teams, right: Right) =>
  sourcesOf(holder, teams).some((source) => isGranted(permissionsOf(source), right));

/** Whose permissions count: those of the teams, or the own ones. */
const sourcesOf = (holder: Holder, teams: Teams): readonly Pick<Holder, "permissions">[] =>
  holder.teams.length === 0 ? [holder] : teamsOf(holder, teams);

/** As replies show them; of somebody in teams, those of the teams. */
export const shownPermissions = (holder: Holder, teams: Teams, edition: Edition) =>
  holder.teams.length === 0 ? showPermissions(permissionsOf(holder), edition) : shownTogether(holder, teams, edition);

function shownTogether(holder: Holder, teams: Teams, edition: Edition) {
  const { shown } = togetherOf(holder, teams);
  const together = shown.get(edition) ?? showTogether(teamsOf(holder, teams).map(permissionsOf), edition);
  shown.set(edition, together);
  return together;
}

/** Stored permissions went through `mergePermissions`. */
export const permissionsOf = ({ permissions }: Pick<Holder, "permissions">) => permissions as Permissions;

/** The fields of a body; null is the same as nothing. */
export interface HolderBody {
  readonly permissions?: Permissions | null;
  readonly teams?: readonly string[] | null;
  readonly ip_whitelist?: readonly string[] | null;
  readonly ip_whitelist_strict?: boolean | null;
}

/** What somebody is after a body, with the teams of the account. Permissions that come with teams are ignored. */
export function changeHolder(before: Holder, body: HolderBody, teams: Teams, edition: Edition): Holder {
  const ip_whitelist = body.ip_whitelist === undefined ? before.ip_whitelist : (body.ip_whitelist ?? []);
  assertAllowList(ip_whitelist, "ip_whitelist");
  const strict = body.ip_whitelist_strict === undefined ? before.ip_whitelist_strict : body.ip_whitelist_strict;
  const joined = body.teams === undefined ? before.teams : [...new Set(body.teams ?? [])];
  const unknown = joined.find((id) => !teams.has(id));
  if (unknown !== undefined) {
    throw invalid(`teams: there is no team "${unknown.slice(0, 60)}"`, { field: "teams", team: unknown.slice(0, 60) });
  }
  return {
    ip_whitelist,
    ip_whitelist_strict: strict ?? false,
    teams: joined,
    permissions: joined.length > 0 ? before.permissions : ownPermissions(before, body.permissions, teams, edition),
  };
}

/** Whoever leaves the last team keeps what it had there, but for what the body says. */
function ownPermissions(before: Holder, said: HolderBody["permissions"], teams: Teams, edition: Edition): Permissions {
  if (before.teams.length > 0) {
    return mergePermissions(equivalentOf(teamsOf(before, teams).map(permissionsOf), edition), said ?? {}, edition);
  }
  if (said === undefined) return permissionsOf(before);
  return said === null ? {} : mergePermissions(permissionsOf(before), said, edition);
}

/** Those that there still are. */
export const teamsOf = (holder: Holder, teams: Teams): Team[] => holder.teams.flatMap((id) => teams.get(id) ?? []);

/** Nobody makes somebody who may do more than they may; nor does one who does so already get changed or deleted by them. */
export function assertHeld(caller: Standing, { access }: Pick<Standing, "access">): void {
  const permissions = beyond(caller.access, access);
  if (permissions.length === 0) return;
  const message = `You are not allowed to modify the following permissions: ${permissions.join(", ")}`;
  throw denied(message, { permissions });
}

/** Whether being the other would let the caller do nothing that it cannot do as it is. */
export const isNoMoreThan = (caller: Standing, other: Standing) =>
  holdsAll(caller.access, other.access) && isNoWider(caller, other);

/** Whether there is no difference between the two. */
export const isSameStanding = (one: Standing, other: Standing) =>
  isDeepStrictEqual(one.allowed, other.allowed) &&
  isDeepStrictEqual(one.allowedOfTeams, other.allowedOfTeams) &&
  isSameAccess(one, other);

const isSameAccess = ({ access }: Standing, other: Standing) =>
  access.length === other.access.length && access.every((grant, i) => isSameGrant(grant, other.access[i]!));

const isSameGrant = remembered<Grant, Grant, boolean>(isDeepStrictEqual);

/** Whether the other is kept to addresses from which the caller is let in. */
export const isNoWider = (caller: Standing, other: Standing) =>
  listsOf(caller).every((outer) => listsOf(other).some((inner) => isWithin(inner, outer)));

/** The allow lists that count, each of which has to contain an address. */
const listsOf = ({ allowed, allowedOfTeams }: Standing): (readonly string[])[] => [
  ...(allowed ? [allowed] : []),
  ...(allowedOfTeams.length > 0 ? [allowedOfTeams] : []),
];

/** Whoever is held to some addresses makes nobody who is not. */
export function assertNoWider(caller: Standing, other: Standing): void {
  if (isNoWider(caller, other)) return;
  const message =
    "you are held to an allow list: ip_whitelist_strict must be true and ip_whitelist within your own, or the team's";
  throw denied(message, { field: other.allowed ? "ip_whitelist" : "ip_whitelist_strict" });
}

/** Nobody makes somebody who may do more than they may, or do it from elsewhere. */
export function assertGivable(caller: Standing, standing: Standing): void {
  assertHeld(caller, standing);
  assertNoWider(caller, standing);
}

/** Nobody shuts out themselves; `own` is what the caller will be. */
export function assertStillHere(own: Standing, address: string | undefined): void {
  if (address === undefined) return;
  const { allowed, allowedOfTeams } = own;
  if (allowed && !isListed(allowed, address)) throw shutOut("ip_whitelist does", address);
  if (allowedOfTeams.length > 0 && !isListed(allowedOfTeams, address))
    throw shutOut("the teams' ip_whitelist would", address);
}

const shutOut = (what: string, address: string) =>
  invalid(`${what} not contain ${address}, from where you ask: you would be let in no more`, {
    field: "ip_whitelist",
    address,
  });
