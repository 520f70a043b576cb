/** The route of a zone's DNSSEC keys and delegation. No zone has keys yet: signing is not built. */
import { Type } from "typebox";
import { missing } from "../../lib/problem.ts";
import { names } from "../kit/schema.ts";
import { route } from "../write/route.ts";
import { unsigned } from "./model/zone/fields.ts";
import { getZone } from "./model/zone/find.ts";

const rrset = (description: string) => Type.Array(names("RDATA fields in order."), { description });
const dnskey = rrset("DNSKEY records.");
const ttl = Type.Integer();

const ZoneKeys = Type.Object(
  {
    zone: Type.String(),
    keys: Type.Object({ dnskey, ttl }),
    delegation: Type.Object({ dnskey, ds: rrset("DS records, for the zone above."), ttl }),
  },
  { $id: "ZoneKeys" },
);

export const dnssecRoutes = [
  route({
    method: "GET",
    path: "/v1/zones/:zone/dnssec",
    tag: "Zones",
    summary: "Get a zone's keys and delegation",
    desc: "Signing is not built yet: no zone has keys, and the reply is always 404 with a message that says so.",
    right: "dns.view_zones",
    target: ({ zone }) => ({ zone }),
    reply: ZoneKeys,
    async run({ params }, ctx) {
      const { zone } = await getZone(ctx, params.zone);
      throw missing("DNSSEC is not enabled on the zone", { zone, reason: unsigned });
    },
  }),
];
