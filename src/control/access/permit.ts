/** The zones and records that one permissions object opens. Pure. */
import { hash } from "node:crypto";
import { typeName, typeNamed } from "../../dns/type-names.ts";
import { apiName, upwardsFrom } from "../../dns/wire/name.ts";
import { asNames, asRules, deniesByDefault, isGranted, type Permissions, type RecordRule } from "./permissions.ts";
import { type Right, rightNames } from "./rights.ts";

/** Permissions prepared for checks: rights as a set, names in canonical spelling. */
export interface Grant {
  readonly rights: ReadonlySet<Right>;
  /** Rights of later releases are granted as well. */
  readonly allowsLater: boolean;
  readonly allowByDefault: boolean;
  readonly zonesAllow: ReadonlySet<string>;
  readonly zonesDeny: ReadonlySet<string>;
  readonly recordsAllow: readonly RecordRule[];
  readonly recordsDeny: readonly RecordRule[];
}

/** Cached by permissions object, because all members of a team have the same object. */
const known = new WeakMap<Permissions, Grant>();

/** Grants by the digest of their permissions: each look-up of a credential reads them anew. */
const byDigest = new Map<string, Grant>();
const mostKept = 1000;

export function grantOf(permissions: Permissions): Grant {
  const grant = known.get(permissions) ?? grantByDigest(permissions);
  known.set(permissions, grant);
  return grant;
}

function grantByDigest(permissions: Permissions): Grant {
  const digest = hash("sha256", JSON.stringify(permissions));
  const grant = byDigest.get(digest) ?? makeGrant(permissions);
  // the last one used is the last one dropped
  byDigest.delete(digest);
  byDigest.set(digest, grant);
  if (byDigest.size > mostKept) byDigest.delete(byDigest.keys().next().value!);
  return grant;
}

function makeGrant(permissions: Permissions): Grant {
  const dns = permissions["dns"] ?? {};
  return {
    rights: new Set(rightNames.filter((right) => isGranted(permissions, right))),
    allowsLater: !deniesByDefault(permissions),
    allowByDefault: dns["zones_allow_by_default"] !== false,
    zonesAllow: new Set(asNames(dns["zones_allow"]).map(apiName)),
    zonesDeny: new Set(asNames(dns["zones_deny"]).map(apiName)),
    recordsAllow: asRules(dns["records_allow"]).map(canonicalRule),
    recordsDeny: asRules(dns["records_deny"]).map(canonicalRule),
  };
}

/** Whether the zone is open. An entry names exactly one zone; it does not cover zones below it. */
export const opensZone = (grant: Grant, zone: string) =>
  grant.allowByDefault ? !grant.zonesDeny.has(zone) : grant.zonesAllow.has(zone);

/**
 * Whether a record is open. Rules for zones come first, and records_deny overrides records_allow. In a zone that
 * records_allow names, only the records that it names are open.
 */
export function opensRecord(grant: Grant, zone: string, domain: string, type: string): boolean {
  if (!opensZone(grant, zone)) return false;
  const reach = coversSubtree(type, domain === zone) ? "subtree" : "name";
  if (grant.recordsDeny.some((rule) => denies(rule, zone, domain, type, reach))) return false;
  const allow = grant.recordsAllow.filter((rule) => rule.zone === undefined || rule.zone === zone);
  return allow.length === 0 || allow.some((rule) => allows(rule, domain, type, reach));
}

/** Whether the zone itself may be changed. That affects all records, so a key restricted to some records may not do it. */
export const opensSettings = (grant: Grant, zone: string) =>
  opensZone(grant, zone) && !grant.recordsAllow.some((rule) => rule.zone === undefined || rule.zone === zone);

/** Whether some records of the zone may be closed, so that listings must check each of them. */
export const filtersRecords = (grant: Grant, zone: string) =>
  [...grant.recordsAllow, ...grant.recordsDeny].some((rule) => rule.zone === undefined || rule.zone === zone);

/** Whether a record affects all names below it, as a delegation or DNAME does. NS at the apex delegates nothing. */
const coversSubtree = (type: string, apex: boolean) => type === "DNAME" || (type === "NS" && !apex);

function denies(rule: RecordRule, zone: string, domain: string, type: string, reach: "name" | "subtree"): boolean {
  if (rule.zone !== undefined && rule.zone !== zone) return false;
  if (reach === "subtree" && meetsBelow(rule, domain)) return true;
  return matchesName(rule, domain) && (matchesType(rule, type) || answersFor(type, rule.type));
}

/** Whether a record answers queries for the denied type: an ALIAS answers those for addresses, even at a name with A or AAAA. */
const answersFor = (type: string, denied: string | undefined) =>
  (denied === "A" || denied === "AAAA") && (typeNamed(type)?.served ?? "as-is") !== "as-is";

