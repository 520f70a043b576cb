/** Names in permissions objects that this edition does not have: kept and shown as they were sent, and without effect. */
import type { Warnings } from "../../../http/route/warnings.ts";
import { invalidField } from "../../../lib/problem.ts";
import { isObject } from "../../../lib/values.ts";

/** A permissions object, as far as kept names are concerned. */
type Permissions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The names that an edition has. A path without a name means the group itself. */
export interface KnownNames {
  /** In this edition. */
  isReal(group: string, name: string | undefined): boolean;
  /** In some edition. */
  isRealSomewhere(group: string, name: string | undefined): boolean;
}

/**
 * The group of the stored object that holds kept names, apart from real rights: when a release makes such a name a right,
 * the kept value does not count.
 */
const keptGroup = "";

/** The most kept names of an object, and the most octets of them as JSON. */
const most = { names: 64, octets: 4096 } as const;

/** A right of edition ddi that is shown in every edition, since clients compare it with the value that they sent. */
const alwaysShown = { group: "security", name: "manage_active_directory", omitted: true } as const;

type Kept = readonly (readonly [group: string, name: string | undefined, value: unknown])[];

/** The kept names after a body is applied, as part of the stored object. Warns of names that no edition has. */
export function keptAfter(before: Permissions, body: Permissions, known: KnownNames, warnings: Warnings): Permissions {
  const old = keptOf(before);
  const sent = pathsOf(body).filter(([group, name]) => !known.isReal(group, name));
  for (const [group, name, value] of sent) {
    if (value === null || known.isRealSomewhere(group, name)) continue;
    const isKept = old.some((one) => one[0] === group && one[1] === name);
    // strict callers may send back what they read
    if (isKept && warnings.isStrict) continue;
    const field = ["permissions", group, ...(name === undefined ? [] : [name])].join(".").slice(0, 300).toWellFormed();
    warnings.addUnknown(field, "check its spelling, because rights that are left out are granted");
  }
  const replaced = (group: string, name: string | undefined) =>
    body[group] === null || sent.some((one) => one[0] === group && (one[1] === undefined || one[1] === name));
  const kept = [
    ...old.filter(([group, name]) => !replaced(group, name)),
    ...sent.filter(([group, name, value]) => value !== null && group !== "__proto__" && name !== "__proto__"),
  ];
  if (kept.length === 0) return {};
  if (kept.length > most.names || Buffer.byteLength(JSON.stringify(kept)) > most.octets) {
    const limit = `at most ${most.names} names that are not known, and ${most.octets} octets of them`;
    throw invalidField("permissions", limit);
  }
  return { [keptGroup]: grouped(kept) };
}

/** Adds kept names to permissions as replies show them. Of several objects, a name is true if one of them has it true. */
export function withKept(
  shown: Record<string, Record<string, unknown>>,
  several: readonly Permissions[],
  known: KnownNames,
): Record<string, Record<string, unknown>> {
  const all = several.flatMap(keptOf).filter(([group, name]) => !known.isReal(group, name));
  const { group, name, omitted } = alwaysShown;
  const isSent = all.some((one) => one[0] === group && one[1] === name);
  const kept: Kept = isSent || known.isReal(group, name) ? all : [...all, [group, name, omitted]];
  const isTrue = kept.filter(([, , value]) => value === true);
  const added = grouped([...kept, ...isTrue]);
  const groups = Object.entries(added).map(([key, fields]) => [
    key,
    isObject(fields) ? { ...shown[key], ...fields } : (shown[key] ?? fields),
  ]);
  return { ...shown, ...Object.fromEntries(groups) };
}

const keptOf = (stored: Permissions): Kept => pathsOf(stored[keptGroup] ?? {});

/** The names of an object by group; a group that is no object has a value of its own. */
const pathsOf = (permissions: Readonly<Record<string, unknown>>): Kept =>
  Object.entries(permissions).flatMap(([group, fields]): Kept => {
    if (!isObject(fields)) return [[group, undefined, fields]];
    return Object.entries(fields).map(([name, value]) => [group, name, value] as const);
  });

function grouped(kept: Kept): Readonly<Record<string, unknown>> {
  const groups = new Map<string, unknown>();
  for (const [group, name, value] of kept) {
    const fields = groups.get(group);
    groups.set(group, name === undefined ? value : { ...(isObject(fields) ? fields : {}), [name]: value });
  }
  return Object.fromEntries(groups);
}
