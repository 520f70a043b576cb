/** A change in a zone's history: the zone's own fields and whole records, before and after. */
import type { RecordRow } from "../../storage/tables/records.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { NetDifference } from "../../sync/net-difference.ts";

/** The fields of a zone that clients set. */
export const zoneFields = [
  ...(["ttl", "refresh", "retry", "expiry", "nx_ttl", "hostmaster", "primary_master"] as const),
  ...(["networks", "dns_servers", "network_pools", "pool"] as const),
  ...(["disabled", "meta", "tags", "local_tags"] as const),
];
export type ZoneFields = Pick<ZoneRow, (typeof zoneFields)[number]>;

export interface ZoneEntry {
  readonly kind: "zone";
  readonly zone: ZoneFields & Pick<ZoneRow, "id" | "zone" | "created_at" | "updated_at">;
}

export interface RecordEntry {
  readonly kind: "record";
  readonly record: Omit<RecordRow, "account_id">;
}

export type HistoryEntry = ZoneEntry | RecordEntry;

/** A thing before and after: no `removed` for a new thing, no `added` for a removed one. */
export interface Difference {
  readonly removed?: HistoryEntry | undefined;
  readonly added?: HistoryEntry | undefined;
}

/** Merges the steps of a change: each thing occurs once, as before the first step and after the last. */
export function merged(differences: readonly Difference[]): Difference[] {
  const net = new NetDifference<HistoryEntry>();
  for (const { removed, added } of differences) {
    net.add({ removed: removed ? [removed] : [], added: added ? [added] : [] });
  }
  const merged = [...net.entries.values()].map(({ before, after }) => ({ removed: before, added: after }));
  return merged.filter(({ removed, added }) => removed ?? added);
}
