/** Feeds that have gone silent, and keys that are about to end. */

import type { EndingKey, SilentFeed } from "./holder-store.ts";
import { type Item, printTime } from "./item.ts";

/** Seconds before and after its end in which a key is shown. */
export const nearEnd = 14 * 86_400;

export function feedItem({ id, name, source_id, pushed_at, created_at, max_age, steers }: SilentFeed): Item {
  const last = pushed_at === null ? null : Math.floor(pushed_at / 1000);
  const since = (last ?? created_at) + max_age;
  const pushed = last === null ? "has never got a push" : `has had no push since ${printTime(last)}`;
  const effect = steers ? "records use its fallbacks, or no value" : "no record uses it";
  return {
    ...{ kind: "feed_silent", thing: id, zone: "", name, since, severity: steers ? "error" : "notice" },
    message: `The feed ${name} ${pushed}, and values are valid for ${max_age === 1 ? "1 second" : `${max_age} seconds`}: ${effect}.`,
    detail: { source: source_id, pushed_at: last, max_age, steers },
  };
}

export function keyItem({ id, name, expires_at }: EndingKey, now: number): Item {
  const common = { thing: id, zone: "", name, detail: { expires_at } };
  const time = printTime(expires_at);
  if (expires_at <= now) {
    const message = `The key ${name} has ended at ${time}, and has no other secret.`;
    return { ...common, kind: "key_expired", since: expires_at, severity: "notice", message };
  }
  const message = `The key ${name} ends at ${time}, and has no other secret.`;
  return { ...common, kind: "key_expiring", severity: "warning", message };
}
