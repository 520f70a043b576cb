/** Whether a caller is let in at all: the account is not suspended, and the address on every allow list that counts. */
import { denied } from "../../lib/problem.ts";
import { isListed } from "./allowlist.ts";
import type { Caller } from "./caller.ts";

export function assertAdmitted(caller: Caller, address: string): void {
  const { suspended, allowed, allowedOfTeams, allowedOfAccount } = caller;
  const who = caller.kind === "user" ? "user" : "key";
  assertActive(suspended);
  if (allowed && !isListed(allowed, address)) {
    throw denied(`requests from ${address} are not allowed for this ${who}`, { address });
  }
  if (allowedOfTeams.length > 0 && !isListed(allowedOfTeams, address)) {
    throw denied(`requests from ${address} are not allowed for the teams of this ${who}`, { address });
  }
  if (allowedOfAccount.length > 0 && !isListed(allowedOfAccount, address)) {
    throw denied(`requests from ${address} are not allowed for this account`, { address });
  }
}

/** Throws `denied` when the account is suspended. */
export function assertActive(suspended: boolean): void {
  if (suspended) throw denied("the account is suspended: ask who runs this service", { reason: "suspended" });
}
