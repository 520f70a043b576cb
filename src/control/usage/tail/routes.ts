/** The route of the tail: the queries for a zone while somebody watches. */
import { Type } from "typebox";
import { limited } from "../../../lib/problem.ts";
import { reachesAll } from "../../access/access.ts";
import { nullable } from "../../kit/schema.ts";
import { route } from "../../write/route.ts";
import { getZone } from "../../zones/model/zone/find.ts";
import { readSeen, watch, watchedFor } from "./store.ts";

const right = "dns.view_zones";
/** Zones that an account watches at once. */
const mostZones = 5;
/** Queries in a reply. */
const mostQueries = 200;

export const tailRoutes = [
  route({
    method: "GET",
    path: "/v1/stats/tail/:zone",
    tag: "Statistics",
    summary: "Watch the queries for a zone",
    desc: `Ask about once a second, with \`after\` from the reply before. Edges copy some of the queries, at most 20 a second and thread, until ${watchedFor} seconds after the last request, and the store keeps them for a minute. An account may watch ${mostZones} zones at once. Nothing for a caller who may not see all records of the zone.`,
    right,
    target: ({ zone }) => ({ zone }),
    query: Type.Object({
      after: Type.Optional(
        Type.Integer({ minimum: 0, description: "`last` of an earlier reply: only newer queries." }),
      ),
    }),
    reply: Type.Object({
      zone: Type.String(),
      last: Type.Integer({ description: "For `after` of the next request." }),
      queries: Type.Array(
        Type.Object({
          at: Type.Integer({ description: "Milliseconds since the Unix epoch." }),
          name: Type.String(),
          type: Type.String(),
          rcode: nullable(Type.String({ description: "Null for a query that was left without an answer." })),
          transport: Type.String({ description: "`udp`, `tcp`, `tls` or `https`." }),
          client: Type.String({
            description:
              "The network of the client: /24, or /56 for IPv6. Its address if the operator allows that (`--tail-addresses`).",
          }),
          country: nullable(Type.String({ description: "The country of the client, if the edge has geo files." })),
          asn: nullable(Type.Integer({ description: "The AS number of the client, if the edge has geo files." })),
        }),
        { description: "The oldest first." },
      ),
    }),
    async run({ params, query: { after } }, ctx) {
      const { account_id, zone } = await getZone(ctx, params.zone);
      if (!reachesAll(ctx.caller.access, right, zone)) return { zone, last: after ?? 0, queries: [] };
      const place = { account_id, zone };
      if (!(await watch(ctx.db, place, ctx.now, mostZones))) {
        throw limited(`${mostZones} other zones of this account are watched: stop watching one, and try again`, {
          retry_after: watchedFor,
        });
      }
      const rows = await readSeen(ctx.db, place, after, mostQueries);
      const last = rows.at(-1)?.id ?? after ?? 0;
      return { zone, last, queries: rows.map(({ id: _, ...seen }) => seen) };
    },
  }),
];
