/** Whether the service answers: refusals that are not about what was asked for, until the same calls succeed again. */
import type { ApiError } from "./client.ts";

interface Refusal {
  readonly error: ApiError;
  /** Milliseconds, by this browser's clock. */
  readonly at: number;
}

/** Milliseconds after which a read that was refused is no longer asked for: pages repeat those in view more often. */
const given = 15_000;

let outage: ApiError | undefined;
/** The last refusal of each operation. */
const refusals = new Map<string, Refusal>();
const listeners = new Set<() => void>();

/** Notes the result of a call: what it was refused with, or nothing when it succeeded. */
export function noteResult(operation: string, error: ApiError | undefined): void {
  const at = Date.now();
  refusals.delete(operation);
  if (error?.isPassing) refusals.set(operation, { error, at });
  else forgetOthers(at);
  const found = [...refusals.values()].at(-1)?.error;
  // refusals of one kind are one outage
  if (found?.status === outage?.status) return;
  outage = found;
  for (const listener of listeners) listener();
}

/** The service answers: only reads that are still repeated show that a part of it does not. */
function forgetOthers(now: number): void {
  for (const [operation, { at }] of refusals)
    if (!operation.startsWith("GET ") || now - at > given) refusals.delete(operation);
}

export const outageNow = (): ApiError | undefined => outage;

/** Calls `listener` when an outage begins or ends; returns a function that ends this. */
export function onOutage(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
