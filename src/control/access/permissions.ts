/** The permissions object of users, keys and teams: its schema, and how it is read, stored and shown. */
import { type TSchema, Type } from "typebox";
import { apiName } from "../../dns/wire/name.ts";
import { inField, invalid } from "../../lib/problem.ts";
import { maybe } from "../kit/schema.ts";
import { type Edition, type Right, rightNames, rightPath, rights, rightsOf } from "./rights.ts";

/** An entry of records_allow or records_deny; omitted fields match anything. */
export interface RecordRule {
  readonly zone?: string;
  readonly domain?: string;
  readonly include_subdomains?: boolean;
  readonly type?: string;
}

/** Permissions as stored: only the fields that were set. Omitted rights follow the registry. */
export type Permissions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const names = Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 10_000 });
const recordRules = Type.Array(
  Type.Object({
    zone: maybe(Type.String()),
    domain: maybe(Type.String()),
    include_subdomains: maybe(Type.Boolean()),
    type: maybe(Type.String()),
  }),
  { maxItems: 10_000 },
);
const tagRules = Type.Array(Type.Object({ name: Type.String(), value: maybe(Type.String()) }), { maxItems: 10_000 });

/** The fields of a permissions object that are not rights, with the values that they have when omitted. */
export const lists: readonly { group: string; name: string; schema: TSchema; omitted: unknown; desc: string }[] = [
  {
    group: "dns",
    name: "zones_allow_by_default",
    schema: Type.Boolean(),
    omitted: true,
    desc: "If true, all zones are open except those in zones_deny; if false, only those in zones_allow are open.",
  },
  { group: "dns", name: "zones_allow", schema: names, omitted: [], desc: "Zones that are open." },
  { group: "dns", name: "zones_deny", schema: names, omitted: [], desc: "Zones that are closed." },
  { group: "dns", name: "records_allow", schema: recordRules, omitted: [], desc: "The only records open in a zone." },
  { group: "dns", name: "records_deny", schema: recordRules, omitted: [], desc: "Records that are closed." },
  ...["dhcp", "ipam"].flatMap((group) => [
    { group, name: "tags_allow", schema: tagRules, omitted: [], desc: "Tags that open an object." },
    { group, name: "tags_deny", schema: tagRules, omitted: [], desc: "Tags that close an object." },
  ]),
];

/** The schema for bodies and replies. Rights of another edition are neither read nor shown. */
export const permissionsSchema = Type.Object(groupSchemas(), { $id: "Permissions" });

function groupSchemas(): Record<string, TSchema> {
  const groups: Record<string, Record<string, TSchema>> = {};
  for (const right of rightNames) {
    const [group, name] = rightPath(right);
    const { desc, only } = rights[right];
    const description = only ? `${desc} Only in edition ${only}.` : desc;
    groups[group] = { ...groups[group], [name]: maybe(Type.Boolean({ description })) };
  }
  for (const { group, name, schema, desc } of lists) {
    groups[group] = { ...groups[group], [name]: maybe({ ...schema, description: desc }) };
  }
  return Object.fromEntries(Object.entries(groups).map(([group, fields]) => [group, maybe(Type.Object(fields))]));
}

/** The stored permissions changed by a body: omitted fields keep their value, and null resets a field to its default. */
export function mergePermissions(before: Permissions, body: Permissions, edition: Edition): Permissions {
  assertKnown(body);
  const after: Record<string, Record<string, unknown>> = {};
  const take = (group: string, name: string) => {
    const given = body[group] === null ? null : body[group]?.[name];
    const value = given === undefined ? before[group]?.[name] : given;
    if (value === undefined || value === null) return;
    after[group] ??= {};
    after[group][name] = value;
  };
  for (const right of rightsOf(edition)) take(...rightPath(right));
  for (const { group, name } of lists) take(group, name);
  assertNames(after["dns"] ?? {});
  return after;
}

/** The whole object as replies show it: every right with its effective value. */
export function showPermissions(stored: Permissions, edition: Edition): Record<string, Record<string, unknown>> {
  const shown: Record<string, Record<string, unknown>> = {};
  for (const right of rightsOf(edition)) {
    const [group, name] = rightPath(right);
    shown[group] ??= {};
    shown[group][name] = isGranted(stored, right);
  }
  for (const { group, name, omitted } of lists) {
    shown[group] = { ...shown[group], [name]: stored[group]?.[name] ?? omitted };
  }
  return shown;
}

/** Whether the object grants a right. */
export function isGranted(stored: Permissions, right: Right): boolean {
  const [group, name] = rightPath(right);
  const value = stored[group]?.[name];
  if (value !== undefined && value !== null) return value === true;
  const { omitted } = rights[right];
  if (omitted === undefined) return true;
  if (omitted === "denied") return false;
  return stored[group]?.[omitted.as] !== false;
}

/** The reason for the value of a right: given explicitly, or left out. The API documents these values. */
export function reasonOf(stored: Permissions, right: Right): string {
  const [group, name] = rightPath(right);
  const value = stored[group]?.[name];
  if (value !== undefined && value !== null) return "given";
  const { omitted } = rights[right];
  return typeof omitted === "object" ? `left out: as ${omitted.as}` : "left out";
}

/** Every name allowed in a body, in any edition, by group. */
const known = new Map<string, Set<string>>();
for (const [group, name] of [...rightNames.map(rightPath), ...lists.map(({ group, name }) => [group, name] as const)]) {
  known.set(group, (known.get(group) ?? new Set()).add(name));
}

/** Throws for unknown names: a misspelt right would be omitted and thereby granted. */
function assertKnown(body: Permissions): void {
  for (const [group, rights] of Object.entries(body)) {
    const names = known.get(group);
    const unknown = names ? Object.keys(rights ?? {}).find((name) => !names.has(name)) : undefined;
    if (names && unknown === undefined) continue;
    const field = ["permissions", group, ...(unknown === undefined ? [] : [unknown])].join(".");
    throw invalid(`${field} is not known; check its spelling, because omitted rights are granted`, { field });
  }
}

/** Throws for an invalid name: its rule would never match. */
function assertNames(dns: Readonly<Record<string, unknown>>): void {
  for (const list of ["zones_allow", "zones_deny"]) {
    for (const zone of asNames(dns[list])) inField(`permissions.dns.${list}`, () => apiName(zone));
  }
  for (const list of ["records_allow", "records_deny"]) {
    for (const { zone, domain } of asRules(dns[list])) {
      for (const name of [zone, domain]) if (name) inField(`permissions.dns.${list}`, () => apiName(name));
    }
  }
}

export const asNames = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];

export const asRules = (value: unknown): readonly RecordRule[] =>
  Array.isArray(value) ? value.map((rule) => ({ ...rule })) : [];
