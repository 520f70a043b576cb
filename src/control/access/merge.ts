/** Several permissions objects merged into one: for display, and for a holder that leaves its last team. */
import { holdsAll } from "./access.ts";
import { withKept } from "./fields/kept.ts";
import { lists } from "./fields/lists.ts";
import { asRules, deniesByDefault, isGranted, namesOf, type Permissions, withDefault } from "./permissions.ts";
import { grantOf } from "./permit.ts";
import { type Edition, type Right, rightPath, rightsOf } from "./rights.ts";

/** For display only: each right that any of the objects grants, and the lists of all objects. */
export const showTogether = (several: readonly Permissions[], edition: Edition): Shown =>
  withDefault(withKept(together(several, edition), several, namesOf(edition)), several.every(deniesByDefault));

function together(several: readonly Permissions[], edition: Edition): Shown {
  const shown = rightsWhere(edition, (right) => several.some((one) => isGranted(one, right)));
  for (const { group, name, omitted } of lists) {
    const values = several.map((one) => one[group]?.[name] ?? omitted);
    const value = Array.isArray(omitted) ? distinct(values.flat()) : values.includes(true);
    shown[group] = { ...shown[group], [name]: value };
  }
  return shown;
}

/**
 * One permissions object equivalent to several. If there is no exact equivalent, the result grants less: the first of
 * these candidates that opens nothing beyond the originals. Candidates: each right that any original grants, in the
 * zones of all; the rights that every original grants, in the zones of all; the original with the most rights.
 */
export function equivalentOf(several: readonly Permissions[], edition: Edition): Permissions {
  const needed = withoutCovered(several);
  if (needed.length < 2) return needed[0] ?? withDefault({}, true);
  const held = needed.map(grantOf);
  const all = together(needed, edition);
  // a later right would be granted in the zones of all
  const isDenying = needed.some(deniesByDefault);
  const any: Permissions = withDefault({ ...all, dns: { ...all["dns"], ...scopeOf(needed) } }, isDenying);
  const common = rightsWhere(edition, (right) => needed.every((one) => isGranted(one, right)));
  const each = withDefault(
    Object.fromEntries(Object.keys(common).map((group) => [group, { ...any[group], ...common[group] }])),
    isDenying,
  );
  const alone = needed.toSorted((a, b) => grantOf(b).rights.size - grantOf(a).rights.size);
  return [any, each].find((one) => holdsAll(held, [grantOf(one)])) ?? alone[0]!;
}

type Shown = Record<string, Record<string, unknown>>;

/** The objects that no other object covers; of equal objects, the first. */
const withoutCovered = (several: readonly Permissions[]) =>
  several.reduce<readonly Permissions[]>((kept, one) => {
    const grant = grantOf(one);
    if (kept.some((other) => holdsAll([grantOf(other)], [grant]))) return kept;
    return [...kept.filter((other) => !holdsAll([grant], [grantOf(other)])), one];
  }, []);

/** The zones and records of all objects: a zone is closed when every object closes it. */
function scopeOf(several: readonly Permissions[]): Readonly<Record<string, unknown>> {
  const grants = several.map(grantOf);
  const open = grants.filter(({ allowByDefault }) => allowByDefault);
  const closed = grants.filter(({ allowByDefault }) => !allowByDefault);
  const allowed = new Set(closed.flatMap(({ zonesAllow }) => [...zonesAllow]));
  const denied = [...(open[0]?.zonesDeny ?? [])].filter((zone) => open.every(({ zonesDeny }) => zonesDeny.has(zone)));
  return {
    zones_allow_by_default: open.length > 0,
    zones_allow: open.length > 0 ? [] : [...allowed],
    zones_deny: denied.filter((zone) => !allowed.has(zone)),
    records_allow: distinct(several.flatMap((one) => asRules(one["dns"]?.["records_allow"]))),
    records_deny: distinct(several.flatMap((one) => asRules(one["dns"]?.["records_deny"]))),
  };
}

function rightsWhere(edition: Edition, isGiven: (right: Right) => boolean): Shown {
  const shown: Shown = {};
  for (const right of rightsOf(edition)) {
    const [group, name] = rightPath(right);
    shown[group] = { ...shown[group], [name]: isGiven(right) };
  }
  return shown;
}

const distinct = (values: readonly unknown[]): unknown[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];
