/** A record that no query reaches, because another zone, a delegation or a DNAME answers for its name. */
import type { Cover } from "./parts/covers.ts";
import { rule } from "./rule.ts";

export const coveredRecord = rule({
  code: "covered_record",
  check({ record: { domain, type }, zone, cover }) {
    if (!cover) return [];
    return [{ field: "domain", message: `no query reaches ${domain} ${type} of the zone ${zone.zone}: ${why(cover)}` }];
  },
});

function why({ kind, name, networks }: Cover): string {
  if (kind === "NS") return `the NS record at ${name} delegates the name to other servers`;
  if (kind === "DNAME") return `the DNAME record at ${name} leads all names below it elsewhere`;
  return `the zone ${name} answers for the name${networks ? ` on the networks ${networks.join(", ")}` : ""}`;
}
