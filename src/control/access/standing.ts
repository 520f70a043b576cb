/** The standing of a key or user: the access and the allow lists that apply to its requests, and comparisons of two. */
import { isDeepStrictEqual } from "node:util";
import { cachedByPair } from "../../lib/pair-cache.ts";
import { denied, invalid } from "../../lib/problem.ts";
import { type Access, beyond, holdsAll } from "./access.ts";
import { isListed, isWithin } from "./allowlist.ts";
import { type Holder, permissionsOf, type Team, type Teams, teamsOf } from "./holder.ts";
import { showTogether } from "./merge.ts";
import { isGranted, showPermissions } from "./permissions.ts";
import { type Grant, grantOf } from "./permit.ts";
import type { Edition, Right } from "./rights.ts";

/** The access and the allow lists that apply to a request. */
export interface Standing {
  readonly access: Access;
  /** The holder's own allow list; undefined when it does not apply. */
  readonly allowed: readonly string[] | undefined;
  /** The teams' allow lists combined; they apply unless empty. */
  readonly allowedOfTeams: readonly string[];
}

export function standingOf(holder: Holder, teams: Teams): Standing {
  const { ip_whitelist, ip_whitelist_strict } = holder;
  const allowed = ip_whitelist_strict ? ip_whitelist : undefined;
  if (holder.teams.length === 0) return { access: [grantOf(permissionsOf(holder))], allowed, allowedOfTeams: [] };
  const { access, allowedOfTeams } = combinedOf(holder, teams);
  return { access, allowed, allowedOfTeams };
}

/** The combined access and allow lists of a holder's teams. */
interface Combined extends Pick<Standing, "access" | "allowedOfTeams"> {
  /** The permissions as replies show them, by edition. */
  readonly shown: Map<Edition, ReturnType<typeof showTogether>>;
}

/** Cached by the account's teams and the ids of the joined teams, because many holders are in the same teams. */
const known = new WeakMap<Teams, Map<string, Combined>>();

function combinedOf(holder: Holder, teams: Teams): Combined {
  const combinations = known.get(teams) ?? new Map<string, Combined>();
  known.set(teams, combinations);
  const name = holder.teams.join(" ");
  const combined = combinations.get(name) ?? combine(teamsOf(holder, teams));
  combinations.set(name, combined);
  return combined;
}

const combine = (teams: readonly Team[]): Combined => ({
  access: teams.map((team) => grantOf(permissionsOf(team))),
  allowedOfTeams: teams.flatMap((team) => team.ip_whitelist.flatMap(({ values }) => values)),
  shown: new Map(),
});

/** Whether a holder has a right anywhere. Agrees with `standingOf`, but is cheaper for many holders. */
export const holdsRight = (holder: Holder, teams: Teams, right: Right) =>
  sourcesOf(holder, teams).some((source) => isGranted(permissionsOf(source), right));

/** The sources of the permissions that apply: the teams, or the holder itself. */
const sourcesOf = (holder: Holder, teams: Teams): readonly Pick<Holder, "permissions">[] =>
  holder.teams.length === 0 ? [holder] : teamsOf(holder, teams);

/** The permissions as replies show them: those of the teams for a holder in teams. */
export const shownPermissions = (holder: Holder, teams: Teams, edition: Edition) =>
  holder.teams.length === 0 ? showPermissions(permissionsOf(holder), edition) : shownCombined(holder, teams, edition);

function shownCombined(holder: Holder, teams: Teams, edition: Edition) {
  const { shown } = combinedOf(holder, teams);
  const combined = shown.get(edition) ?? showTogether(teamsOf(holder, teams).map(permissionsOf), edition);
  shown.set(edition, combined);
  return combined;
}

/** Throws unless the caller has all of the other's permissions: it cannot create, change or delete holders with more. */
export function assertHeld(caller: Standing, { access }: Pick<Standing, "access">): void {
  const permissions = beyond(caller.access, access);
  if (permissions.length === 0) return;
  const message = `You are not allowed to modify the following permissions: ${permissions.join(", ")}`;
  throw denied(message, { permissions });
}

/** Whether the other may do nothing that the caller may not do. */
export const isNoMoreThan = (caller: Standing, other: Standing) =>
  holdsAll(caller.access, other.access) && isNoWider(caller, other);

/** Whether two standings are equal. */
export const isSameStanding = (one: Standing, other: Standing) =>
  isDeepStrictEqual(one.allowed, other.allowed) &&
  isDeepStrictEqual(one.allowedOfTeams, other.allowedOfTeams) &&
  isSameAccess(one, other);

const isSameAccess = ({ access }: Standing, other: Standing) =>
  access.length === other.access.length && access.every((grant, i) => isSameGrant(grant, other.access[i]!));

const isSameGrant = cachedByPair<Grant, Grant, boolean>(isDeepStrictEqual);

/** Whether the other is restricted to addresses from which the caller is admitted. */
export const isNoWider = (caller: Standing, other: Standing) =>
  listsOf(caller).every((outer) => listsOf(other).some((inner) => isWithin(inner, outer)));

/** The allow lists that apply; an address must be on each of them. */
const listsOf = ({ allowed, allowedOfTeams }: Standing): (readonly string[])[] => [
  ...(allowed ? [allowed] : []),
  ...(allowedOfTeams.length > 0 ? [allowedOfTeams] : []),
];

/** Throws when the other is admitted from an address from which the caller is not. */
export function assertNoWider(caller: Standing, other: Standing): void {
  if (isNoWider(caller, other)) return;
  const message =
    "your own allow list restricts you: ip_whitelist, with ip_whitelist_strict, or a team's list must be within it";
  throw denied(message, { field: other.allowed ? "ip_whitelist" : "ip_whitelist_strict" });
}

/** Throws when the other may do more than the caller, or may do it from other addresses. */
export function assertGivable(caller: Standing, standing: Standing): void {
  assertHeld(caller, standing);
  assertNoWider(caller, standing);
}

/** Throws when the change would lock the caller out; `own` is the caller's standing after it. */
export function assertNotLockedOut(own: Standing, address: string | undefined): void {
  if (address === undefined) return;
  const { allowed, allowedOfTeams } = own;
  if (allowed && !isListed(allowed, address)) throw lockedOut("ip_whitelist", address);
  if (allowedOfTeams.length > 0 && !isListed(allowedOfTeams, address))
    throw lockedOut("the teams' ip_whitelist", address);
}

const lockedOut = (list: string, address: string) =>
  invalid(`${list} must include ${address}, your current address; otherwise you would lock yourself out`, {
    field: "ip_whitelist",
    address,
  });
