/** Nobody makes what opens an account for longer than what they came with themselves. */
import { denied } from "../../lib/problem.ts";
import type { Caller } from "./caller.ts";
import { isNoMoreThan, type Standing } from "./holder.ts";

/** Throws unless what counts until then, in Unix seconds, counts no longer than what the caller came with. */
export function assertNoLonger({ ends }: Pick<Caller, "ends">, until: number): void {
  if (until <= ends) return;
  const end = new Date(ends * 1000).toISOString();
  throw denied(`what you came with counts until ${end}: nothing that lets anybody in for longer can be had with it`, {
    expires_at: end,
  });
}

/** For whoever is there without an end that is known. */
export const assertLasting = (caller: Pick<Caller, "ends">) => assertNoLonger(caller, Number.POSITIVE_INFINITY);

/** Nor is anybody who is there made more than they were by a caller who will be gone. */
export function assertNoGain(caller: Pick<Caller, "ends">, before: Standing, after: Standing): void {
  if (caller.ends !== Number.POSITIVE_INFINITY && !isNoMoreThan(before, after)) assertLasting(caller);
}
