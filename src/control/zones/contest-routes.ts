/** The routes by which the owner of a domain takes its name from other accounts. */
import { Type } from "typebox";
import { routeFor } from "../../http/route/route.ts";
import type { Right } from "../access/rights.ts";
import type { Ctx } from "../write/context.ts";
import { proofOf, type ZoneContest } from "./contest.ts";
import { zoneName } from "./model/zone/fields.ts";

export interface ContestServices {
  readonly contest: Pick<ZoneContest, "claim">;
}

const route = routeFor<Right, Ctx & ContestServices>();

const tag = "Zones";
const path = "/v1/zones/:zone/claim";
const right = "dns.manage_zones";
const ZoneClaim = Type.Object(
  {
    zone: Type.String(),
    record: Type.Object(
      { domain: Type.String(), type: Type.String(), value: Type.String() },
      { description: "The record that proves to this service that the account owns the domain." },
    ),
  },
  { $id: "ZoneClaim" },
);

export const contestRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "Get the record that proves the ownership of a domain",
    desc: "Publish it where the domain is served now, then claim the name.",
    right,
    target: ({ zone }) => ({ zone }),
    reply: ZoneClaim,
    run: async ({ params }, ctx) => claimReply(ctx, zoneName(params.zone, ctx.settings.edition)),
  }),
  route({
    method: "POST",
    path,
    tag,
    summary: "Claim the name of a zone",
    desc: "Looks up the record. Zones of other accounts with this name, or below it, are deleted and lose their names, unless they are delegated. The zone can then be created.",
    right,
    target: ({ zone }) => ({ zone }),
    ownTransaction: true,
    reply: ZoneClaim,
    async run({ params }, ctx) {
      const zone = zoneName(params.zone, ctx.settings.edition);
      await ctx.contest.claim(ctx, zone);
      return claimReply(ctx, zone);
    },
  }),
];

const claimReply = ({ secrets, account_id }: Ctx, zone: string) => ({
  zone,
  record: proofOf(secrets, account_id, zone),
});
