/**
 * Writes a record: its row, its feed destinations, the guard's count, the change and the history.
 *
 * All writes of records use `putRecord`, except these. Transfers (`exchange/transfers/rrsets.ts`) write rows in batches
 * and call `noteRecord`. Loads of whole zones (`storage/loads.ts`) write only rows and refer edges to the parts. The code
 * that brings back a deleted zone (`zones/deleted/write.ts`) rewrites rows that refer to deleted feeds. Renamed types
 * (`zones/model/record/naming.ts`) change in their rows only.
 */
import { jsonLength } from "../../../lib/text/json-length.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import { recordState } from "../../../sync/state.ts";
import { moveDestinations } from "../../feeds/bindings.ts";
import type { Ctx } from "../../write/context.ts";
import { delegationsDue } from "../delegation/store.ts";
import { recordHistory } from "../model/record/present.ts";
import { recordsPut, recordsRemoved } from "../model/record/store.ts";
import { countCreated } from "./guard.ts";

/** A record before and after a write: no `before` for a new record, no `after` for a removed one. */
export interface WrittenRecord {
  readonly before: RecordRow | undefined;
  readonly after: RecordRow | undefined;
}

export interface Noted {
  /** Whether the record is a step of the change. If not, the change contains all contents of the zone. */
  readonly isStep?: boolean;
  /** Whether the zone's history keeps the record. */
  readonly isKept?: boolean;
}

/**
 * Writes a record; its name must be locked. Callers ask the guard against deletions before a removal, and call
 * `settleLinks` once at the end with all records.
 */
export function putRecord(ctx: Ctx, { before, after }: WrittenRecord, noted: Noted = {}): void {
  if (after) ctx.send(recordsPut, after);
  else if (before) ctx.send(recordsRemoved, before);
  moveDestinations(ctx, before, after);
  if (after && !before) countCreated(ctx, after.zone_id);
  noteRecord(ctx, { before, after }, noted);
}

/** Adds the change and the history of a record; the caller writes its row. */
export function noteRecord(
  ctx: Ctx,
  { before, after }: WrittenRecord,
  { isStep = true, isKept = true }: Noted = {},
): void {
  const row = after ?? before;
  if (!row) return;
  const { account_id, zone_id, domain, type } = row;
  // the parent has to name the servers in the zone's NS record
  if (type === "NS") ctx.send(delegationsDue, { account_id, zone_id, due_at: ctx.now });
  const step = after
    ? ({ kind: "record", record: recordState(after) } as const)
    : ({ kind: "record_removed", zone_id, domain, type } as const);
  ctx.changes.grow({
    records: (after ? 1 : 0) - (before ? 1 : 0),
    octets: octetsOf(after) - octetsOf(before),
  });
  const difference = { removed: before && recordHistory(before), added: after && recordHistory(after) };
  ctx.changes.add(zone_id, isStep ? [step] : [], isKept ? difference : {});
}

/** The size of a record as quotas count it, in characters until the store counts its octets. */
export function octetsOf(row: RecordRow | undefined): number {
  if (!row) return 0;
  const { answers, filters, regions, meta, tags, local_tags, blocked_tags } = row;
  return jsonLength([answers, filters, regions, meta, tags, local_tags, blocked_tags]);
}
