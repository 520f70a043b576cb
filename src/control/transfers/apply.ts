/** Writes what was transferred: the zone and its records become what its primary says, in one transaction and one change. */
import { isDeepStrictEqual } from "node:util";
import type { Transferred } from "../../dns/transfer/reply.ts";
import { WireError } from "../../dns/wire.ts";
import { newId } from "../../lib/ids.ts";
import { isLaterSerial } from "../../lib/serial.ts";
import { recordState, zoneState } from "../../sync/state.ts";
import type { Ctx } from "../context.ts";
import { plain } from "../records/plain.ts";
import { recordHistory } from "../records/present.ts";
import { beforeAll, listRecords, type RecordRow, recordsPut, recordsRemoved } from "../records/store.ts";
import { rowsOf } from "../store.ts";
import { fieldsOf, zoneHistory } from "../zones/present.ts";
import { lockWhole, updateZone, type ZoneRow } from "../zones/store.ts";
import { answersOf, Contents, isSame, placeOf, placesOf, type Rrset, soaFields } from "./contents.ts";
import { forgetSerials, recordsAtPlaces, setExpired } from "./store.ts";

const pageRows = 2000;
const batchRows = 500;

/** Throws a WireError for what cannot be applied, and when the zone is no longer the one that was asked for. */
export async function applyTransfer(
  ctx: Ctx,
  asked: ZoneRow,
  transferred: Exclude<Transferred, { kind: "current" }>,
): Promise<void> {
  const zone = await lockWhole(ctx.db, asked.account_id, asked.zone);
  if (!zone || !isAsked(zone, asked) || zone.serial !== asked.serial) {
    throw new WireError("answered, but the zone was changed here meanwhile");
  }
  if (transferred.kind === "whole") await replaceAll(ctx, zone, Contents.of(transferred.records));
  else {
    const rows = await recordsAtPlaces(ctx.db, zone, placesOf(transferred.steps));
    await replace(ctx, zone, rows, Contents.after(rows, transferred.steps).rrsets);
  }
  const { serial, ...soa } = soaFields(transferred.soa);
  await becomeZone(ctx, zone, { ...zone, ...soa, expired: false, updated_at: ctx.now });
  if (!isBegun(zone) || !isLaterSerial(serial, zone.serial)) await forgetSerials(ctx.db, zone);
  ctx.changes.giveSerial(zone.id, serial);
}

/** Whether it is the zone still, and transferred from the servers still, that were asked. */
const isAsked = (zone: ZoneRow, asked: ZoneRow) =>
  zone.id === asked.id &&
  zone.secondary !== null &&
  zone.secondary_key === asked.secondary_key &&
  isDeepStrictEqual(zone.secondary, asked.secondary);

/** Whether there is, or was, anything in the zone. */
const isBegun = ({ expired, transfer }: ZoneRow) => !expired || (transfer?.last_xfr ?? 0) > 0;

/** Says that a zone has, or has no longer, something to serve. */
export async function applyExpired(ctx: Ctx, asked: ZoneRow, expired: boolean): Promise<void> {
  const zone = await lockWhole(ctx.db, asked.account_id, asked.zone);
  if (!zone || !isAsked(zone, asked) || zone.expired === expired) return;
  await becomeZone(ctx, zone, { ...zone, expired });
  ctx.changes.giveSerial(zone.id, null);
}

async function becomeZone(ctx: Ctx, before: ZoneRow, after: ZoneRow): Promise<void> {
  await updateZone(ctx.db, after, fieldsOf(after));
  await setExpired(ctx.db, after, after.expired);
  ctx.changes.add(after.id, [{ kind: "zone", zone: zoneState(after) }], {
    removed: zoneHistory(before),
    added: zoneHistory(after),
  });
}

/** What is the same stays as it is; places that are left in `contents` are new. */
async function replaceAll(ctx: Ctx, zone: ZoneRow, { rrsets }: Contents): Promise<void> {
  for (let after = beforeAll; ; ) {
    const rows = await listRecords(ctx.db, zone.account_id, zone.id, after, pageRows);
    const there = new Map(rows.map((row) => [placeOf(row.domain, row.type), row]));
    const wanted = new Map([...there.keys()].map((place) => [place, rrsets.get(place)]));
    for (const place of there.keys()) rrsets.delete(place);
    await replace(ctx, zone, rows, wanted);
    if (rows.length < pageRows) break;
    after = rows.at(-1)!;
  }
  await replace(ctx, zone, [], rrsets);
}

/** Makes these places what is wanted there; `rows` is what stands there. */
async function replace(
  ctx: Ctx,
  zone: ZoneRow,
  rows: readonly RecordRow[],
  wanted: ReadonlyMap<string, Rrset | undefined>,
): Promise<void> {
  const there = new Map(rows.map((row) => [placeOf(row.domain, row.type), row]));
  const put: RecordRow[] = [];
  const removed: RecordRow[] = [];
  for (const [place, rrset] of wanted) {
    const row = there.get(place);
    if (rrset && !(row && isSame(row, rrset))) put.push(rowOf(ctx, zone, rrset, row));
    else if (!rrset && row) removed.push(row);
  }
  for (const row of put) {
    const before = there.get(placeOf(row.domain, row.type));
    // a zone's history begins with its first transfer: as many records again would be written for nothing
    const difference = isBegun(zone) ? { removed: before && recordHistory(before), added: recordHistory(row) } : {};
    ctx.changes.add(zone.id, [{ kind: "record", record: recordState(row) }], difference);
  }
  for (const row of removed) {
    const { domain, type } = row;
    const step = { kind: "record_removed", zone_id: zone.id, domain, type } as const;
    ctx.changes.add(zone.id, [step], { removed: recordHistory(row) });
  }
  for (let at = 0; at < put.length; at += batchRows) {
    await rowsOf(ctx.db, recordsPut.write(put.slice(at, at + batchRows)));
  }
  if (removed.length > 0) await rowsOf(ctx.db, recordsRemoved.write(removed));
}

/** A transferred record has what DNS has, and nothing that steers. */
const rowOf = ({ now }: Ctx, zone: ZoneRow, rrset: Rrset, before: RecordRow | undefined): RecordRow => ({
  ...plain,
  account_id: zone.account_id,
  zone_id: zone.id,
  domain: rrset.domain,
  type: rrset.type.name,
  id: before?.id ?? newId(),
  ttl: rrset.ttl,
  use_client_subnet: true,
  answers: answersOf(rrset).map((answer) => ({ answer, id: newId(), meta: {} })),
  created_at: before?.created_at ?? now,
  updated_at: now,
});
