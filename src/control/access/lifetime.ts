/** Nobody opens an account, or shuts it, for longer than what they came with counts themselves. */
import { denied } from "../../lib/problem.ts";
import { holds } from "./access.ts";
import type { Caller } from "./caller.ts";
import { type Holder, isNoMoreThan, isNoWider, type Standing } from "./holder.ts";

type Ends = Pick<Caller, "ends">;

/** Throws unless what counts until then, in Unix seconds, counts no longer than what the caller came with. */
export function assertNoLonger({ ends }: Ends, until: number): void {
  if (until > ends) throw beyondItsEnd(ends, "nothing that lets anybody in for longer can be had with it");
}

/** For whoever is there without an end that is known. */
export const assertLasting = (caller: Ends) => assertNoLonger(caller, Number.POSITIVE_INFINITY);

/** Nor is anybody who is there made more than they were by a caller who will be gone. */
export function assertNoGain(caller: Ends, before: Standing, after: Standing): void {
  if (isEnding(caller) && !isNoMoreThan(before, after)) assertLasting(caller);
}

/**
 * Nor is anybody who manages keys and lasts kept out of where they were let in by a caller who will be gone: nobody might
 * be left who could come in and take it back.
 */
export function assertNoneKeptOut(
  caller: Ends,
  { expiry_days = null }: Holder & { readonly expiry_days?: number | null },
  before: Standing,
  after: Standing,
): void {
  const isKeeper = expiry_days === null && holds(before.access, "account.manage_apikeys");
  if (isEnding(caller) && isKeeper && !isNoWider(after, before)) throw keptOut(caller, "ip_whitelist");
}

/** The same of the account's lists, which hold for all. */
export function assertStillOpen(caller: Ends, isNarrower: boolean): void {
  if (isEnding(caller) && isNarrower) throw keptOut(caller, "values");
}

const isEnding = ({ ends }: Ends) => ends !== Number.POSITIVE_INFINITY;

const keptOut = ({ ends }: Ends, field: string) =>
  beyondItsEnd(ends, "nobody who manages the keys can be kept out of anywhere with it", { field });

function beyondItsEnd(ends: number, what: string, details: Readonly<Record<string, string>> = {}) {
  const end = new Date(ends * 1000).toISOString();
  return denied(`what you came with counts until ${end}: ${what}`, { ...details, expires_at: end });
}
