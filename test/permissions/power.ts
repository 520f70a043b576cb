/** The effect of an access: all rights, and all zones and records of a small world, as comparable sets. */
import {
  type Access,
  allRights,
  denies,
  grants,
  holds,
  isPlain,
  opensRecord,
  opensZone,
  type Permissions,
  type RecordName,
  scopeOf,
  unrestricted,
} from "./rules.ts";

/** Zones and records in the comparison, including some that do not exist. */
export interface Universe {
  readonly zones: readonly string[];
  readonly places: readonly RecordName[];
}

export type Power = ReadonlySet<string>;

const scoped = ["dns.view_zones", "dns.manage_zones"];

export function powerOf(access: Access, { zones, places }: Universe): Power {
  const power = new Set<string>(allRights.filter((right) => holds(access, right)));
  if (!access.every(denies)) power.add("rights of later releases");
  for (const right of scoped) {
    for (const one of access.filter((each) => grants(each, right))) {
      for (const zone of zones) {
        if (opensZone(one, zone)) power.add(`${right} ${zone}`);
        if (isPlain(one, zone)) power.add(`${right} all of ${zone}`);
      }
      for (const place of places) {
        if (opensRecord(one, place)) power.add(`${right} ${place.domain} ${place.type} in ${place.zone}`);
      }
    }
  }
  return power;
}

/** The elements of a set that no other set has. */
export const beyond = (power: Power, ...others: readonly Power[]): string[] =>
  [...power].filter((each) => !others.some((other) => other.has(each)));

/**
 * Whether each wanted object is covered by a held one that has its rights, and either the same rules for zones and
 * records or none.
 */
export const covers = (held: Access, wanted: Access): boolean =>
  wanted.every((one) => {
    const needed = allRights.filter((right) => grants(one, right));
    const isLater = (each: Permissions) => denies(one) || !denies(each);
    return held.some((each) => hasScope(each, one) && isLater(each) && needed.every((right) => grants(each, right)));
  });

const hasScope = (held: Permissions, wanted: Permissions) => {
  const scope = scopeOf(held);
  return scope === unrestricted || scope === scopeOf(wanted);
};
