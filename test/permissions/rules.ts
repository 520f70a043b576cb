/**
 * A second implementation of permissions, written from the API's documentation without code of the service. A caller
 * holds one permissions object, or one for each of its teams; a call is allowed if one of them alone allows it.
 */

export interface RecordRule {
  readonly zone?: string;
  readonly domain?: string;
  readonly include_subdomains?: boolean;
  readonly type?: string;
}

/** Permissions as in bodies and replies: group, name, value. */
export type Permissions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type Access = readonly Permissions[];

export interface RecordName {
  readonly zone: string;
  readonly domain: string;
  readonly type: string;
}

/** Every right of the managed edition, by group. */
const rights: Readonly<Record<string, readonly string[]>> = {
  account: [
    "manage_account_settings",
    "manage_teams",
    "manage_users",
    "manage_apikeys",
    "manage_ip_whitelist",
    "view_activity_log",
    "manage_payment_methods",
    "view_invoices",
    "manage_plan",
    "manage_auth_tags",
    "manage_auth_keys",
  ],
  data: ["manage_datasources", "manage_datafeeds", "push_to_datafeeds"],
  dhcp: ["manage_dhcp", "view_dhcp"],
  dns: ["manage_zones", "view_zones"],
  insights: ["view_insights", "manage_insights"],
  ipam: ["manage_ipam", "view_ipam"],
  monitoring: ["manage_lists", "manage_jobs", "view_jobs", "create_jobs", "update_jobs", "delete_jobs"],
  operator: ["view", "manage"],
  redirects: ["manage_redirects"],
  security: ["manage_global_2fa"],
};

export const allRights = Object.entries(rights).flatMap(([group, names]) => names.map((name) => `${group}.${name}`));

const jobRights = ["create_jobs", "update_jobs", "delete_jobs"];

/** `default` is the one field that is not a group. */
export const denying = { default: "deny" } as unknown as Permissions;
export const denies = (permissions: Permissions): boolean => permissions["default"] === denying["default"];

/**
 * An omitted right is granted, except: `default` may deny all of them, rights about jobs follow manage_jobs, and
 * manage_auth_keys and the operator's rights must be given.
 */
export function grants(permissions: Permissions, right: string): boolean {
  const [group = "", name = ""] = right.split(".");
  const given = permissions[group]?.[name] ?? undefined;
  if (given !== undefined) return given === true;
  if (denies(permissions)) return false;
  if (name === "manage_auth_keys" || group === "operator") return false;
  return jobRights.includes(name) ? grants(permissions, "monitoring.manage_jobs") : true;
}

export const holds = (access: Access, right: string) => access.some((one) => grants(one, right));

export const holding = (access: Access, right: string): Access => access.filter((one) => grants(one, right));

const canonical = (name: string) => name.toLowerCase().replace(/\.$/, "");
const listOf = <T>(permissions: Permissions, name: string) => (permissions["dns"]?.[name] ?? []) as readonly T[];
const rulesOf = (permissions: Permissions, name: "records_allow" | "records_deny") =>
  listOf<RecordRule>(permissions, name);

/** An entry names exactly one zone. */
export function opensZone(permissions: Permissions, zone: string): boolean {
  const byDefault = permissions["dns"]?.["zones_allow_by_default"] !== false;
  const names = listOf<string>(permissions, byDefault ? "zones_deny" : "zones_allow").map(canonical);
  return byDefault ? !names.includes(zone) : names.includes(zone);
}

const names = (rule: RecordRule, zone: string) => !rule.zone || canonical(rule.zone) === zone;
const isBelow = (name: string, above: string) => name.endsWith(`.${above}`);

function matches(rule: RecordRule, { zone, domain, type }: RecordName): boolean {
  if (!names(rule, zone) || (rule.type && rule.type.toUpperCase() !== type)) return false;
  if (!rule.domain) return true;
  const named = canonical(rule.domain);
  return named === domain || (rule.include_subdomains === true && isBelow(domain, named));
}

/** Whether a rule applies to some record below a name, of any type. */
function matchesBelow(rule: RecordRule, { zone, domain }: RecordName): boolean {
  if (!names(rule, zone)) return false;
  if (!rule.domain) return true;
  const named = canonical(rule.domain);
  return isBelow(named, domain) || (rule.include_subdomains === true && (named === domain || isBelow(domain, named)));
}

/** DNAME records, and NS records below the apex, affect every name below theirs. */
const takesSubtree = ({ zone, domain, type }: RecordName) => type === "DNAME" || (type === "NS" && domain !== zone);

/** Zone rules first; records_deny beats records_allow; a zone that records_allow names is open for those records only. */
export function opensRecord(permissions: Permissions, place: RecordName): boolean {
  if (!opensZone(permissions, place.zone)) return false;
  const subtree = takesSubtree(place);
  const denied = rulesOf(permissions, "records_deny");
  if (denied.some((rule) => matches(rule, place) || (subtree && matchesBelow(rule, place)))) return false;
  const allowed = rulesOf(permissions, "records_allow").filter((rule) => names(rule, place.zone));
  if (allowed.length === 0) return true;
  return allowed.some((rule) => matches(rule, place) && !(subtree && rule.domain && rule.include_subdomains !== true));
}

/** Whether the zone is open and records_allow does not restrict the caller to some of its records. */
export const opensWhole = (permissions: Permissions, zone: string) =>
  opensZone(permissions, zone) && !rulesOf(permissions, "records_allow").some((rule) => names(rule, zone));

/** Whether no rule about records applies to the zone. */
export const isPlain = (permissions: Permissions, zone: string) =>
  opensWhole(permissions, zone) && !rulesOf(permissions, "records_deny").some((rule) => names(rule, zone));

/** A text that is equal for all objects with the same rules for zones and records. */
export const scopeOf = (permissions: Permissions): string => {
  const lists = ["zones_allow", "zones_deny"].map((name) => listOf<string>(permissions, name).map(canonical).sort());
  const rules = (["records_allow", "records_deny"] as const).map((name) =>
    rulesOf(permissions, name)
      .map(({ zone, domain, include_subdomains, type }) =>
        [zone && canonical(zone), domain && canonical(domain), include_subdomains === true, type?.toUpperCase()].join(),
      )
      .sort(),
  );
  const byDefault = permissions["dns"]?.["zones_allow_by_default"] !== false;
  return JSON.stringify([byDefault, lists[byDefault ? 1 : 0], rules]);
};

export const unrestricted = scopeOf({});
