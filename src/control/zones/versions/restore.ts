/** Restoring a zone or one of its records to an earlier version, as a new change. */

import { isDeepStrictEqual } from "node:util";
import { LongWork } from "../../../lib/fair/yield.ts";
import { invalid } from "../../../lib/problem.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { recordKey } from "../../../sync/net-difference.ts";
import { reachesRecord } from "../../access/access.ts";
import { closedRecord } from "../../access/caller.ts";
import { bindFeeds, FeedLocks, feedsNamed } from "../../feeds/bindings.ts";
import { limits } from "../../kit/limits.ts";
import type { Ctx } from "../../write/context.ts";
import { differencesOf, findPoint, getVersion, isSameRecord, type Point, type Touched } from "../history/past.ts";
import { end, type VersionRow } from "../history/store.ts";
import { assertRoomAtName } from "../model/record/fields.ts";
import { assertCompatible } from "../model/record/rules.ts";
import { beforeFirst, listRecords, type RecordCursor, recordsAt } from "../model/record/store.ts";
import { assertTagsPermitted } from "../model/record/tags.ts";
import { sameFields } from "../model/zone/fields.ts";
import { getZone } from "../model/zone/find.ts";
import { formerPools } from "../model/zone/networks.ts";
import { assertInNetworks } from "../model/zone/partners.ts";
import { fieldsOf, noteZone } from "../model/zone/present.ts";
import { assertWhole } from "../model/zone/reach.ts";
import { findZoneById, lockWhole, updateZone } from "../model/zone/store.ts";
import { assertAliasesReadable } from "../records/alias.ts";
import type { Written } from "../records/apply.ts";
import { addContents } from "../records/contents.ts";
import { type Confirmation, guardRecords } from "../records/guard.ts";
import { settleLinks, touchLinksInto } from "../records/links.ts";
import { assertOwnRecords, lockPath, type RecordPath, recordNotFound } from "../records/path.ts";
import { putRecord, type WrittenRecord } from "../records/put.ts";
import { settleRecord } from "../records/write.ts";
import { notifyPeers } from "../tsig/store.ts";
import type { WrittenZone } from "./logged.ts";

/** At most this many records are steps of the change, which is one message; for more, edges get all records of the zone. */
const mostSteps = 20_000;
const batch = 1000;

export interface RestoredZone {
  readonly row: ZoneRow;
  readonly version: VersionRow;
  /** Undefined when the zone is unchanged. */
  readonly written: WrittenZone | undefined;
}

export async function restoreZone(
  ctx: Ctx,
  path: string,
  serial: number,
  confirmation: Confirmation,
): Promise<RestoredZone> {
  const now = await getZone(ctx, path, lockWhole);
  assertWhole(ctx, now.zone);
  assertOwnRecords(now);
  const version = await getVersion(ctx.db, now, serial);
  const { zone, records } = await differencesOf(ctx.db, now, version.revision, end);
  assertBounded(now, records.size);
  const gone = [...records.values()].flatMap(({ before, after }) => (after && !before ? after : []));
  await guardRecords(ctx, now, gone, confirmation);
  const settings = await restoreSettings(ctx, now, zone?.before ?? now);
  if (zone && zone.before.disabled !== now.disabled) await touchLinksInto(ctx, now.zone);
  const inParts = records.size > mostSteps;
  const written = await restoreRecords(ctx, now, [...records.values()], !inParts);
  ctx.changes.restore(now.id, version.serial);
  ctx.flush();
  if (inParts && written.length > 0) await addContents(ctx, now, recordsOf(ctx, now));
  await settleLinks(ctx, written, { confirmation });
  const isSame = settings === now && written.length === 0;
  return { row: now, version, written: isSame ? undefined : { before: now, after: settings, records: written } };
}

function assertBounded({ zone }: ZoneRow, count: number): void {
  if (count <= limits.restoredRecords) return;
  const message = `${count} records changed since then; one call restores at most ${limits.restoredRecords}; import the zone instead`;
  throw invalid(message, { zone, records: count, limit: limits.restoredRecords });
}

