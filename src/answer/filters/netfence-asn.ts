/** Keeps the answers that are meant for the requester's autonomous system. */
import { flag } from "../../lib/fields.ts";
import { reader } from "../lists/list.ts";
import { asns } from "../lists/numbers.ts";
import { filter } from "./contract/filter.ts";
import { fenceBy, hasAny } from "./parts/fence.ts";

export const netfenceAsn = filter({
  id: "netfence_asn",
  shortdesc: "Fence by autonomous system",
  desc: "Removes answers whose <code>asn</code> does not include the number of the requester's autonomous system. Answers without <code>asn</code> stay.",
  tier: 3,
  kind: "eliminates",
  inputs: ["asn"],
  config: {
    remove_no_asn: flag({
      shortdesc: "On a match, remove answers without an AS number",
      desc: "Also removes the answers without <code>asn</code>, if the <code>asn</code> of another answer includes the number of the requester's system.",
      default: "0",
    }),
  },
  reason: (_config, read) =>
    hasAny(["asn"], read)
      ? "the client's AS number is not in asn"
      : "the answer has no asn, and that of another answer includes the client's AS number",
  compile: ({ remove_no_asn }, record) =>
    fenceBy(record.values("asn", asnsOf), remove_no_asn, (systems, client) => systems.has(client.asn())),
});

const asnsOf = reader(asns);
