/** The routes of a zone's delegation: what its parent says, and what it should say. */
import { routeFor } from "../../../http/route/route.ts";
import type { Servers } from "../../../net/client/delegation.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { Right } from "../../access/rights.ts";
import type { Ctx } from "../../write/context.ts";
import { getZone } from "../model/zone/find.ts";
import { type Compared, compared } from "./compare.ts";
import { type DelegationServices, noResolver } from "./delegations.ts";
import { ownServers } from "./own.ts";
import { DelegationReply } from "./schema.ts";
import { type DelegationRow, findDelegation } from "./store.ts";

const route = routeFor<Right, Ctx & DelegationServices>();

const tag = "Zones";
const path = "/v1/zones/:zone/delegation";
const right = "dns.view_zones";

export const delegationRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "Get the delegation of a zone",
    desc: "What was found at the last look, compared with the zone as it is now.",
    right,
    target: ({ zone }) => ({ zone }),
    reply: DelegationReply,
    run: async ({ params }, ctx) => await delegationReply(ctx, await getZone(ctx, params.zone)),
  }),
  route({
    method: "POST",
    path,
    tag,
    summary: "Look at the delegation of a zone now",
    desc: "Asks the servers of the parent, which can take ten seconds. An account can look at two zones at a time.",
    right,
    target: ({ zone }) => ({ zone }),
    ownTransaction: true,
    reply: DelegationReply,
    async run({ params }, ctx) {
      const row = await getZone(ctx, params.zone);
      await ctx.delegations.lookFor(row);
      return await delegationReply(ctx, row);
    },
  }),
];

async function delegationReply(ctx: Ctx & DelegationServices, row: ZoneRow): Promise<DelegationReply> {
  const { db, delegations } = ctx;
  const { account_id, id: zone_id, zone } = row;
  const [own, kept] = await Promise.all([ownServers(db, row), findDelegation(db, { account_id, zone_id })]);
  const { looked_at = null, asked = null, found = null } = kept ?? {};
  const isLooked = asked !== null && found !== null;
  const { state, reason } = isLooked
    ? compared(zone, own, { asked, servers: new Map(found) })
    : unknown(delegations.hasResolver, kept);
  return { zone, state, reason, looked_at, asked, found: listOf(new Map(found)), expected: listOf(own) };
}

function unknown(hasResolver: boolean, kept: DelegationRow | undefined): Compared {
  const reason = !hasResolver
    ? noResolver
    : (kept?.looked_at ?? null) === null
      ? "the zone has not been looked at yet"
      : "neither the parent's servers nor the resolver of this service gave an answer";
  return { state: "unknown", reason };
}

const listOf = (servers: Servers) => [...servers].map(([name, addresses]) => ({ name, addresses: [...addresses] }));
