/** A caller cannot grant or block access for longer than its own credential is valid. */
import { denied } from "../../lib/problem.ts";
import { holds } from "./access.ts";
import type { Caller } from "./caller.ts";
import type { Holder } from "./holder.ts";
import { isNoMoreThan, isNoWider, type Standing } from "./standing.ts";

type Ends = Pick<Caller, "ends">;

/** Throws when access until a time, in Unix seconds, would outlast the caller's credential. */
export function assertNoLonger({ ends }: Ends, until: number): void {
  if (until > ends) throw beyondItsEnd(ends, "you cannot grant access that lasts longer");
}

/** Throws when the caller's credential expires: access without an end would outlast it. */
export const assertLasting = (caller: Ends) => assertNoLonger(caller, Number.POSITIVE_INFINITY);

/** Throws when a caller whose credential expires would extend the access of a holder. */
export function assertNoGain(caller: Ends, before: Standing, after: Standing): void {
  if (isEnding(caller) && !isNoMoreThan(before, after)) assertLasting(caller);
}

/**
 * Throws when a caller whose credential expires would restrict the addresses of a key manager without an expiry:
 * afterwards there might be no caller left who could undo it.
 */
export function assertNoLockout(
  caller: Ends,
  { expiry_days = null }: Holder & { readonly expiry_days?: number | null },
  before: Standing,
  after: Standing,
): void {
  const managesKeys = expiry_days === null && holds(before.access, "account.manage_apikeys");
  if (isEnding(caller) && managesKeys && !isNoWider(after, before)) throw restricting(caller, "ip_whitelist");
}

/** Throws when a caller whose credential expires would narrow the account's lists, which apply to all its callers. */
export function assertStillOpen(caller: Ends, isNarrower: boolean): void {
  if (isEnding(caller) && isNarrower) throw restricting(caller, "values");
}

const isEnding = ({ ends }: Ends) => ends !== Number.POSITIVE_INFINITY;

const restricting = ({ ends }: Ends, field: string) =>
  beyondItsEnd(ends, "an expiring key cannot restrict where key managers may connect from", { field });

function beyondItsEnd(ends: number, rule: string, details: Readonly<Record<string, string>> = {}) {
  const end = new Date(ends * 1000).toISOString();
  return denied(`your own key expires at ${end}; ${rule}`, { ...details, expires_at: end });
}
