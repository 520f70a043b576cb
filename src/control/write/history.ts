/** What the history of a zone keeps of a change: the zone's own fields and its records, whole, as they were and became. */
import type { RecordRow } from "../../storage/tables/records.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { Folded } from "../../sync/folded.ts";

/** The fields of a zone that clients set. */
type OwnField =
  | "ttl"
  | "refresh"
  | "retry"
  | "expiry"
  | "nx_ttl"
  | "hostmaster"
  | "primary_master"
  | "disabled"
  | "meta"
  | "tags"
  | "local_tags"
  | "networks"
  | "dns_servers"
  | "network_pools"
  | "pool";

export interface ZoneEntry {
  readonly kind: "zone";
  readonly zone: Pick<ZoneRow, "id" | "zone" | "created_at" | "updated_at" | OwnField>;
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
