/** Keeps the answers that are meant for the requester's autonomous system. */
import { flag } from "../../lib/fields.ts";
import { filter } from "./contract/filter.ts";
import { listOf } from "./parts/codes.ts";
import { fenceBy } from "./parts/fence.ts";

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
  compile: ({ remove_no_asn }, record) =>
    fenceBy(record.values("asn", asnsOf), remove_no_asn, (systems, client) => systems.has(client.asn())),
});

/** Ignores 0, which no autonomous system has (RFC 7607): `client.asn()` is 0 when the system is unknown. */
function asnsOf(value: unknown): ReadonlySet<number> | undefined {
  const numbers = new Set(listOf(value).flatMap(asnOf));
  return numbers.size > 0 ? numbers : undefined;
}

function asnOf(value: unknown): readonly number[] {
  const number = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && number > 0 ? [number] : [];
}
