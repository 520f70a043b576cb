/** The rights by group, as the API describes them, and the meaning of a right that is left out. */
import type { Schema } from "../../../api/description.ts";
import { plainOf } from "../../../kit/plain.ts";
import { rightsTexts as texts } from "../../../text/rights.ts";
import type { Given } from "./given.ts";

export interface Flag {
  readonly group: string;
  readonly name: string;
  /** The API's sentence about the right. */
  readonly about: string;
}

export interface FlagGroup {
  readonly name: string;
  readonly title: string;
  readonly flags: readonly Flag[];
}

/** The groups that most people look for; the others follow as the API has them. */
const first = ["dns", "data", "account", "security", "monitoring"];

/** The place of a group among all. */
export const placeOf = (group: string): number => (first.includes(group) ? first.indexOf(group) : first.length);

/** The groups of a schema, with the rights that are known here; if that is not known, without those of one edition only. */
export function groupsOf(schema: Schema, known: readonly string[] | undefined): FlagGroup[] {
  const entries = Object.entries(schema.properties ?? {}).map(([name, { properties = {} }]) => {
    const isHere = (flag: string, about: string) =>
      known ? known.includes(`${name}.${flag}`) : !/Only in edition \w+\.$/.test(about);
    const flags = Object.entries(properties)
      .map(([flag, field]) => ({ flag, type: field.type, about: plainOf(field.description ?? "") }))
      .filter(({ flag, type, about }) => isRight(flag, type) && isHere(flag, about))
      .map(({ flag, about }) => ({ group: name, name: flag, about }));
    const title = (texts.groups as { readonly [name: string]: string })[name] ?? name;
    return { name, title, flags };
  });
  return entries.filter(({ flags }) => flags.length > 0).sort((a, b) => placeOf(a.name) - placeOf(b.name));
}

const isRight = (name: string, type: Schema["type"]) =>
  [type].flat().includes("boolean") && name !== "zones_allow_by_default";

/** Rights that follow another right of their group, or are denied, when they are left out. */
const exceptions: { readonly [right: string]: string | false } = {
  "monitoring.create_jobs": "manage_jobs",
  "monitoring.update_jobs": "manage_jobs",
  "monitoring.delete_jobs": "manage_jobs",
  "account.manage_auth_keys": false,
  "operator.view": false,
  "operator.manage": false,
};

/** Rights that have no effect without another one of their group. */
const needs: { readonly [right: string]: string } = { "account.manage_auth_tags": "manage_auth_keys" };

/** The right that is lacking beside a granted one, which has no effect then. */
export function lackingBeside(right: string, isGranted: (right: string) => boolean): string | undefined {
  const other = needs[right];
  if (other === undefined || !isGranted(right)) return undefined;
  return isGranted(`${right.slice(0, right.indexOf("."))}.${other}`) ? undefined : other;
}

interface Effect {
  readonly may: boolean;
  readonly why: string;
  /** Whether a right that is left out means something else than the others. */
  readonly isExceptional?: boolean;
}

/** Whether permissions grant a right, and why. */
export function effectOf({ denies, groups }: Given, { group, name }: Pick<Flag, "group" | "name">): Effect {
  const value = groups[group]?.[name];
  if (typeof value === "boolean") return { may: value, why: texts.given };
  if (denies) return { may: false, why: texts.leftOutDenied };
  const exception = exceptions[`${group}.${name}`];
  if (exception === undefined) return { may: true, why: texts.leftOut };
  if (exception === false) return { may: false, why: texts.leftOutNever, isExceptional: true };
  return { may: groups[group]?.[exception] !== false, why: texts.leftOutAs(exception), isExceptional: true };
}
