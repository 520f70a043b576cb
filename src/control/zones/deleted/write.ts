/** Deleting zones, bringing them back, and removing them for good. */

import { LongWork } from "../../../lib/fair/yield.ts";
import { invalid, missing } from "../../../lib/problem.ts";
import { latestSerial } from "../../../lib/serial.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { Change } from "../../../sync/change.ts";
import { recordState } from "../../../sync/state.ts";
import { reachesZone } from "../../access/access.ts";
import { assertPermitted, canonicalTarget } from "../../access/caller.ts";
import { FeedLocks, moveDestinations } from "../../feeds/bindings.ts";
import { limits } from "../../kit/limits.ts";
import type { Ctx } from "../../write/context.ts";
import { writeListing } from "../catalogs/listing.ts";
import { cataloguedAgain } from "../catalogs/membership.ts";
import { delegationsDue } from "../delegation/store.ts";
import { beforeFirst, countRecords, listRecords, recordsPut } from "../model/record/store.ts";
import { claimName } from "../model/zone/claim.ts";
import { assertTarget } from "../model/zone/link.ts";
import { claimScope, spanningAncestors } from "../model/zone/ownership.ts";
import { announcePartners, isExchanged } from "../model/zone/partners.ts";
import { noteZone } from "../model/zone/present.ts";
import { assertAllRecords, assertNoneClosed, assertWhole } from "../model/zone/reach.ts";
import { insertZone, lockDomains } from "../model/zone/store.ts";
import { assertAliasesReadable } from "../records/alias.ts";
import { addContents } from "../records/contents.ts";
import { countCreated } from "../records/guard.ts";
import { assertLinksReadable, touchLinksInto } from "../records/links.ts";
import { octetsOf } from "../records/put.ts";
import * as deleted from "./store.ts";

/** At most this many records are steps of the change, which is one message; more are sent in parts. */
const mostSteps = 2000;
const batch = 1000;

/** Moves a zone to the deleted zones. Its row must be locked against every other writer. */
export async function moveToDeleted(ctx: Ctx, fields: ZoneRow): Promise<void> {
  const { db, caller, now, settings } = ctx;
  const { account_id, id, zone, serial } = fields;
  const row: deleted.DeletedRow = {
    ...{ account_id, id, zone, serial, fields, deleted_at: now },
    records: await countRecords(db, account_id, id),
    kept_until: now + settings.keepDeleted,
    ...{ user_id: caller.id, user_name: caller.name, user_type: caller.kind },
  };
  if (settings.keepDeleted === 0) await lockName(ctx, zone);
  await deleted.insertDeleted(db, row);
  ctx.changes.grow({ zones: -1, records: -row.records });
  if (settings.keepDeleted === 0) await deleted.releaseClaim(db, row, now);
}

/** Prevents claims of the name until this transaction ends. */
export async function lockName({ db, settings }: Ctx, zone: string): Promise<void> {
  const { edition, allowSuffix } = settings;
  await lockDomains(db, claimScope(zone).registrable, spanningAncestors(zone, edition, allowSuffix));
}

/** Finds a deleted zone by id or name. Throws unless the caller may change the whole zone; a closed zone's id is like none. */
async function getDeleted(ctx: Ctx, named: string): Promise<deleted.DeletedRow> {
  const { access } = ctx.caller;
  const isId = /^[0-9a-f]{24}$/i.test(named);
  if (!isId) assertPermitted(ctx.caller, "dns.manage_zones", canonicalTarget({ zone: named }));
  const found = await deleted.findDeleted(ctx.db, ctx.account_id, named.toLowerCase(), ctx.now);
  if (!found || !reachesZone(access, "dns.manage_zones", found.zone)) {
    throw missing("deleted zone not found", { zone: named });
  }
  assertWhole(ctx, found.zone);
  await assertNoneClosed(ctx, found);
  return found;
}

