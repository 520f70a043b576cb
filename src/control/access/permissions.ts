/** The permissions object of users, keys and teams: its schema, and how it is read, stored and shown. */
import { type TSchema, Type } from "typebox";
import { apiName } from "../../dns/wire/name.ts";
import type { Warnings } from "../../http/route/warnings.ts";
import { inField, invalidField } from "../../lib/problem.ts";
import { limits } from "../kit/limits.ts";
import { keepsOthers, maybe } from "../kit/schema.ts";
import { type KnownNames, keptAfter, withKept } from "./fields/kept.ts";
import { lists } from "./fields/lists.ts";
import { type Edition, type Right, rightNames, rightPath, rights, rightsOf } from "./rights.ts";

/** An entry of records_allow or records_deny; omitted fields match anything. */
export interface RecordRule {
  readonly zone?: string;
  readonly domain?: string;
  readonly include_subdomains?: boolean;
  readonly type?: string;
}

/**
 * Permissions as stored: only the fields that were set, by group. Omitted rights follow the registry, unless the object
 * also has `default: "deny"`, which `deniesByDefault` reads.
 */
export type Permissions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const defaults = ["allow", "deny"] as const;

/** Whether rights that are left out are denied, including those of later releases. */
export function deniesByDefault(permissions: Permissions): boolean {
  // `default` is not a group; a cast, so that all other fields keep the type of groups
  const given = permissions["default"] as unknown;
  return given === "deny";
}

/** The object with `default: "deny"`, or as it is. */
export const withDefault = <T extends Permissions>(groups: T, denies: boolean): T =>
  denies ? { default: "deny", ...groups } : groups;

/** The schema for bodies and replies. Names that this edition does not have are kept and shown. */
export const permissionsSchema = Type.Object(groupSchemas(), { $id: "Permissions", ...keepsOthers });

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
  const description =
    '"deny" denies every right that is left out, also those of later releases; "allow" when left out.';
  return {
    default: maybe(Type.Enum([...defaults], { description })),
    ...Object.fromEntries(
      Object.entries(groups).map(([group, fields]) => [group, maybe(Type.Object(fields, keepsOthers))]),
    ),
  };
}

/** The stored permissions changed by a body: omitted fields keep their value, and null resets a field to its default. */
export function mergePermissions(
  before: Permissions,
  body: Permissions,
  edition: Edition,
  warnings: Warnings,
): Permissions {
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
  const { default: given, ...named } = body;
  const kept = keptAfter(before, named, namesOf(edition), warnings);
  const merged = withDefault({ ...after, ...kept }, deniesByDefault(given === undefined ? before : body));
  const most = limits.permissionsKilobytes * 1024;
  const size = octetsOf(merged);
  if (size > most && size > octetsOf(before)) {
    const message = `must be at most ${most} octets of JSON: name fewer zones and records, or close some instead of opening all others`;
    throw invalidField("permissions", message);
  }
  return merged;
}

const sizes = new WeakMap<Permissions, number>();

/** The octets of permissions as JSON. */
export function octetsOf(permissions: Permissions): number {
  const size = sizes.get(permissions) ?? Buffer.byteLength(JSON.stringify(permissions));
  sizes.set(permissions, size);
  return size;
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
  return withDefault(withKept(shown, [stored], namesOf(edition)), deniesByDefault(stored));
}

/** Whether the object grants a right. */
export function isGranted(stored: Permissions, right: Right): boolean {
  const [group, name] = rightPath(right);
  const value = stored[group]?.[name];
  if (value !== undefined && value !== null) return value === true;
  if (deniesByDefault(stored)) return false;
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
  if (deniesByDefault(stored)) return "left out: default deny";
  const { omitted } = rights[right];
  return typeof omitted === "object" ? `left out: as ${omitted.as}` : "left out";
}

const realIn = (edition: Edition) =>
  new Set<string>([...rightsOf(edition), ...lists.map(({ group, name }) => `${group}.${name}`)]);
const real: Readonly<Record<Edition, ReadonlySet<string>>> = { managed: realIn("managed"), ddi: realIn("ddi") };
const groups = new Set([...real.ddi].map((path) => path.slice(0, path.indexOf("."))));

/** The names that an edition has; edition ddi has all. */
export function namesOf(edition: Edition): KnownNames {
  const isIn = (names: ReadonlySet<string>) => (group: string, name: string | undefined) =>
    name === undefined ? groups.has(group) : names.has(`${group}.${name}`);
  return { isReal: isIn(real[edition]), isRealSomewhere: isIn(real.ddi) };
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
