/**
 * The effective rights of a key, user or team: each right with its reasons, the zones and records by team, and which
 * calls are allowed.
 */
import { type Holder, permissionsOf, type Teams, teamsOf } from "../../access/holder.ts";
import { asNames, asRules, isGranted, type Permissions, reasonOf } from "../../access/permissions.ts";
import { type Grant, grantOf, opensRecord, opensSettings, opensZone } from "../../access/permit.ts";
import { type Edition, type Right, rights, rightsOf } from "../../access/rights.ts";

/** A team; null stands for the holder's own permissions. */
type TeamRef = { readonly id: string; readonly name: string } | null;

interface Source {
  readonly team: TeamRef;
  readonly permissions: Permissions;
}

export function effectiveOf(holder: Holder, teams: Teams, edition: Edition, isOperator: boolean) {
  const sources = sourcesOf(holder, teams);
  return {
    rights: rightsOf(edition).map((right) => {
      const isVain = rights[right].isOperators === true && !isOperator;
      const reasons = sources.map(({ team, permissions }) => ({
        team,
        allowed: !isVain && isGranted(permissions, right),
        reason: isVain ? "not an account of the operator" : reasonOf(permissions, right),
      }));
      return { right, allowed: reasons.some(({ allowed }) => allowed), reasons };
    }),
    scopes: sources.map(scopeOf),
  };
}

/** A zone or a record, in canonical spelling. */
export interface CallTarget {
  readonly zone: string;
  readonly record: { readonly domain: string; readonly type: string } | undefined;
}

/**
 * Whether these calls are allowed, with each grant's reason for a refusal: reading and writing the target, and changing
 * or deleting the zone itself.
 */
export function callsAt(holder: Holder, teams: Teams, target: CallTarget) {
  const grants = sourcesOf(holder, teams).map(({ team, permissions }) => ({ team, grant: grantOf(permissions) }));
  const call = (call: "read" | "write" | "settings", right: Right, isOpen: (grant: Grant) => boolean) => {
    const reasons = grants.map(({ team, grant }) => ({ team, refused: refusalOf(grant, right, target.zone, isOpen) }));
    return { call, right, allowed: reasons.some(({ refused }) => refused === null), reasons };
  };
  const { zone, record } = target;
  const opens = (grant: Grant) => !record || opensRecord(grant, zone, record.domain, record.type);
  return [
    call("read", "dns.view_zones", opens),
    call("write", "dns.manage_zones", opens),
    call("settings", "dns.manage_zones", (grant) => opensSettings(grant, zone)),
  ];
}

function refusalOf(grant: Grant, right: Right, zone: string, isOpen: (grant: Grant) => boolean): string | null {
  if (!grant.rights.has(right)) return "right";
  if (!opensZone(grant, zone)) return "zone";
  return isOpen(grant) ? null : "record";
}

const sourcesOf = (holder: Holder, teams: Teams): Source[] =>
  holder.teams.length === 0
    ? [{ team: null, permissions: permissionsOf(holder) }]
    : teamsOf(holder, teams).map((team) => ({
        team: { id: team.id, name: team.name },
        permissions: permissionsOf(team),
      }));

function scopeOf({ team, permissions }: Source) {
  const dns = permissions["dns"] ?? {};
  return {
    team,
    zones_allow_by_default: dns["zones_allow_by_default"] !== false,
    zones_allow: asNames(dns["zones_allow"]),
    zones_deny: asNames(dns["zones_deny"]),
    records_allow: [...asRules(dns["records_allow"])],
    records_deny: [...asRules(dns["records_deny"])],
  };
}
