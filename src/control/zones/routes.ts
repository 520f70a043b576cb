/** The routes of zones. */
import { type Static, Type } from "typebox";
import { flag } from "../../http/route/query.ts";
import { route } from "../write/route.ts";
import { pointQuery } from "./history/schema.ts";
import { earlierZone, firstPage, recordPage, zoneWithRecords } from "./listing.ts";
import { getZone } from "./model/zone/find.ts";
import { answeredZones } from "./model/zone/link.ts";
import { zoneOnly, zoneReply } from "./model/zone/present.ts";
import { Zone, ZoneBody } from "./model/zone/schema.ts";
import { confirmation } from "./records/guard.ts";
import { changeZone, createZone, refreshZone, removeZone } from "./write.ts";

const tag = "Zones";

const listingQuery = Type.Object({
  records: flag("`false` omits the records."),
  expand: flag("`true` lists full records instead of summaries."),
  ...pointQuery,
});

/** A client that reads the serial again must find the same, also in DNS. */
const settle = {
  within: 250,
  show: (zone: Static<typeof Zone>, serials: Readonly<Record<string, number>>) => ({
    ...zone,
    serial: serials[zone.id] ?? zone.serial,
  }),
};

export const zoneRoutes = [
  route({
    method: "GET",
    path: "/v1/zones/:zone",
    tag,
    summary: "Get a zone with its records",
    desc: "The current zone, or the zone as of a version or a time.",
    right: "dns.view_zones",
    target: ({ zone }) => ({ zone }),
    secret: true,
    query: listingQuery,
    reply: Zone,
    abridged: ({ records, ...zone }) => zone,
    page: recordPage,
    async run({ params, query, page }, ctx) {
      const row = await getZone(ctx, params.zone);
      const wanted = { ...page, expand: query.expand === true, records: query.records !== false };
      if (query.version !== undefined || query.at !== undefined) return await earlierZone(ctx, row, query, wanted);
      const [answered = row] = await answeredZones(ctx, [row]);
      return wanted.records ? await zoneWithRecords(ctx, answered, wanted) : zoneReply(ctx, answered, undefined);
    },
  }),
  route({
    method: "PUT",
    path: "/v1/zones/:zone",
    tag,
    summary: "Create a zone",
    desc: "The reply includes the NS record created from the zone's name servers.",
    right: "dns.manage_zones",
    target: ({ zone }) => ({ zone }),
    secret: true,
    body: ZoneBody,
    reply: Zone,
    firstPage: true,
    log: ["dns_zone", "create"],
    settle,
    run: async ({ params, body }, ctx) => firstPage(ctx, await createZone(ctx, params.zone, body)),
  }),
  route({
    method: "POST",
    path: "/v1/zones/:zone",
    tag,
    summary: "Change a zone",
    desc: "Fields that are left out keep their value; null resets a field to its default.",
    right: "dns.manage_zones",
    target: ({ zone }) => ({ zone }),
    secret: true,
    query: Type.Object({
      refresh: flag("`true` transfers a secondary zone now, and follows a catalog now."),
      confirm_deletions: flag("With `refresh`, confirms the deletions that are held back for a catalog."),
    }),
    body: ZoneBody,
    reply: Zone,
    firstPage: true,
    log: ["dns_zone", "update"],
    settle,
    async run({ params, query, body }, ctx) {
      if (query.refresh) return await firstPage(ctx, await refreshZone(ctx, params.zone, query), { changed: false });
      const { before, row, changed } = await changeZone(ctx, params.zone, body);
      return await firstPage(ctx, row, changed ? { before: zoneOnly(ctx, before) } : { changed });
    },
  }),
  route({
    method: "DELETE",
    path: "/v1/zones/:zone",
    tag,
    summary: "Delete a zone and its records",
    desc: "For a while after the deletion, the zone can be restored. With a session, deleting a large share of the account's zones requires a confirmation.",
    right: "dns.manage_zones",
    target: ({ zone }) => ({ zone }),
    query: Type.Object(confirmation),
    reply: "status",
    log: ["dns_zone", "delete"],
    within: 60_000,
    run: async ({ params, query }, ctx) => zoneOnly(ctx, await removeZone(ctx, params.zone, query)),
  }),
];
