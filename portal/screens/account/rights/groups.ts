/** The rights by group, as the API describes them, and the meaning of a right that is left out. */
import type { Schema } from "../../../api/description.ts";
import type { Permissions } from "../../../api/types.ts";
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

/** The groups of a schema. Rights of another edition are left out, unless `shown`, a reply's permissions, has them. */
export function groupsOf(schema: Schema, shown: Permissions | undefined): FlagGroup[] {
  const entries = Object.entries(schema.properties ?? {}).map(([name, { properties = {} }]) => {
    const isShown = (flag: string) => (shown?.[name] as { readonly [flag: string]: unknown } | null)?.[flag];
    const flags = Object.entries(properties)
      .filter(([flag, field]) => isRight(flag, field))
      .filter(
        ([flag, { description = "" }]) => !/Only in edition \w+\.$/.test(description) || isShown(flag) !== undefined,
      )
      .map(([flag, { description = "" }]) => ({ group: name, name: flag, about: plainOf(description) }));
    const title = (texts.groups as { readonly [name: string]: string })[name] ?? name;
    return { name, title, flags };
  });
  const place = ({ name }: FlagGroup) => (first.includes(name) ? first.indexOf(name) : first.length);
  return entries.filter(({ flags }) => flags.length > 0).sort((a, b) => place(a) - place(b));
}

const isRight = (name: string, { type }: Schema) =>
  [type].flat().includes("boolean") && name !== "zones_allow_by_default";

/** Rights that follow another right of their group, or are denied, when they are left out. */
const exceptions: { readonly [right: string]: string | false } = {
  "monitoring.create_jobs": "manage_jobs",
  "monitoring.update_jobs": "manage_jobs",
  "monitoring.delete_jobs": "manage_jobs",
  "account.manage_auth_keys": false,
};

/** Whether permissions grant a right, and why. */
export function effectOf(
  { denies, groups }: Given,
  { group, name }: Flag,
): { readonly may: boolean; readonly why: string } {
  const value = groups[group]?.[name];
  if (typeof value === "boolean") return { may: value, why: texts.given };
  if (denies) return { may: false, why: texts.leftOutDenied };
  const exception = exceptions[`${group}.${name}`];
  if (exception === undefined) return { may: true, why: texts.leftOut };
  if (exception === false) return { may: false, why: texts.leftOutNever };
  return { may: groups[group]?.[exception] !== false, why: texts.leftOutAs(exception) };
}
