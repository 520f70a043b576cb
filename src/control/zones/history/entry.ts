/** What the history of a zone keeps of a change: the zone's own fields and its records, whole, as they were and became. */
import { typeName } from "../../../dns/types.ts";
import { Folded } from "../../../sync/folded.ts";
import { tierOf } from "../model/record/steering.ts";
import type { RecordRow } from "../model/record/store.ts";
import type { ZoneFields } from "../model/zone/fields.ts";
import type { ZoneRow } from "../model/zone/store.ts";

export interface ZoneEntry {
  readonly kind: "zone";
  readonly zone: ZoneFields & Pick<ZoneRow, "id" | "zone" | "created_at" | "updated_at">;
}

export interface RecordEntry {
  readonly kind: "record";
  readonly record: Omit<RecordRow, "account_id">;
}

export type HistoryEntry = ZoneEntry | RecordEntry;

/** One thing before and after; without `removed` it is new, without `added` it is gone. */
export interface Difference {
  readonly removed?: HistoryEntry | undefined;
  readonly added?: HistoryEntry | undefined;
}

/** What all steps of a change come to: each thing once, as it was before the first and is after the last. */
export function merged(differences: readonly Difference[]): Difference[] {
  const folded = new Folded<HistoryEntry>();
  for (const { removed, added } of differences) {
    folded.add({ removed: removed ? [removed] : [], added: added ? [added] : [] });
  }
  const merged = [...folded.pairs.values()].map(({ before, after }) => ({ removed: before, added: after }));
  return merged.filter(({ removed, added }) => removed ?? added);
}

/** The record that an entry keeps. What was not kept at first has its default. */
export const recordOfEntry = (account_id: string, { record }: RecordEntry): RecordRow => ({
  account_id,
  ...{ all_down: null, live_guard: null, created_at: 0, updated_at: 0 },
  ...record,
  type: typeName(record.type),
  tier: tierOf(record.filters),
});

/** The zone with the fields that an entry keeps; those that were not there then are those of now. */
export const zoneOfEntry = (row: ZoneRow, { zone }: ZoneEntry): ZoneRow => ({ ...row, ...zone });