export async function bringBack(ctx: Ctx, named: string): Promise<{ readonly before: ZoneRow; readonly row: ZoneRow }> {
  const { db, account_id, now, memory } = ctx;
  const gone = await getDeleted(ctx, named);
  const { zone, records } = gone;
  if (records > limits.undeletedRecords) {
    const message = `the zone ${zone} has ${records} records; at most ${limits.undeletedRecords} can be brought back`;
    throw invalid(message, { zone, records, limit: limits.undeletedRecords });
  }
  await memory.quotas.recount(account_id);
  // the name may have been released, and taken by another account since
  await claimName(ctx, gone.fields);
  if (gone.fields.link !== null || gone.fields.secondary) assertAllRecords(ctx, zone);
  if (gone.fields.link !== null) assertTarget(ctx, zone, gone.fields.link);
  const catalogued = await cataloguedAgain(ctx, gone.fields);
  // zones of the same name may have been created and deleted since, and secondaries may have transferred them
  const others = gone.fields.secondary ? [] : await deleted.serialsDeleted(db, account_id, zone);
  const serial = latestSerial(gone.serial, ...others);
  const row: ZoneRow = { ...gone.fields, ...catalogued, serial, updated_at: now };
  await insertZone(db, row);
  ctx.send(delegationsDue, { account_id, zone_id: row.id, due_at: now });
  ctx.changes.grow({ zones: 1, records });
  countCreated(ctx, account_id);
  await deleted.removeDeleted(db, gone);
  await writeListing(ctx, undefined, row);
  await touchLinksInto(ctx, zone);
  noteZone(ctx, undefined, row);
  // the serial of a secondary zone is its primary's
  if (row.secondary) ctx.changes.giveSerial(row.id, null);
  if (isExchanged(row)) await announcePartners(ctx, row);
  await addRecords(ctx, row, records > mostSteps);
  return { before: { ...gone.fields, serial: gone.serial }, row };
}

async function addRecords(ctx: Ctx, row: ZoneRow, inParts: boolean): Promise<void> {
  const pages = boundRecords(ctx, row.account_id, row.id);
  if (inParts) return await addContents(ctx, row, pages);
  const steps: Change[] = [];
  for await (const rows of pages) for (const each of rows) steps.push({ kind: "record", record: recordState(each) });
  ctx.changes.add(row.id, steps);
}

/** All records of the zone in pages, bound to their feeds again. Throws when the caller may not read the target of a record. */
async function* boundRecords(ctx: Ctx, account_id: string, id: string): AsyncGenerator<readonly RecordRow[]> {
  const feeds = new FeedLocks(ctx);
  const work = new LongWork();
  for (let after = beforeFirst, rows: RecordRow[] = []; ; after = rows.at(-1)!) {
    rows = await listRecords(ctx.db, account_id, id, after, batch);
    const there = await feeds.lock(rows.flatMap((row) => row.feeds.map(({ feed }) => feed)));
    for (const row of rows) {
      const kept = { ...row, feeds: row.feeds.filter(({ feed }) => there.has(feed)) };
      // feeds may have been deleted since
      if (kept.feeds.length < row.feeds.length) ctx.send(recordsPut, kept);
      moveDestinations(ctx, undefined, kept);
      ctx.changes.grow({ octets: octetsOf(kept) });
    }
    await assertAliasesReadable(
      ctx,
      rows.map((after) => ({ before: undefined, after })),
    );
    await assertLinksReadable(
      ctx,
      rows.filter(({ link }) => link !== null),
    );
    yield rows;
    if (rows.length < batch) return;
    await work.giveWay();
  }
}

/** Frees the name at once; the records are removed in the background. */
export async function removeForGood(ctx: Ctx, named: string): Promise<deleted.DeletedRow> {
  const gone = await getDeleted(ctx, named);
  await lockName(ctx, gone.zone);
  await deleted.expireDeleted(ctx.db, gone);
  await deleted.releaseClaim(ctx.db, gone, ctx.now);
  return gone;
}
