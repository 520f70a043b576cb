/** Admission of a caller: the account is not suspended, and the address is on every allow list that applies. */
import { denied } from "../../lib/problem.ts";
import { isListed } from "./allowlist.ts";
import type { Caller } from "./caller.ts";

export function assertAdmitted(caller: Caller, address: string): void {
  assertActive(caller.suspended);
  const list = whoseListRefuses(caller, address);
  if (list !== undefined) throw denied(`requests from ${address} are not allowed for ${list}`, { address });
}

/** Says whose allow list lacks the address; undefined when all lists contain it. */
export function whoseListRefuses(
  { kind, allowed, allowedOfTeams, allowedOfAccount }: Caller,
  address: string,
): string | undefined {
  const who = kind === "user" ? "user" : "key";
  if (allowed && !isListed(allowed, address)) return `this ${who}`;
  if (allowedOfTeams.length > 0 && !isListed(allowedOfTeams, address)) return `the teams of this ${who}`;
  if (allowedOfAccount.length > 0 && !isListed(allowedOfAccount, address)) return "this account";
  return undefined;
}

/** Throws `denied` when the account is suspended. */
export function assertActive(suspended: boolean): void {
  if (suspended)
    throw denied("the account is suspended; contact the operator of this service", { reason: "suspended" });
}
