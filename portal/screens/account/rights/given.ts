/** Permissions as they were set: only the fields that were given, since a right that is left out has a meaning of its own. */
import type { EffectiveRights, Permissions } from "../../../api/types.ts";

export interface Given {
  /** Whether rights that are left out are denied. */
  readonly denies: boolean;
  readonly groups: { readonly [group: string]: { readonly [name: string]: unknown } };
}

export const nothingGiven: Given = { denies: false, groups: {} };

/** Fields of `dns` that are no rights, with the values that they have when they are left out. */
const scopeDefaults: { readonly [name: string]: unknown } = {
  zones_allow_by_default: true,
  zones_allow: [],
  zones_deny: [],
  records_allow: [],
  records_deny: [],
};

/** The rights that a user, key or team was given. Replies show every right, so the reasons say which ones were given. */
export function givenOf(permissions: Permissions, { rights }: EffectiveRights): Given {
  const groups: { [group: string]: { [name: string]: unknown } } = {};
  const put = (group: string, name: string, value: unknown) => {
    groups[group] = { ...groups[group], [name]: value };
  };
  for (const { right, reasons } of rights) {
    const [group = "", name = ""] = right.split(".");
    if (reasons[0]?.reason === "given") put(group, name, reasons[0].allowed);
  }
  for (const [name, otherwise] of Object.entries(scopeDefaults)) {
    const value = permissions.dns?.[name];
    if (value !== undefined && !isSame(value, otherwise)) put("dns", name, value);
  }
  return { denies: permissions.default === "deny", groups };
}

/** `given` with a field set, or left out when the value is undefined. */
export function withField(given: Given, group: string, name: string, value: unknown): Given {
  const { [name]: _, ...others } = given.groups[group] ?? {};
  const fields = value === undefined ? others : { ...others, [name]: value };
  return { ...given, groups: { ...given.groups, [group]: fields } };
}

/** The permissions for a body that creates something. */
export const permissionsOf = ({ denies, groups }: Given): Permissions =>
  ({ ...groups, ...(denies ? { default: "deny" } : {}) }) as Permissions;

/** The fields that differ, for a body that changes something; null leaves a field out again. */
export function changesOf(before: Given, after: Given): { readonly count: number; readonly body: Permissions } {
  const body: { [group: string]: { [name: string]: unknown } } = {};
  let count = 0;
  for (const group of new Set([...Object.keys(before.groups), ...Object.keys(after.groups)])) {
    const old = before.groups[group] ?? {};
    const now = after.groups[group] ?? {};
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      if (isSame(old[name], now[name])) continue;
      body[group] = { ...body[group], [name]: now[name] ?? null };
      count++;
    }
  }
  const changed = before.denies === after.denies ? {} : { default: after.denies ? "deny" : "allow" };
  return { count: count + Object.keys(changed).length, body: { ...body, ...changed } as Permissions };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
