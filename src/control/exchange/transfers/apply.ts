/** Writes transferred data: the zone and its records take the primary's contents in one transaction and one change. */
import { isDeepStrictEqual } from "node:util";
import { WireError } from "../../../dns/wire/wire.ts";
import { isLaterSerial } from "../../../lib/serial.ts";
import type { ZoneLoad } from "../../../storage/loads.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { recordKey } from "../../../sync/net-difference.ts";
import type { Ctx } from "../../write/context.ts";
import { pagesOf, recordsAt } from "../../zones/model/record/store.ts";
import { noteZone } from "../../zones/model/zone/present.ts";
import { lockWhole, updateZone } from "../../zones/model/zone/store.ts";
import { touchLinksInto } from "../../zones/records/links.ts";
import { Contents, namesIn, soaFields } from "./contents.ts";
import type { TransferOutcome } from "./incoming.ts";
import { replaceByLoad } from "./replace.ts";
import { isBegun, putRrsets } from "./rrsets.ts";
import { forgetSerials, setExpired } from "./store.ts";

const pageRows = 2000;

/** New transferred data; data too large to be held in memory is in a load. */
export type Applicable =
  | Extract<TransferOutcome, { kind: "whole" | "steps" }>
  | (Extract<TransferOutcome, { kind: "large" }> & { readonly load: ZoneLoad; readonly pace: () => Promise<void> });

/** Throws a WireError for data that cannot be applied, and when the zone has changed since it was asked for. */
export async function applyTransfer(ctx: Ctx, asked: ZoneRow, transferred: Applicable): Promise<void> {
  const zone = await lockWhole(ctx.db, asked.account_id, asked.zone);
  if (!zone || !isAsked(zone, asked) || zone.serial !== asked.serial) {
    throw new WireError("answered, but the zone was changed here in the meantime");
  }
  if (transferred.kind === "large") await replaceByLoad(ctx, zone, transferred.load, transferred.pace);
  else if (transferred.kind === "whole") await replaceAll(ctx, zone, Contents.of(transferred.records));
  else {
    const rows = await recordsAt(ctx.db, zone, namesIn(transferred.steps));
    await putRrsets(ctx, zone, rows, Contents.after(rows, transferred.steps).rrsets);
  }
  const { serial, ...soa } = soaFields(transferred.soa);
  await becomeZone(ctx, zone, { ...zone, ...soa, expired: false, updated_at: ctx.now });
  if (!isBegun(zone) || !isLaterSerial(serial, zone.serial)) await forgetSerials(ctx.db, zone);
  ctx.changes.giveSerial(zone.id, serial);
  await touchLinksInto(ctx, zone.zone);
}

/** Whether the zone is still the same and still transferred from the servers that were asked. */
const isAsked = (zone: ZoneRow, asked: ZoneRow) =>
  zone.id === asked.id &&
  zone.secondary !== null &&
  zone.secondary_key === asked.secondary_key &&
  isDeepStrictEqual(zone.secondary, asked.secondary);

/** Marks a zone as expired, or as servable again. */
export async function applyExpired(ctx: Ctx, asked: ZoneRow, expired: boolean): Promise<void> {
  const zone = await lockWhole(ctx.db, asked.account_id, asked.zone);
  if (!zone || !isAsked(zone, asked) || zone.expired === expired) return;
  await becomeZone(ctx, zone, { ...zone, expired });
  ctx.changes.giveSerial(zone.id, null);
  await touchLinksInto(ctx, zone.zone);
}

async function becomeZone(ctx: Ctx, before: ZoneRow, after: ZoneRow): Promise<void> {
  await updateZone(ctx.db, after);
  await setExpired(ctx.db, after, after.expired);
  noteZone(ctx, before, after);
}

/** Leaves equal RRsets unchanged; the RRsets that remain in `rrsets` at the end are new. */
async function replaceAll(ctx: Ctx, zone: ZoneRow, { rrsets }: Contents): Promise<void> {
  for await (const rows of pagesOf(ctx.db, zone, pageRows)) {
    const there = new Map(rows.map((row) => [recordKey(row), row]));
    const wanted = new Map([...there.keys()].map((path) => [path, rrsets.get(path)]));
    for (const path of there.keys()) rrsets.delete(path);
    await putRrsets(ctx, zone, rows, wanted);
  }
  await putRrsets(ctx, zone, [], rrsets);
}
