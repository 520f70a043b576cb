/** The authenticated caller of a request, and checks of its permissions. */

import { typeName } from "../../dns/type-names.ts";
import { apiName } from "../../dns/wire/name.ts";
import type { Target } from "../../http/route/route.ts";
import { denied, Problem } from "../../lib/problem.ts";
import type { GuardScope } from "../../storage/tables/accounts.ts";
import { type Access, holds, reachesName, reachesRecord, reachesZone } from "./access.ts";
import { type Right, rightInMessages, rights } from "./rights.ts";
import type { Standing } from "./standing.ts";

export interface Caller extends Standing {
  readonly account_id: string;
  readonly kind: "apikey" | "user" | "system";
  readonly id: string;
  readonly name: string;
  /** Whether the account is suspended: all requests of a suspended account are refused. */
  readonly suspended: boolean;
  /** Whether the account is one of the operator: only there, rights over the whole installation have an effect. */
  readonly isOperator: boolean;
  /** The account's allow lists combined; they apply unless empty. */
  readonly allowedOfAccount: readonly string[];
  /** The scope that the key or its account has set for the guard against deletions; null for the service's. */
  readonly deletionGuard: GuardScope | null;
  /** The time at which the credential expires, in Unix seconds: infinite for a key's own string, and for users. */
  readonly ends: number;
  /** The time in Unix seconds until which the password of a session counts as given lately; infinite for keys. */
  readonly confirmedUntil: number;
}

/** The caller of a route that needs no authentication. */
export const anonymous: Caller = {
  account_id: "",
  kind: "system",
  id: "",
  name: "",
  suspended: false,
  isOperator: false,
  access: [],
  allowed: undefined,
  allowedOfTeams: [],
  allowedOfAccount: [],
  deletionGuard: null,
  ends: Number.POSITIVE_INFINITY,
  confirmedUntil: Number.POSITIVE_INFINITY,
};

/** Throws unless the caller holds the right for the target. Names are in canonical spelling. */
export function assertPermitted(caller: Caller, right: Right, { zone, domain, type }: Target = {}): void {
  const { access, isOperator } = caller;
  if (!holds(access, right) || (rights[right].isOperators && !isOperator)) {
    throw denied(`You do not have the permission ${rightInMessages(right)}`, { permission: right });
  }
  if (zone === undefined) return;
  if (!reachesZone(access, right, zone)) throw closedZone(right, zone);
  if (domain !== undefined && type !== undefined && !reachesRecord(access, right, zone, domain, type)) {
    throw closedRecord(right, { zone, domain, type });
  }
}

/** Throws before a write that can give others access if the session's password was not given lately. */
export function assertConfirmed({ confirmedUntil }: Pick<Caller, "confirmedUntil">, right: Right, now: number): void {
  if (rights[right].givesAccess !== true || now < confirmedUntil) return;
  throw denied(
    `Give your password again first (POST /v1/auth/confirm): ${rightInMessages(right)} gives others access`,
    {
      confirm: "password",
    },
  );
}

/**
 * Throws unless the right reaches a record of which the caller gave only the name. `zone` is the account's zone that
 * contains it. Without such a zone the check is the same as for a zone that is closed, so that a refusal does not reveal
 * which zones exist.
 */
export function assertReachesName(
  { access }: Pick<Caller, "access">,
  right: Right,
  { zone, domain, type }: { readonly zone: string | undefined; readonly domain: string; readonly type: string },
): void {
  if (reachesName(access, right, { zone, domain, type })) return;
  throw closedRecord(right, { domain, type });
}

/** The message is the same whether the zone exists or not, so that it reveals nothing. */
export const closedZone = (right: Right, zone: string) =>
  denied(`You do not have the permission ${rightInMessages(right)} for the zone ${zone}`, { permission: right, zone });

/** `zone` is left out of the target if the caller did not name it. */
export const closedRecord = (right: Right, { domain, type, ...rest }: Target) =>
  denied(`You do not have the permission ${rightInMessages(right)} for the record ${domain} ${type}`, {
    permission: right,
    ...rest,
    domain,
    type,
  });

/** Whether the right is held for the target. */
export function isPermitted(access: Access, right: Right, { zone, domain, type }: Target): boolean {
  if (zone === undefined) return holds(access, right);
  if (domain === undefined || type === undefined) return reachesZone(access, right, zone);
  return reachesRecord(access, right, zone, domain, type);
}

/** A target in canonical spelling; empty for an invalid name, which the handler refuses with a message of its own. */
export function canonicalTarget(target: Target | undefined): Target {
  if (target?.zone === undefined) return {};
  try {
    const zone = apiName(target.zone);
    if (target.domain === undefined || target.type === undefined) return { zone };
    return { zone, domain: apiName(target.domain), type: typeName(target.type) };
  } catch (error) {
    if (error instanceof Problem) return {};
    throw error;
  }
}
