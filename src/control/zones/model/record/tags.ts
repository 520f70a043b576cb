/** Tags of zones and records: their form, and the guarded names that begin with "auth:". */
import { isDeepStrictEqual } from "node:util";
import type { Target } from "../../../../http/route/route.ts";
import { denied, invalid, invalidField } from "../../../../lib/problem.ts";
import { type Caller, isPermitted } from "../../../access/caller.ts";
import { limits } from "../../../kit/limits.ts";

export const mostTagLength = 255;

/** Checks tags: the value of each tag is text, or null for no value. */
export function readTags(tags: Readonly<Record<string, unknown>>, field: string): Record<string, unknown> {
  const entries = Object.entries(tags);
  if (entries.length > limits.tags) throw invalid(`${field} has more than ${limits.tags} tags`, { field });
  for (const [name, value] of entries) {
    assertName(name, field);
    if (value !== null && (typeof value !== "string" || value.length > mostTagLength)) {
      throw invalid(`${field}.${name} must be text of at most ${mostTagLength} characters, or null`, { field });
    }
  }
  return Object.fromEntries(entries);
}

export function readNames(names: readonly string[], field: string): readonly string[] {
  if (names.length > limits.tags) throw invalid(`${field} has more than ${limits.tags} tags`, { field });
  for (const name of names) assertName(name, field);
  return names;
}

type Tags = Readonly<Record<string, unknown>>;

/** Tags that begin with "auth:" control access in other systems: setting, changing or removing one requires the rights manage_auth_tags and manage_auth_keys. */
export function assertTagsPermitted({ access }: Caller, target: Target, before: Tags, after: Tags): void {
  const guarded = (tags: Tags) => Object.fromEntries(Object.entries(tags).filter(([name]) => isGuarded(name)));
  if (isDeepStrictEqual(guarded(before), guarded(after))) return;
  for (const right of ["manage_auth_tags", "manage_auth_keys"] as const) {
    if (!isPermitted(access, `account.${right}`, target)) {
      throw denied(`You do not have the permission ${right}, which tags that begin with "auth:" require`, {
        permission: `account.${right}`,
      });
    }
  }
}

/** Compares in a form that unifies similar spellings and drops invisible characters. */
const isGuarded = (name: string) =>
  name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .trim()
    .toLowerCase()
    .startsWith("auth:");

function assertName(name: string, field: string): void {
  if (name.trim() === "" || name.length > mostTagLength) {
    throw invalidField(field, `a tag's name must have 1 to ${mostTagLength} characters`);
  }
}
