/** Zones with pages of their records, now and at an earlier version. */
import { type Page, Reply, type ReplyOptions } from "../../http/route/route.ts";
import type { RecordRow } from "../../storage/tables/records.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { reachesAll, reachesRecord } from "../access/access.ts";
import { openPage, printCursor, scanCursor } from "../kit/listing.ts";
import { inSnapshot } from "../kit/store.ts";
import type { Ctx } from "../write/context.ts";
import { findPoint, Past, type Point } from "./history/past.ts";
import { recordReply, recordSummary } from "./model/record/present.ts";
import { countRecords, listPart, listSummaries, type Part, type RecordCursor } from "./model/record/store.ts";
import { answeredZones } from "./model/zone/link.ts";
import { zoneReply } from "./model/zone/present.ts";
import type { Zone } from "./model/zone/schema.ts";

/** The most records in a page. */
export const recordPage = 2500;

type Listed = ReturnType<typeof recordReply> | ReturnType<typeof recordSummary>;

interface Slice extends Page {
  readonly expand: boolean;
}

const beginning: Slice = { limit: recordPage, after: undefined, expand: false };

/** The reply to a write of a zone: the zone with the first page of its records. */
export async function firstPage(ctx: Ctx, row: ZoneRow, options: ReplyOptions = {}): Promise<Reply<Zone>> {
  const [answered = row] = await answeredZones(ctx, [row]);
  const { body, options: paging } = await zoneWithRecords(ctx, answered, beginning);
  return new Reply(body, { ...paging, ...options, listing: `/v1/zones/${encodeURIComponent(row.zone)}` });
}

/** A zone with a page of its records. */
export function zoneWithRecords(ctx: Ctx, row: ZoneRow, slice: Slice) {
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
export const earlierZone = (ctx: Ctx, now: ZoneRow, point: Point, slice: Slice & { readonly records: boolean }) =>
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
