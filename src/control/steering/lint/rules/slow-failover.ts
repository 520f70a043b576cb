/** A TTL with which clients go on asking an answer long after it was taken away. */
import { isLive, rule } from "./rule.ts";

/** Seconds. */
const longest = 300;

export const slowFailover = rule({
  code: "slow_failover",
  check({ links, record: { ttl } }) {
    const link = links.find((each) => each.inputs.has("up") || isLive(each));
    if (!link || ttl <= longest) return [];
    const message = `${link.filter.id} changes the answer at once, but resolvers keep it for ${ttl} s; up to ${longest} s is usual`;
    return [{ field: "ttl", message }];
  },
});
