/** A TTL with which resolvers use an answer long after a filter has removed it. */
import { isLive, rule } from "./rule.ts";

/** Seconds. */
const longest = 300;

export const slowFailover = rule({
  code: "slow_failover",
  check({ links, record: { ttl } }) {
    const link = links.find((each) => each.inputs.has("up") || isLive(each));
    if (!link || ttl <= longest) return [];
    const message = `${link.filter.id} changes the answer at once, but resolvers cache it for ${ttl} s; at most ${longest} s is usual`;
    return [{ field: "ttl", message }];
  },
});
