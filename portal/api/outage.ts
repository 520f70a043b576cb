/** Whether the service answers: a refusal that is not about what was asked for, until a call succeeds again. */
import type { ApiError } from "./client.ts";

let outage: ApiError | undefined;
const listeners = new Set<() => void>();

/** Notes the result of a call: what it was refused with, or nothing when it succeeded. */
export function noteResult(error: ApiError | undefined): void {
  const found = error?.isPassing ? error : undefined;
  // refusals of one kind are one outage
  if (found?.status === outage?.status) return;
  outage = found;
  for (const listener of listeners) listener();
}

export const outageNow = (): ApiError | undefined => outage;

/** Calls `listener` when an outage begins or ends; returns a function that ends this. */
export function onOutage(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
