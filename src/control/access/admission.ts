/** Whether a caller is let in at all: the account is not suspended, and the address on every allow list that counts. */
import { denied } from "../../lib/problem.ts";
import { isListed } from "./allowlist.ts";
import type { Caller } from "./caller.ts";

export function assertAdmitted(caller: Caller, address: string): void {
  assertActive(caller.suspended);
  const list = listAgainst(caller, address);
  if (list !== undefined) throw denied(`requests from ${address} are not allowed for ${list}`, { address });
}

/** Whose allow list keeps the caller out who comes from there; undefined when none does. */
export function listAgainst(
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
  if (suspended) throw denied("the account is suspended: ask who runs this service", { reason: "suspended" });
}
