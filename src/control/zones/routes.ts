/** The routes of zones. */
import { type Static, Type } from "typebox";
import { flag } from "../../http/route/query.ts";
import { Reply } from "../../http/route/route.ts";
import type { RecordRow } from "../../storage/tables/records.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { reachesAll, reachesRecord, reachesZone } from "../access/access.ts";
import { openPage, printCursor, scanCursor } from "../kit/listing.ts";
import { inSnapshot } from "../kit/store.ts";
import type { Ctx } from "../write/context.ts";
import { route } from "../write/route.ts";
import { findPoint, Past, type Point } from "./history/past.ts";
import { pointQuery } from "./history/schema.ts";
import { recordReply, recordSummary } from "./model/record/present.ts";
import { countRecords, listPart, listSummaries, type Part, type RecordCursor } from "./model/record/store.ts";
import { getZone } from "./model/zone/find.ts";
import { answeredZones } from "./model/zone/link.ts";
import { zoneOnly, zoneReply } from "./model/zone/present.ts";
import { Zone, ZoneBody, ZoneOnly } from "./model/zone/schema.ts";
import { listZones } from "./model/zone/store.ts";
import { confirmation } from "./records/guard.ts";
import { changeZone, createZone, refreshZone, removeZone } from "./write.ts";

const tag = "Zones";
export const zonePage = 5000;
export const recordPage = 2500;

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
    path: "/v1/zones",
    tag,
    summary: "List zones",
    desc: "Ordered by name. Zones that the caller may not see are left out.",
    right: "dns.view_zones",
    secret: true,
    reply: Type.Array(ZoneOnly),
    page: zonePage,
    async run({ page }, ctx) {
      const { db, account_id, caller } = ctx;
      const { items, last } = await openPage<ZoneRow>(
        page.limit,
        ({ zone }) => reachesZone(caller.access, "dns.view_zones", zone),
        (after, count) => listZones(db, account_id, after?.zone ?? page.after, count),
      );
      return new Reply(
        (await answeredZones(ctx, items)).map((row) => zoneOnly(ctx, row)),
        { next: last?.zone },
      );
    },
  }),
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
    log: ["dns_zone", "update"],
    settle,
    async run({ params, query, body }, ctx) {
      if (query.refresh)
        return new Reply(await firstPage(ctx, await refreshZone(ctx, params.zone, query)), { changed: false });
      const { before, row, changed } = await changeZone(ctx, params.zone, body);
      const reply = await firstPage(ctx, row);
      return new Reply(reply, changed ? { before: zoneOnly(ctx, before) } : { changed });
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

type Listed = ReturnType<typeof recordReply> | ReturnType<typeof recordSummary>;

interface Slice {
  readonly limit: number;
  readonly after: string | undefined;
  readonly expand: boolean;
}

async function firstPage(ctx: Ctx, row: ZoneRow): Promise<Static<typeof Zone>> {
  const [answered = row] = await answeredZones(ctx, [row]);
  return (await zoneWithRecords(ctx, answered, { limit: recordPage, after: undefined, expand: false })).body;
}

function zoneWithRecords(ctx: Ctx, row: ZoneRow, slice: Slice) {
  const { db, account_id } = ctx;
  const list = async (after: RecordCursor, count: number): Promise<Part<Listed>> => {
    if (!slice.expand) {
      const { items, isLast } = await listSummaries(db, row, after, count);
      return { items: items.map((record) => recordSummary(record, row)), isLast };
    }
    const { items, isLast } = await listPart(db, row, after, count);
    return { items: items.map((record) => recordReply(ctx, record, row)), isLast };
  };
  return pageOf(ctx, row, slice, {
    list,
    count: () => countRecords(db, account_id, row.id),
  });
}

/** An earlier version of the zone with a page of its records. */
const earlierZone = (ctx: Ctx, now: ZoneRow, point: Point, slice: Slice & { readonly records: boolean }) =>
  inSnapshot(ctx.db, async (db) => {
    const past = await Past.open(db, now, (await findPoint(db, now, point))!);
    const { zone } = past;
    if (!slice.records) return zoneReply(ctx, zone, undefined);
    const present = (record: RecordRow) =>
      slice.expand ? recordReply(ctx, record, zone) : recordSummary(record, zone);
    return await pageOf(ctx, zone, slice, {
      list: async (after, count) => (await past.list(db, after, count)).map(present),
      count: async () => (await countRecords(db, zone.account_id, zone.id)) + past.surplus,
    });
  });

interface Records {
  list(after: RecordCursor, count: number): Promise<readonly Listed[] | Part<Listed>>;
  count(): Promise<number>;
}

async function pageOf(ctx: Ctx, row: ZoneRow, { limit, after }: Slice, records: Records) {
  const { access } = ctx.caller;
  const [domain, type] = scanCursor(after);
  const right = "dns.view_zones";
  const filtered = !reachesAll(access, right, row.zone);
  const isOpen = ({ domain, type }: RecordCursor) => !filtered || reachesRecord(access, right, row.zone, domain, type);
  const { items, last } = await openPage<Listed>(limit, isOpen, (last, count) =>
    records.list(last ?? { domain, type }, count),
  );
  const page = [...items];
  const next = last && printCursor(last.domain, last.type);
  if (filtered) return new Reply(zoneReply(ctx, row, page), { next });
  const isAll = next === undefined && after === undefined;
  return new Reply(zoneReply(ctx, row, page), { next, total: isAll ? page.length : await records.count() });
}
