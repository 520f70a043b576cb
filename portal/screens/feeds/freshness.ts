/** Whether the values of a feed still apply. */
import type { Feed } from "../../api/types.ts";

export type Freshness = "ok" | "stale" | "unknown";

/** `now` in Unix seconds. */
export function freshnessOf({ pushed_at, max_age }: Feed, now = Date.now() / 1000): Freshness {
  if (pushed_at === null) return "unknown";
  return max_age !== null && now - pushed_at >= max_age ? "stale" : "ok";
}

/** The label of a feed in pushes to its source; undefined if its type has none. */
export function labelOf({ config }: Feed): string | undefined {
  const { label } = config;
  return typeof label === "string" || typeof label === "number" ? String(label) : undefined;
}
