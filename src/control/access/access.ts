/**
 * The access of a caller: one grant for each of its teams, or one for its own permissions. A single grant must both
 * include the right and open the zone or record, so that a right of one team does not reach the zones of another.
 */
import { upwardsFrom } from "../../dns/wire/name.ts";
import { cachedByPair } from "../../lib/pair-cache.ts";
import { beyondScope, filtersRecords, type Grant, opensRecord, opensSettings, opensZone } from "./permit.ts";
import { type Right, rightInMessages, rightNames } from "./rights.ts";

/** A grant for each team, or the caller's own grant. */
export type Access = readonly Grant[];

export const holds = (access: Access, right: Right) => access.some(({ rights }) => rights.has(right));

/** The grants that include the right. */
export const holding = (access: Access, right: Right): Access => access.filter(({ rights }) => rights.has(right));

export const reachesZone = (access: Access, right: Right, zone: string) =>
  access.some((grant) => grant.rights.has(right) && opensZone(grant, zone));

/** The zones that a right may reach, if permissions name each of them; undefined when other zones are open too. */
export function zonesNamed(access: Access, right: Right): ReadonlySet<string> | undefined {
  const grants = holding(access, right);
  if (grants.some(({ allowByDefault }) => allowByDefault)) return undefined;
  return new Set(grants.flatMap(({ zonesAllow }) => [...zonesAllow]));
}

/** The zones that a right does not reach although it reaches zones that no permission names. */
export function zonesClosed(access: Access, right: Right): ReadonlySet<string> {
  const grants = holding(access, right);
  const [first, ...others] = grants.filter(({ allowByDefault }) => allowByDefault);
  const named = new Set(grants.flatMap(({ allowByDefault, zonesAllow }) => (allowByDefault ? [] : [...zonesAllow])));
  const isClosed = (zone: string) => !named.has(zone) && others.every(({ zonesDeny }) => zonesDeny.has(zone));
  return new Set([...(first?.zonesDeny ?? [])].filter(isClosed));
}

/** Whether the right reaches a record; called for each record of a listing. */
export const reachesRecord = (access: Access, right: Right, zone: string, domain: string, type: string) =>
  access.some((grant) => grant.rights.has(right) && opensRecord(grant, zone, domain, type));

/** A record that need not exist: its zone is the one that has the name now, or undefined without such a zone. */
interface Place {
  readonly zone: string | undefined;
  readonly domain: string;
  readonly type: string;
}

/**
 * Whether the right reaches a record whether it exists or not, so that the reply does not tell. A zone that is made later
 * at or above the name must not be closed by name.
 */
export const reachesName = (access: Access, right: Right, { zone, domain, type }: Place) =>
  holding(access, right).some((grant) => {
    const opens = (name: string) => opensRecord(grant, name, domain, type);
    const possible = upwardsFrom(domain).filter((name) => zone === undefined || name.length > zone.length);
    const isClosedLater = grant.allowByDefault && !possible.every(opens);
    return !isClosedLater && (zone === undefined ? possible.some(opens) : opens(zone));
  });

export const reachesSettings = (access: Access, right: Right, zone: string) =>
  access.some((grant) => grant.rights.has(right) && opensSettings(grant, zone));

/** Whether all records of the zone are open, so that listings need not check each of them. */
export const reachesAll = (access: Access, right: Right, zone: string) =>
  access.some((grant) => grant.rights.has(right) && opensZone(grant, zone) && !filtersRecords(grant, zone));

/** Whether the right reaches everything, including zones and records created later. */
export const reachesEverything = (access: Access, right: Right) =>
  holding(access, right).some(
    ({ allowByDefault, zonesDeny, recordsAllow, recordsDeny }) =>
      allowByDefault && zonesDeny.size + recordsAllow.length + recordsDeny.length === 0,
  );

/**
 * The permissions in `wanted` that `held` does not cover: a caller can only give, change or take away permissions that
 * it has itself.
 *
 * Each wanted right must be in one held grant that opens everything the wanted grant opens. This is sound: the wanted
 * grant allows a request by one right within its scope, and the held grant that covers right and scope allows the
 * request too. A wanted grant that names its zones is checked zone by zone, because each request concerns one zone: a
 * caller in two teams that open one zone each may give both zones. Otherwise the check is conservative: a permission
 * that several held grants cover only together is treated as not held.
 */
export const beyond = (held: Access, wanted: Access): string[] => [
  ...new Set(wanted.flatMap((grant) => beyondWhole(held, grant))),
];

/** Whether `held` covers everything in `other`. */
export const holdsAll = (held: Access, other: Access) => beyond(held, other).length === 0;

/** Cached, because all members of a team have the same grants, with up to ten thousand rules. */
const beyondWhole = cachedByPair((held: Access, wanted: Grant): string[] => {
  const names = beyondOne(held, wanted);
  const { allowByDefault, zonesAllow } = wanted;
  if (names.length === 0 || held.length < 2 || allowByDefault || zonesAllow.size < 2) return names;
  return [...zonesAllow].flatMap((zone) => beyondOne(held, { ...wanted, zonesAllow: new Set([zone]) }));
});

function beyondOne(held: Access, wanted: Grant): string[] {
  const scopes = held.map((grant) => ({ grant, lists: beyondScope(grant, wanted) }));
  const names: string[] = [];
  const lists = new Set<string>();
  if (wanted.allowsLater && !held.some(({ allowsLater }) => allowsLater)) names.push("default");
  for (const right of rightNames) {
    if (!wanted.rights.has(right)) continue;
    const holders = scopes.filter(({ grant }) => grant.rights.has(right));
    if (holders.length === 0) names.push(rightInMessages(right));
    else if (holders.every((holder) => holder.lists.length > 0)) for (const list of holders[0]!.lists) lists.add(list);
  }
  return [...names, ...lists];
}