/** Restores records and returns those that changed. The lock of the whole zone keeps out other writers. */
async function restoreRecords(
  ctx: Ctx,
  zone: ZoneRow,
  touched: readonly Touched[],
  isStep: boolean,
): Promise<WrittenRecord[]> {
  const locks = new FeedLocks(ctx);
  await locks.lock(touched.flatMap(({ before }) => (before ? feedsNamed(before) : [])));
  const written: WrittenRecord[] = [];
  for (let at = 0; at < touched.length; at += batch) {
    const some = touched.slice(at, at + batch);
    const paths = some.map(({ before, after }) => (before ?? after)!);
    const rows = await recordsAt(ctx.db, zone, [...new Set(paths.map(({ domain }) => domain))]);
    const now = new Map(rows.map((row) => [recordKey(row), row]));
    const first = written.length;
    for (const [i, { before }] of some.entries()) {
      const there = now.get(recordKey(paths[i]!));
      const { changed, row } = await restoreRow(ctx, { zone: zone.zone, locks, isStep }, there, before);
      if (changed) written.push({ before: there, after: row });
    }
    await assertAliasesReadable(ctx, written.slice(first));
    // sent before the next batch is read, so that at most the rows of one batch wait to be sent
    ctx.flush();
  }
  return written;
}

/** All records of the zone, page by page. */
async function* recordsOf({ db }: Ctx, { account_id, id }: ZoneRow): AsyncGenerator<readonly RecordRow[]> {
  const work = new LongWork();
  for (let after: RecordCursor = beforeFirst; ; await work.giveWay()) {
    const rows = await listRecords(db, account_id, id, after, batch);
    yield rows;
    if (rows.length < batch) return;
    after = rows.at(-1)!;
  }
}

interface RestoreScope {
  readonly zone: string;
  readonly locks: FeedLocks;
  /** Whether each record is a step of the change. */
  readonly isStep: boolean;
}

/** Restores one record. Deleted feeds are not bound again, though the metadata may still name them. */
async function restoreRow(
  ctx: Ctx,
  { zone, locks, isStep }: RestoreScope,
  now: RecordRow | undefined,
  wanted: RecordRow | undefined,
): Promise<{ readonly changed: boolean; readonly row: RecordRow | undefined }> {
  if (isSameRecord(now, wanted)) return { changed: false, row: now };
  const { domain, type } = (wanted ?? now)!;
  if (!reachesRecord(ctx.caller.access, "dns.manage_zones", zone, domain, type)) {
    throw closedRecord("dns.manage_zones", { zone, domain, type });
  }
  assertTagsPermitted(ctx, { zone, domain, type }, now, wanted);
  const after = wanted && { ...wanted, feeds: await bindFeeds(locks, wanted, wanted), updated_at: ctx.now };
  putRecord(ctx, { before: now, after }, { isStep });
  return { changed: true, row: after };
}

async function restoreSettings(ctx: Ctx, now: ZoneRow, wanted: ZoneRow): Promise<ZoneRow> {
  const fields = fieldsOf(wanted);
  if (sameFields(fields, fieldsOf(now))) return now;
  assertTagsPermitted(ctx, { zone: now.zone }, now, fields);
  const row: ZoneRow = { ...now, ...fields, former_pools: formerPools(now, fields), updated_at: ctx.now };
  assertInNetworks(row);
  await updateZone(ctx.db, row);
  if (!isDeepStrictEqual(row.networks, now.networks)) await notifyPeers(ctx.db, ctx.account_id);
  noteZone(ctx, now, row);
  return row;
}

export async function restoreRecord(ctx: Ctx, sent: RecordPath, point: Point): Promise<Written> {
  const { path, scope, row: now, others, targets } = await lockPath(ctx, sent);
  const zone = await findZoneById(ctx.db, ctx.account_id, scope.zone.id);
  const version = zone && (await findPoint(ctx.db, zone, point));
  if (!version) throw invalid("version is required", { field: "version" });
  const { records } = await differencesOf(ctx.db, zone, version.revision, end);
  const touched = records.get(recordKey({ domain: path.domain, type: path.type.name }));
  const wanted = touched ? touched.before : now;
  if (!wanted) throw recordNotFound(path);
  const types = others.map(({ type }) => type);
  assertCompatible(path.type, path.domain, path.zone, types);
  assertRoomAtName(wanted, others);
  const { changed, row = wanted } = await restoreRow(
    ctx,
    { zone: path.zone, locks: scope.feeds, isStep: true },
    now,
    wanted,
  );
  if (changed) await assertAliasesReadable(ctx, [{ before: now, after: row }]);
  return await settleRecord(ctx, { zone: scope.zone, before: now, row, changed }, targets);
}
