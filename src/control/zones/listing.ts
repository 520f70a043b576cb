/** Zones with pages of their records, now and at an earlier version. */
import { printed } from "../../http/route/reply.ts";
import { type Page, Reply, type ReplyOptions } from "../../http/route/route.ts";
import type { RecordRow } from "../../storage/tables/records.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { reachesAll, reachesRecord } from "../access/access.ts";
import { openPage, printCursor, scanCursor } from "../kit/listing.ts";
import type { Part } from "../kit/parts.ts";
import { inSnapshot } from "../kit/store.ts";
import type { Ctx } from "../write/context.ts";
import { findPoint, Past, type Point } from "./history/past.ts";
import { recordReply, recordSummary } from "./model/record/present.ts";
import { countRecords, listPart, listSummaries, type RecordCursor } from "./model/record/store.ts";
import { answeredZones, sourceOf } from "./model/zone/link.ts";
import { renamed, renamedInto, zoneOnly, zoneReply } from "./model/zone/present.ts";
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
  // the activity log has no records of the target
  const logged = row.link === null ? {} : { resource: zoneOnly(ctx, row) };
  return new Reply(body, { ...paging, ...logged, ...options, listing: `/v1/zones/${encodeURIComponent(row.zone)}` });
}

/** A zone with a page of its records; a linked zone has those of its target under its own names, in the target's order. */
export async function zoneWithRecords(ctx: Ctx, row: ZoneRow, slice: Slice): Promise<Reply<Zone>> {
  const { db } = ctx;
  const source = await sourceOf(ctx, row);
  if (!source) return new Reply(zoneReply(ctx, row, []), { total: 0 });
  const own = { ...row, tags: source.tags };
  const named = <T extends RecordCursor>(record: T) =>
    row.link === null ? record : { ...record, domain: renamed(record.domain, source.zone, row.zone) };
  const list = async (last: RecordCursor, count: number): Promise<Part<Listed>> => {
    const after = { ...last, domain: storedName(last.domain, row, source) };
    if (!slice.expand) {
      const { items, isLast } = await listSummaries(db, source, after, count);
      return { items: items.map((record) => printed(recordSummary(named(record), own))), isLast };
    }
    const { items, isLast } = await listPart(db, source, after, count);
    return { items: items.map((record) => recordReply(ctx, named(record), own)), isLast };
  };
  return await pageOf(ctx, row, slice, {
    source,
    list,
    count: () => countRecords(db, source.account_id, source.id),
  });
}

/** The name under which a record of a zone is stored; a cursor from a client may be any text, and then stays as it is. */
const storedName = (domain: string, { zone }: ZoneRow, source: ZoneRow): string =>
  domain.endsWith(zone) ? renamed(domain, zone, source.zone) : domain;

/** An earlier version of the zone with a page of its records. */
export const earlierZone = (ctx: Ctx, now: ZoneRow, point: Point, slice: Slice & { readonly records: boolean }) =>
  inSnapshot(ctx.db, async (db) => {
    const past = await Past.open(db, now, (await findPoint(db, now, point))!);
    const { zone } = past;
    if (!slice.records) return zoneReply(ctx, zone, undefined);
    const present = (record: RecordRow) =>
      slice.expand ? recordReply(ctx, record, zone) : recordSummary(record, zone);
    return await pageOf(ctx, zone, slice, {
      source: zone,
      list: async (after, count) => (await past.list(db, after, count)).map(present),
      count: async () => (await countRecords(db, zone.account_id, zone.id)) + past.surplus,
    });
  });

interface Records {
  /** The zone whose records these are: the zone itself, or the target of a linked zone. */
  readonly source: ZoneRow;
  list(after: RecordCursor, count: number): Promise<readonly Listed[] | Part<Listed>>;
  count(): Promise<number>;
}

const right = "dns.view_zones";

async function pageOf(ctx: Ctx, row: ZoneRow, { limit, after }: Slice, { source, list, count }: Records) {
  const { access } = ctx.caller;
  const [domain, type] = scanCursor(after);
  const filtered = [row, source].some(({ zone }) => !reachesAll(access, right, zone));
  const isOpen = ({ domain, type }: RecordCursor) => {
    const stored = storedName(domain, row, source);
    if (renamedInto(row.zone, stored, source.zone) === undefined) return false;
    return (
      !filtered ||
      (reachesRecord(access, right, row.zone, domain, type) && reachesRecord(access, right, source.zone, stored, type))
    );
  };
  const { items, last } = await openPage<Listed>(limit, isOpen, (last, count) => list(last ?? { domain, type }, count));
  const page = [...items];
  const next = last && printCursor(last.domain, last.type);
  if (filtered) return new Reply(zoneReply(ctx, row, page), { next });
  const isAll = next === undefined && after === undefined;
  return new Reply(zoneReply(ctx, row, page), { next, total: isAll ? page.length : await count() });
}
