/** Tags of zones and records: their form, and the guarded names that begin with "auth:". */
import { isDeepStrictEqual } from "node:util";
import type { Target } from "../../../../http/route/route.ts";
import { denied, invalid, invalidField } from "../../../../lib/problem.ts";
import { isPermitted } from "../../../access/caller.ts";
import type { Edition } from "../../../access/rights.ts";
import { limits } from "../../../kit/limits.ts";
import type { Ctx } from "../../../write/context.ts";

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

export type Tags = Readonly<Record<string, unknown>>;

/** The tags that a zone's records inherit: those of the zone, in edition ddi. */
export const inheritedFrom = (edition: Edition, zone: { readonly tags: Tags }): Tags =>
  edition === "ddi" ? zone.tags : {};

/** The tags of a zone or record itself, and the names of those that a record does not inherit. */
export interface OwnTags {
  readonly tags: Tags;
  readonly blocked_tags?: readonly string[];
}

/** The tags of a record with those that it inherits; its own come after them and replace them. */
export function tagsInForce({ tags, blocked_tags = [] }: OwnTags, inherited: Tags): Tags {
  const blocked = new Set(blocked_tags);
  return Object.fromEntries([
    ...Object.entries(inherited).filter(([name]) => !blocked.has(name)),
    ...Object.entries(tags),
  ]);
}

/**
 * The record's own tags among those of a body. A body that was read has inherited tags, too: a tag that equals an inherited
 * one is the record's own only if `local_tags` of the body names it or, without `local_tags`, if it was before.
 */
export function ownTagsIn(
  sent: Tags,
  local: readonly string[] | null | undefined,
  before: Tags,
  inherited: Tags,
): Tags {
  const named = new Set(local ?? Object.keys(before));
  const isOwn = ([name, value]: [string, unknown]) =>
    named.has(name) || !Object.hasOwn(inherited, name) || inherited[name] !== value;
  return Object.fromEntries(Object.entries(sent).filter(isOwn));
}

/**
 * Tags that begin with "auth:" control access in other systems: setting, changing or removing one, and blocking an
 * inherited one, requires the rights manage_auth_tags and manage_auth_keys.
 */
export function assertTagsPermitted(
  { caller: { access }, settings: { edition } }: Pick<Ctx, "caller" | "settings">,
  target: Target,
  before: OwnTags | undefined,
  after: OwnTags | undefined,
): void {
  const guarded = ({ tags, blocked_tags = [] }: OwnTags = noTags) => ({
    tags: Object.fromEntries(Object.entries(tags).filter(([name]) => isGuarded(name))),
    blocked: edition === "ddi" ? blocked_tags.filter(isGuarded).sort() : [],
  });
  if (isDeepStrictEqual(guarded(before), guarded(after))) return;
  for (const right of ["manage_auth_tags", "manage_auth_keys"] as const) {
    if (!isPermitted(access, `account.${right}`, target)) {
      throw denied(`You do not have the permission ${right}, which tags that begin with "auth:" require`, {
        permission: `account.${right}`,
      });
    }
  }
}

const noTags: OwnTags = { tags: {} };

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
