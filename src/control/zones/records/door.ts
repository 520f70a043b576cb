/** The one way to write a record: its row, the destinations of feeds, the guard's count, the change and the history. */
import type { RecordRow } from "../../../storage/tables/records.ts";
import { recordState } from "../../../sync/state.ts";
import { moveDestinations } from "../../feeds/bindings.ts";
import type { Ctx } from "../../write/context.ts";
import { recordHistory } from "../model/record/present.ts";
import { recordsPut, recordsRemoved } from "../model/record/store.ts";
import { countMade } from "./guard.ts";

/** One record before and after a write: without `before` it is new, without `after` it is removed. */
export interface WrittenRecord {
  readonly before: RecordRow | undefined;
  readonly after: RecordRow | undefined;
}

export interface Noted {
  /** Edges get the record as a step of the change; otherwise they get all contents of the zone. */
  readonly isStep?: boolean;
  /** The zone's history keeps the record. */
  readonly isKept?: boolean;
}

/**
 * Writes one record, whose name is locked. Before a removal the guard against deletions is asked, and at its end each
 * write calls `settleLinks` once, with all of its records.
 */
export function putRecord(ctx: Ctx, { before, after }: WrittenRecord, noted: Noted = {}): void {
  if (after) ctx.send(recordsPut, after);
  else if (before) ctx.send(recordsRemoved, before);
  moveDestinations(ctx, before, after);
  if (after && !before) countMade(ctx, after.zone_id);
  noteRecord(ctx, { before, after }, noted);
}

/** The change and the history of a record whose row is written elsewhere. */
export function noteRecord(
  ctx: Ctx,
  { before, after }: WrittenRecord,
  { isStep = true, isKept = true }: Noted = {},
): void {
  const row = after ?? before;
  if (!row) return;
  const { zone_id, domain, type } = row;
  const step = after
    ? ({ kind: "record", record: recordState(after) } as const)
    : ({ kind: "record_removed", zone_id, domain, type } as const);
  const difference = { removed: before && recordHistory(before), added: after && recordHistory(after) };
  ctx.changes.add(zone_id, isStep ? [step] : [], isKept ? difference : {});
}
