/**
 * What a caller may do by all that it holds: its own permissions, or those of each of its teams. One of them alone has to
 * grant the right and open the place, so that no right of one team reaches into the zones of another.
 */
import { remembered } from "../../lib/pairs.ts";
import { beyondScope, filtersRecords, type Grant, opensRecord, opensSettings, opensZone } from "./permit.ts";
import { type Right, rightNames, rightPath } from "./rights.ts";

/** One for each team, or the caller's own. */
export type Access = readonly Grant[];

export const holds = (access: Access, right: Right) => access.some(({ rights }) => rights.has(right));

/** Those that grant the right. */
export const holding = (access: Access, right: Right): Access => access.filter(({ rights }) => rights.has(right));

export const reachesZone = (access: Access, right: Right, zone: string) =>
  access.some((grant) => grant.rights.has(right) && opensZone(grant, zone));

/** The zones that a right may reach, as far as they are named one by one; undefined when others are open too. */
export function zonesNamed(access: Access, right: Right): ReadonlySet<string> | undefined {
  const grants = holding(access, right);
  if (grants.some(({ allowByDefault }) => allowByDefault)) return undefined;
  return new Set(grants.flatMap(({ zonesAllow }) => [...zonesAllow]));
}

/** Asked for each record of a listing. */
export const reachesRecord = (access: Access, right: Right, zone: string, domain: string, type: string) =>
  access.some((grant) => grant.rights.has(right) && opensRecord(grant, zone, domain, type));

export const reachesSettings = (access: Access, right: Right, zone: string) =>
  access.some((grant) => grant.rights.has(right) && opensSettings(grant, zone));

/** Whether no record of the zone can be closed, so that listings need not look at each. */
export const reachesAll = (access: Access, right: Right, zone: string) =>
  access.some((grant) => grant.rights.has(right) && opensZone(grant, zone) && !filtersRecords(grant, zone));

/** Whether there is nothing that the right does not reach, whatever will be made. */
export const reachesEverything = (access: Access, right: Right) =>
  holding(access, right).some(
    ({ allowByDefault, zonesDeny, recordsAllow, recordsDeny }) =>
      allowByDefault && zonesDeny.size + recordsAllow.length + recordsDeny.length === 0,
  );

/**
 * The permissions in `wanted` that `held` does not cover: nobody gives, changes or takes away what they do not have.
 *
 * Each right that is wanted must be in one held grant which opens all that the wanted one opens. That is sound: whatever
 * the wanted grant lets through, it lets through by one right and its own scope, and then the held grant that covers the
 * two lets it through as well. A wanted grant that names its zones is looked at zone by zone, since it lets nothing
 * through but in one of them: whoever has two teams with a zone each may give both. Beyond that it is conservative: what
 * only several held grants cover together counts as not held.
 */
export const beyond = (held: Access, wanted: Access): string[] => [
  ...new Set(wanted.flatMap((grant) => beyondWhole(held, grant))),
];

/** Whether everything that `other` grants is granted here as well. */
export const holdsAll = (held: Access, other: Access) => beyond(held, other).length === 0;

/** All members of a team are asked for with the same ones, which may have ten thousand rules. */
const beyondWhole = remembered((held: Access, wanted: Grant): string[] => {
  const names = beyondOne(held, wanted);
  const { allowByDefault, zonesAllow } = wanted;
  if (names.length === 0 || held.length < 2 || allowByDefault || zonesAllow.size < 2) return names;
  return [...zonesAllow].flatMap((zone) => beyondOne(held, { ...wanted, zonesAllow: new Set([zone]) }));
});

function beyondOne(held: Access, wanted: Grant): string[] {
  const scopes = held.map((grant) => ({ grant, lists: beyondScope(grant, wanted) }));
  const names: string[] = [];
  const lists = new Set<string>();
  for (const right of rightNames) {
    if (!wanted.rights.has(right)) continue;
    const holders = scopes.filter(({ grant }) => grant.rights.has(right));
    if (holders.length === 0) names.push(rightPath(right)[1]);
    else if (holders.every((holder) => holder.lists.length > 0)) for (const list of holders[0]!.lists) lists.add(list);
  }
  return [...names, ...lists];
}
