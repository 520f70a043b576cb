/** The values of a feed with their age and origin, as answers use them at a time. */
import { own } from "../../../lib/values.ts";
import type { PushNote } from "../../../storage/tables/feeds.ts";
import type { FeedRow } from "../model/store.ts";
import type { FeedStatus, FeedValue, RecentPush } from "./schema.ts";

type Known = Pick<FeedRow, "data" | "fallback" | "pushed_at" | "max_age" | "config" | "named">;

/** Everything about a feed's values at a time in Unix seconds; `pushes` are the last ones, newest first. */
export function valuesAt(
  feed: Known,
  pushes: readonly PushNote[],
  now: number,
): Pick<FeedStatus, "pushed_at" | "age" | "max_age" | "stale" | "values"> {
  const { pushed_at, max_age, data, fallback } = feed;
  const stale = isStale(feed, now);
  const keys = [...new Set([...Object.keys(data), ...Object.keys(fallback ?? {})])];
  const values = keys.map((key): FeedValue => {
    const pushed = own(data, key) ?? null;
    const [value, from] = pushed !== null && !stale ? [pushed, "push" as const] : fallbackOf(fallback, key);
    const at = pushed === null ? null : secondsOf(timeOfKey(feed, pushes, key));
    return { key, value, from, pushed, at, age: ageOf(at, now), named: feed.named.includes(key) };
  });
  const at = secondsOf(pushed_at);
  return { pushed_at: at, age: ageOf(at, now), max_age, stale, values };
}

/** Whether pushed values do not apply any more: an edge decides the same. */
const isStale = ({ pushed_at, max_age }: Pick<FeedRow, "pushed_at" | "max_age">, now: number): boolean =>
  max_age !== null && (pushed_at ?? 0) + max_age * 1000 <= now * 1000;

export const pushReply = ({ at, ...note }: PushNote): RecentPush => ({ at: at / 1000, ...note });

function fallbackOf(fallback: Known["fallback"], key: string): readonly [unknown, "fallback" | null] {
  const value = own(fallback ?? {}, key) ?? null;
  return [value, value === null ? null : "fallback"];
}

/** The time of the push that brought the present value of a key: the last one, unless that was merged and does not have the key. */
function timeOfKey({ pushed_at, config }: Known, pushes: readonly PushNote[], key: string): number | null {
  const stored = pushes.filter(({ result }) => result === "stored");
  if (stored.length === 0) return isMerging(config) ? null : pushed_at;
  for (const [place, { at, merged, values }] of stored.entries()) {
    const time = place === 0 ? pushed_at : at;
    if (!merged) return time;
    // it may have had the key
    if (values === undefined) return null;
    if (Object.hasOwn(values, key)) return time;
  }
  return null;
}

const isMerging = ({ merge }: Known["config"]) => ["1", "true"].includes(String(merge));

const secondsOf = (milliseconds: number | null) => (milliseconds === null ? null : Math.floor(milliseconds / 1000));
const ageOf = (at: number | null, now: number) => (at === null ? null : Math.max(0, now - at));
