/** The route that lists probable mistakes in a zone's records. */
import { Type } from "typebox";
import { route } from "../../write/route.ts";
import { getZone } from "../../zones/model/zone/find.ts";
import { Warning } from "./lint.ts";
import { lintZone } from "./zone.ts";

export const lintRoutes = [
  route({
    method: "GET",
    path: "/v1/zones/:zone/lint",
    tag: "Explain",
    summary: "Look for mistakes in a zone's records",
    desc: "Lists records that are allowed but probably mistaken; each warning describes the effect. Checks the records that the caller may see.",
    right: "dns.view_zones",
    target: ({ zone }) => ({ zone }),
    reply: Type.Object({
      zone: Type.String(),
      records: Type.Integer({ description: "The number of records checked." }),
      complete: Type.Boolean({
        description: "False when the zone has more records or warnings than one reply covers.",
      }),
      warnings: Type.Array(Warning),
    }),
    run: async ({ params }, ctx) => await lintZone(ctx, await getZone(ctx, params.zone)),
  }),
];