/** Whether a rule concerns a name below the domain. The rule's type does not matter, because the whole subtree is affected. */
const meetsBelow = (rule: RecordRule, domain: string) =>
  rule.domain === undefined ||
  isBelow(rule.domain, domain) ||
  (rule.include_subdomains === true && matchesName(rule, domain));

function allows(rule: RecordRule, domain: string, type: string, reach: "name" | "subtree"): boolean {
  const wide = rule.domain === undefined || rule.include_subdomains === true;
  return matchesName(rule, domain) && matchesType(rule, type) && (reach === "name" || wide);
}

const matchesType = (rule: RecordRule, type: string) => rule.type === undefined || rule.type === type;

const matchesName = (rule: RecordRule, domain: string) =>
  rule.domain === undefined ||
  rule.domain === domain ||
  (rule.include_subdomains === true && isBelow(domain, rule.domain));

/** Compares by labels: canonical names escape a dot inside a label. */
const isBelow = (name: string, ancestor: string) => name.endsWith(`.${ancestor}`) && !endsInEscape(name, ancestor);

const endsInEscape = (name: string, ancestor: string) =>
  /(^|[^\\])(\\\\)*\\$/.test(name.slice(0, name.length - ancestor.length - 1));

/** The lists in which `wanted` opens a zone or record that `grant` does not. */
export function beyondScope(grant: Grant, wanted: Grant): string[] {
  const names: string[] = [];
  if (wanted.allowByDefault) {
    if (!grant.allowByDefault) names.push("zones_allow_by_default");
    else if ([...grant.zonesDeny].some((zone) => !wanted.zonesDeny.has(zone))) names.push("zones_deny");
  } else if ([...wanted.zonesAllow].some((zone) => !opensZone(grant, zone))) names.push("zones_allow");
  if (!eachWithin(grant.recordsDeny, wanted.recordsDeny)) names.push("records_deny");
  if (!keepsToRecords(grant.recordsAllow, wanted.recordsAllow)) names.push("records_allow");
  return names;
}

/** Whether each zone that `held` restricts to some records is restricted by `wanted` to the same or fewer records. */
function keepsToRecords(held: readonly RecordRule[], wanted: readonly RecordRule[]): boolean {
  const zones = new Set(held.map((rule) => rule.zone));
  const there = new Set(wanted.map((rule) => rule.zone));
  const restricted = wanted.filter((rule) => zones.has(undefined) || rule.zone === undefined || zones.has(rule.zone));
  return (
    (there.has(undefined) || [...zones].every((zone) => there.has(zone))) &&
    (held.length === 0 || eachWithin(restricted, held))
  );
}

/** Whether each rule matches no more than some rule of `outer`; that rule is looked up by the paths that it can have. */
function eachWithin(inner: readonly RecordRule[], outer: readonly RecordRule[]): boolean {
  const rules = new Map<string, RecordRule>();
  for (const rule of outer) {
    const path = pathOf(rule);
    if (rule.include_subdomains || !rules.has(path)) rules.set(path, rule);
  }
  const isWithin = (rule: RecordRule, path: string) => {
    const other = rules.get(path);
    return other !== undefined && within(rule, other);
  };
  return inner.every((rule) => isWithin(rule, pathOf(rule)) || pathsAround(rule).some((path) => isWithin(rule, path)));
}

const pathOf = ({ zone, domain, type }: RecordRule) => printPath(zone, domain, type);

const printPath = (...fields: readonly (string | undefined)[]) => JSON.stringify(fields);

/** The paths of all rules that can contain the rule: each field equal or omitted, and the domain or a name above it. */
function pathsAround({ zone, domain, type }: RecordRule): string[] {
  const zones = new Set([zone, undefined]);
  const domains = new Set([...(domain === undefined ? [] : upwardsFrom(domain)), undefined]);
  const types = new Set([type, undefined]);
  return [...zones].flatMap((zone) =>
    [...domains].flatMap((domain) => [...types].map((type) => printPath(zone, domain, type))),
  );
}

/** Whether `outer` matches everything that `inner` matches. */
const within = (inner: RecordRule, outer: RecordRule) =>
  (outer.zone === undefined || outer.zone === inner.zone) &&
  (outer.type === undefined || outer.type === inner.type) &&
  (outer.domain === undefined ||
    (inner.domain !== undefined &&
      matchesName(outer, inner.domain) &&
      (inner.include_subdomains !== true || outer.include_subdomains === true)));

const canonicalRule = ({ zone, domain, include_subdomains, type }: RecordRule): RecordRule => ({
  ...(zone ? { zone: apiName(zone) } : {}),
  ...(domain ? { domain: apiName(domain) } : {}),
  ...(type ? { type: typeName(type.toUpperCase()) } : {}),
  include_subdomains: include_subdomains === true,
});
