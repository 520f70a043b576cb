/** Headers that report a rate limit. */
import type { Allowance } from "../lib/fair/bucket.ts";

/** `x-ratelimit-*` for one answer, and `retry-after` for a refusal. */
export function rateHeaders(allowance: Allowance, by: "customer" | "ip"): Record<string, string> {
  const headers: Record<string, string> = {
    "x-ratelimit-limit": String(allowance.limit),
    "x-ratelimit-remaining": String(allowance.remaining),
    "x-ratelimit-period": String(allowance.period),
    "x-ratelimit-by": by,
  };
  if (!allowance.allowed) headers["retry-after"] = String(allowance.retryAfter);
  return headers;
}
