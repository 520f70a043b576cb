/** The route that lists probable mistakes in a zone's records. */
import { Type } from "typebox";
import { LongWork } from "../../../lib/fair/yield.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { reachesRecord } from "../../access/access.ts";
import type { Ctx } from "../../write/context.ts";
import { route } from "../../write/route.ts";
import { pagesOf } from "../../zones/model/record/store.ts";
import { getZone } from "../../zones/model/zone/find.ts";
import { Warning, warningsOf, warningsOfLink } from "./lint.ts";
import { Covers } from "./rules/parts/covers.ts";
import { Targets } from "./rules/parts/targets.ts";

const right = "dns.view_zones";

export const lintRoutes = [
  route({
    method: "GET",
    path: "/v1/zones/:zone/lint",
    tag: "Explain",
    summary: "Look for mistakes in a zone's records",
    desc: "Lists records that are allowed but probably mistaken; each warning describes the effect. Checks the records that the caller may see.",
    right,
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

const page = 100;
export const mostRecords = 20_000;
export const mostWarnings = 1000;

async function lintZone(ctx: Ctx, zone: ZoneRow) {
  const { access } = ctx.caller;
  const targets = new Targets(ctx);
  const covers = new Covers(ctx, zone);
  const work = new LongWork();
  const warnings = await warningsOfLink(ctx, zone);
  let [read, records] = [0, 0];
  let isLast = false;
  for await (const rows of pagesOf(ctx.db, zone, page)) {
    const open = rows.filter(({ domain, type }) => reachesRecord(access, right, zone.zone, domain, type));
    await targets.find(open);
    await covers.find(open);
    for (const row of open) {
      await work.giveWay();
      for (const warning of warningsOf(zone, row, targets.missing, covers.of(row))) warnings.push(warning);
    }
    records += open.length;
    read += rows.length;
    isLast = rows.length < page;
    if (read >= mostRecords || warnings.length >= mostWarnings) break;
  }
  const complete = isLast && !targets.isFull && warnings.length <= mostWarnings;
  return { zone: zone.zone, records, complete, warnings: warnings.slice(0, mostWarnings) };
}
