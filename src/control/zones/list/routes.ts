/** The route of the list of zones. */
import { Type } from "typebox";
import { Download, Reply, routeFor } from "../../../http/route/route.ts";
import { timeText } from "../../../lib/clock.ts";
import { csvFile } from "../../../lib/text/csv.ts";
import { reachesZone } from "../../access/access.ts";
import type { Right } from "../../access/rights.ts";
import { openPage } from "../../kit/listing.ts";
import type { ReportServices } from "../../kit/reports.ts";
import type { Ctx } from "../../write/context.ts";
import { answeredZones } from "../model/zone/link.ts";
import { zonesAsCsv } from "./csv.ts";
import { ListedZone, listedZones } from "./present.ts";
import { countListed, listZones, type PlacedZone } from "./store.ts";
import { cursorOf, ListQuery, placeOf, right, type WantedZones, wantedZones } from "./wanted.ts";

const route = routeFor<Right, Ctx & ReportServices>();

export const zonePage = 5000;

export const zoneListRoutes = [
  route({
    method: "GET",
    path: "/v1/zones",
    tag: "Zones",
    summary: "List zones",
    desc: "Ordered by name unless `sort` or `order` says otherwise. Zones that the caller may not see are left out. With any parameter besides `limit` and `after`, `X-Total-Count` is the number of zones that match. With `export`, the reply is a file with all of them; an account can create one file at a time.",
    right,
    secret: true,
    query: ListQuery,
    produces: { [csvFile.mediaType]: Type.Unknown() },
    reply: Type.Array(ListedZone),
    page: zonePage,
    async run({ query, page }, ctx) {
      const { db, account_id, caller } = ctx;
      const wanted = wantedZones(ctx, query);
      const withDelegation = query.fields === "delegation";
      if (query.export !== undefined) return await exported(ctx, wanted, withDelegation);
      const first = placeOf(wanted, page.after);
      const { items, last } = await openPage<PlacedZone>(
        page.limit,
        ({ zone }) => reachesZone(caller.access, right, zone),
        // all at once: each read of a sorted list looks at all zones of the account
        (after) => listZones(db, account_id, wanted, after ?? first, page.limit + 1),
      );
      const rows = items.map(({ row }) => row);
      const shown = await listedZones(ctx, await answeredZones(ctx, rows), withDelegation);
      const next = last && cursorOf(wanted, last);
      // existing clients send no parameters, and get no count
      if (Object.keys(query).length === 0) return new Reply(shown, { next });
      const isAll = next === undefined && first === undefined;
      return new Reply(shown, { next, total: isAll ? shown.length : await countListed(db, account_id, wanted.filter) });
    },
  }),
];

async function exported(ctx: Ctx & ReportServices, wanted: WantedZones, withDelegation: boolean) {
  const content = await ctx.reports.write(ctx.account_id, () => zonesAsCsv(ctx, wanted, withDelegation), "q");
  return new Download(content, `zones-${timeText(ctx.now).slice(0, 10)}.${csvFile.extension}`, csvFile.mediaType);
}
