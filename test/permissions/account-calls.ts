/** Calls about keys, users and teams: a caller cannot give, change or remove access that it does not hold. */
import { isDeepStrictEqual } from "node:util";
import type { Call } from "./cases.ts";
import { beyond, covers, powerOf } from "./power.ts";
import { type Access, allRights, denies, denying, grants, holds, type Permissions } from "./rules.ts";
import { accessOf, byRight, type Make, type Scene, type Verdict } from "./step.ts";
import type { Holder, Team } from "./world.ts";

/** The verdict on a change of access that needs `right`; `after` is undefined if it is unknown. */
function verdictOf(scene: Scene, right: string, before: Access, after: Access | undefined): Verdict {
  const { access, world } = scene;
  if (!holds(access, right)) return "refused";
  const held = powerOf(access, world.universe);
  const lacks = (wanted: Access) => beyond(powerOf(wanted, world.universe), held).length > 0;
  const isSame = after !== undefined && isDeepStrictEqual(normal(before), normal(after));
  if (isSame) return covers(access, before) ? "allowed" : "open";
  if (lacks(before) || (after && lacks(after))) return "refused";
  return after && covers(access, before) && covers(access, after) ? "allowed" : "open";
}

const normal = (access: Access) =>
  access.map((one) => [
    denies(one),
    allRights.map((right) => grants(one, right)),
    ["zones_allow_by_default", "zones_allow", "zones_deny", "records_allow", "records_deny"].map(
      (name) => one["dns"]?.[name] ?? (name === "zones_allow_by_default" ? true : []),
    ),
  ]);

/** Merges the fields of a body into the existing ones, by name. */
function laidOver(before: Permissions, sent: Permissions): Permissions {
  const groups = new Set([...Object.keys(before), ...Object.keys(sent)].filter((group) => group !== "default"));
  const laid = Object.fromEntries([...groups].map((group) => [group, { ...before[group], ...sent[group] }]));
  return denies(before) || denies(sent) ? { ...laid, ...denying } : laid;
}

/** The requested access: random, or the caller's own with less or more. */
function wanted({ actor, members }: Scene, { picks, permissions }: Call): Permissions {
  const [own = {}] = accessOf(actor, members);
  const how = picks[3]! % 5;
  if (how < 2) return permissions;
  if (how === 2) return own;
  const right = allRights[picks[4]! % allRights.length]!;
  const [group = "", name = ""] = right.split(".");
  return laidOver(own, { [group]: { [name]: how === 4 } });
}

const teamsFor = ({ members }: Scene, { picks }: Call) =>
  members.teams.filter((_, i) => ((picks[5]! >> i) & 1) === 1).map(({ id }) => id);

interface HolderBody {
  readonly permissions?: Permissions;
  readonly teams?: readonly string[];
}

/** The body of a request that creates or changes a key or user. */
function bodyFor(scene: Scene, call: Call): HolderBody {
  const teams = teamsFor(scene, call);
  const permissions = wanted(scene, call);
  return [{ permissions }, { teams }, { teams: [] }, { teams, permissions }][call.picks[2]! % 4]!;
}

/** The holder's effective access after the request; undefined if the service combines several teams. */
function accessAfter({ members }: Scene, before: Holder, { teams, permissions }: HolderBody): Access | undefined {
  const joined = teams ?? before.teams;
  if (joined.length > 0) return accessOf({ teams: joined, permissions: {} }, members);
  const left = accessOf(before, members);
  return left.length > 1 ? undefined : [laidOver(left[0] ?? {}, permissions ?? {})];
}

const blank: Holder = { id: "", name: "", teams: [], permissions: {} };

const createHolder =
  (right: string, path: string, named: (free: string) => object): Make =>
  (scene, call) => {
    const body = bodyFor(scene, call);
    const after = accessAfter(scene, blank, body)!;
    const verdict = verdictOf(scene, right, [], after);
    return { method: "PUT", path, body: { ...named(scene.free), ...body }, verdict };
  };

const changeHolder =
  (right: string, path: string, pick: (scene: Scene, at: number) => Holder | undefined): Make =>
  (scene, call) => {
    const holder = pick(scene, call.picks[0]!);
    if (!holder) return undefined;
    const body = bodyFor(scene, call);
    const verdict = verdictOf(scene, right, accessOf(holder, scene.members), accessAfter(scene, holder, body));
    return { method: "POST", path: `${path}/${holder.username ?? holder.id}`, body, verdict };
  };

const deleteHolder =
  (right: string, path: string, pick: (scene: Scene, at: number) => Holder | undefined): Make =>
  (scene, { picks }) => {
    const holder = pick(scene, picks[0]!);
    if (!holder) return undefined;
    const verdict = verdictOf(scene, right, accessOf(holder, scene.members), []);
    return { method: "DELETE", path: `${path}/${holder.username ?? holder.id}`, verdict };
  };

/** The string of a key is shown only to callers that hold all its permissions. */
const listKeys: Make = ({ access, world, members }) => ({
  method: "GET",
  path: "account/apikeys",
  verdict: byRight(access, "account.manage_apikeys"),
  done: (body: readonly Holder[]) => {
    const held = powerOf(access, world.universe);
    return body.flatMap((key) => {
      const known = members.keys.find(({ id }) => id === key.id);
      const more =
        known && key.key !== undefined ? beyond(powerOf(accessOf(known, members), world.universe), held) : [];
      return more.length > 0 ? [`the string of a key is shown, and the key holds ${more[0]}`] : [];
    });
  },
});

const teamRight = "account.manage_teams";
const teamPath = "account/teams";
const team = ({ members }: Scene, at: number): Team | undefined => members.teams[at % members.teams.length];

const createTeam: Make = (scene, call) => {
  const permissions = wanted(scene, call);
  const verdict = verdictOf(scene, teamRight, [], [permissions]);
  return { method: "PUT", path: teamPath, body: { name: scene.free, permissions }, verdict };
};

const changeTeam: Make = (scene, call) => {
  const found = team(scene, call.picks[0]!);
  if (!found) return undefined;
  const permissions = wanted(scene, call);
  const verdict = verdictOf(scene, teamRight, [found.permissions], [laidOver(found.permissions, permissions)]);
  return { method: "POST", path: `${teamPath}/${found.id}`, body: { permissions }, verdict };
};

const deleteTeam: Make = (scene, { picks }) => {
  const found = team(scene, picks[0]!);
  if (!found) return undefined;
  const verdict = verdictOf(scene, teamRight, [found.permissions], []);
  return { method: "DELETE", path: `${teamPath}/${found.id}`, verdict };
};

const key = ({ members }: Scene, at: number) => members.keys[at % members.keys.length];
const user = ({ members }: Scene, at: number) => members.users[at % members.users.length];
const keyRight = "account.manage_apikeys";
const keyPath = "account/apikeys";
const userRight = "account.manage_users";
const userPath = "account/users";

export const accountCalls = {
  "create key": createHolder(keyRight, keyPath, (name) => ({ name })),
  "change key": changeHolder(keyRight, keyPath, key),
  "delete key": deleteHolder(keyRight, keyPath, key),
  "list keys": listKeys,
  "create user": createHolder(userRight, userPath, (username) => ({ username, email: `${username}@mail.example` })),
  "change user": changeHolder(userRight, userPath, user),
  "delete user": deleteHolder(userRight, userPath, user),
  "create team": createTeam,
  "change team": changeTeam,
  "delete team": deleteTeam,
  "list teams": ({ access }) => ({ method: "GET", path: teamPath, verdict: byRight(access, teamRight) }),
} satisfies Record<string, Make>;
