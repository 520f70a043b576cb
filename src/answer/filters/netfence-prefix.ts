/** Keeps the answers that are meant for the requester's network. */
import { flag } from "../../lib/fields.ts";
import { PrefixSet } from "../model/prefixes.ts";
import { filter } from "./contract/filter.ts";
import { listOf } from "./parts/codes.ts";
import { fence, inside, outside, untagged } from "./parts/fence.ts";

export const netfencePrefix = filter({
  id: "netfence_prefix",
  shortdesc: "Fence by IP prefix",
  desc: "Removes answers whose <code>ip_prefixes</code> do not have the requester's address in them. Answers without prefixes stay.",
  tier: 3,
  kind: "eliminates",
  inputs: ["ip_prefixes"],
  config: {
    remove_no_ip_prefixes: flag({
      shortdesc: "Remove answers without prefixes on a match",
      desc: "Removes the answers without <code>ip_prefixes</code> as well, when another has the requester's address.",
      default: "0",
    }),
  },
  compile: ({ remove_no_ip_prefixes }, record) => {
    const networks = record.values("ip_prefixes", prefixesOf);
    if (networks.isEmpty) return undefined;
    return fence(remove_no_ip_prefixes, (answer, client) => {
      const prefixes = networks.at(answer);
      if (prefixes === undefined) return untagged;
      return client.isIn(prefixes) ? inside : outside;
    });
  },
});

function prefixesOf(value: unknown): PrefixSet | undefined {
  const prefixes = new PrefixSet(listOf(value));
  return prefixes.size > 0 ? prefixes : undefined;
}
