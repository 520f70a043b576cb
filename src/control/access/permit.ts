/** Whether permissions allow something, for one zone and record: pure rules over one permissions object. */

import { typeName, typeNamed } from "../../dns/type-names.ts";
import { apiName, upwardsFrom } from "../../dns/wire/name.ts";
import { asNames, asRules, isGranted, type Permissions, type RecordRule } from "./permissions.ts";
import { type Right, rightNames } from "./rights.ts";

/** Permissions made ready to be asked: rights as a set, names in canonical spelling. */
export interface Grant {
  readonly rights: ReadonlySet<Right>;
  readonly allowByDefault: boolean;
  readonly zonesAllow: ReadonlySet<string>;
  readonly zonesDeny: ReadonlySet<string>;
  readonly recordsAllow: readonly RecordRule[];
  readonly recordsDeny: readonly RecordRule[];
}

/** By the permissions that they were made of, as all members of a team have the same. */
const known = new WeakMap<Permissions, Grant>();

export function grantOf(permissions: Permissions): Grant {
  const grant = known.get(permissions) ?? makeGrant(permissions);
  known.set(permissions, grant);
  return grant;
}

function makeGrant(permissions: Permissions): Grant {
  const dns = permissions["dns"] ?? {};
  return {
    rights: new Set(rightNames.filter((right) => isGranted(permissions, right))),
    allowByDefault: dns["zones_allow_by_default"] !== false,
    zonesAllow: new Set(asNames(dns["zones_allow"]).map(apiName)),
    zonesDeny: new Set(asNames(dns["zones_deny"]).map(apiName)),
    recordsAllow: asRules(dns["records_allow"]).map(canonicalRule),
    recordsDeny: asRules(dns["records_deny"]).map(canonicalRule),
  };
}

/** An entry names exactly one zone: a child zone is not covered by its parent's entry. */
export const opensZone = (grant: Grant, zone: string) =>
  grant.allowByDefault ? !grant.zonesDeny.has(zone) : grant.zonesAllow.has(zone);

/** Zone rules first; records_deny beats records_allow; a zone that records_allow names is open for those records only. */
export function opensRecord(grant: Grant, zone: string, domain: string, type: string): boolean {
  if (!opensZone(grant, zone)) return false;
  const reach = coversSubtree(type, domain === zone) ? "subtree" : "name";
  if (grant.recordsDeny.some((rule) => denies(rule, zone, domain, type, reach))) return false;
  const allow = grant.recordsAllow.filter((rule) => rule.zone === undefined || rule.zone === zone);
  return allow.length === 0 || allow.some((rule) => allows(rule, domain, type, reach));
}

/** Changing a zone itself touches all of its records, which a key held to some of them may not do. */
export const opensSettings = (grant: Grant, zone: string) =>
  opensZone(grant, zone) && !grant.recordsAllow.some((rule) => rule.zone === undefined || rule.zone === zone);

/** Whether some record of the zone may be closed, so that listings must look at each. */
export const filtersRecords = (grant: Grant, zone: string) =>
  [...grant.recordsAllow, ...grant.recordsDeny].some((rule) => rule.zone === undefined || rule.zone === zone);

/** A delegation or DNAME takes the names below it along; NS at the apex delegates nothing. */
const coversSubtree = (type: string, apex: boolean) => type === "DNAME" || (type === "NS" && !apex);

function denies(rule: RecordRule, zone: string, domain: string, type: string, reach: "name" | "subtree"): boolean {
  if (rule.zone !== undefined && rule.zone !== zone) return false;
  if (reach === "subtree" && meetsBelow(rule, domain)) return true;
  return matchesName(rule, domain) && (matchesType(rule, type) || answersFor(type, rule.type));
}

/** An ALIAS is answered where addresses are asked for, also in the place of those that its name has. */
const answersFor = (type: string, denied: string | undefined) =>
  (denied === "A" || denied === "AAAA") && (typeNamed(type)?.served ?? "as-is") !== "as-is";

/** Whether a rule is for something below a name, of whatever type: all of that is taken along. */
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

/** Label by label: names are canonical, in which a dot inside a label is written as an escape. */
const isBelow = (name: string, ancestor: string) => name.endsWith(`.${ancestor}`) && !endsInEscape(name, ancestor);

const endsInEscape = (name: string, ancestor: string) =>
  /(^|[^\\])(\\\\)*\\$/.test(name.slice(0, name.length - ancestor.length - 1));

/** The lists by which `wanted` would reach a zone or record that `grant` does not. */
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

/** Whether the zones held to some records here are held to the same or fewer there. */
function keepsToRecords(held: readonly RecordRule[], wanted: readonly RecordRule[]): boolean {
  const zones = new Set(held.map((rule) => rule.zone));
  const there = new Set(wanted.map((rule) => rule.zone));
  const restricted = wanted.filter((rule) => zones.has(undefined) || rule.zone === undefined || zones.has(rule.zone));
  return (
    (there.has(undefined) || [...zones].every((zone) => there.has(zone))) &&
    (held.length === 0 || eachWithin(restricted, held))
  );
}

/** Whether each matches no more than one of `outer`, which is looked for where it would have to stand. */
function eachWithin(inner: readonly RecordRule[], outer: readonly RecordRule[]): boolean {
  const rules = new Map<string, RecordRule>();
  for (const rule of outer) {
    const place = placeOf(rule);
    if (rule.include_subdomains || !rules.has(place)) rules.set(place, rule);
  }
  const isWithin = (rule: RecordRule, place: string) => {
    const other = rules.get(place);
    return other !== undefined && within(rule, other);
  };
  return inner.every(
    (rule) => isWithin(rule, placeOf(rule)) || placesAround(rule).some((place) => isWithin(rule, place)),
  );
}

const placeOf = ({ zone, domain, type }: RecordRule) => printPlace(zone, domain, type);

const printPlace = (...fields: readonly (string | undefined)[]) => JSON.stringify(fields);

/** The places of all rules that may match what the rule matches: with the same or without, and at a name above. */
function placesAround({ zone, domain, type }: RecordRule): string[] {
  const zones = new Set([zone, undefined]);
  const domains = new Set([...(domain === undefined ? [] : upwardsFrom(domain)), undefined]);
  const types = new Set([type, undefined]);
  return [...zones].flatMap((zone) =>
    [...domains].flatMap((domain) => [...types].map((type) => printPlace(zone, domain, type))),
  );
}

/** Whether all that `inner` matches is matched by `outer` too. */
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
