/** Keeps the answers that are meant for the requester's network. */
import { flag } from "../../lib/fields.ts";
import { reader } from "../lists/list.ts";
import { prefixes } from "../lists/prefixes.ts";
import { filter } from "./contract/filter.ts";
import { fenceBy, hasAny } from "./parts/fence.ts";

export const netfencePrefix = filter({
  id: "netfence_prefix",
  shortdesc: "Fence by IP prefix",
  desc: "Removes answers whose <code>ip_prefixes</code> do not include the requester's address. Answers without prefixes stay.",
  tier: 3,
  kind: "eliminates",
  inputs: ["ip_prefixes"],
  config: {
    remove_no_ip_prefixes: flag({
      shortdesc: "On a match, remove answers without prefixes",
      desc: "Also removes the answers without <code>ip_prefixes</code>, if the <code>ip_prefixes</code> of another answer include the requester's address.",
      default: "0",
    }),
  },
  reason: (_config, read) =>
    hasAny(["ip_prefixes"], read)
      ? "the client's address is not in ip_prefixes"
      : "the answer has no ip_prefixes, and those of another answer include the client's address",
  compile: ({ remove_no_ip_prefixes }, record) =>
    fenceBy(record.values("ip_prefixes", prefixesOf), remove_no_ip_prefixes, (networks, client) =>
      client.isIn(networks),
    ),
});

const prefixesOf = reader(prefixes);
