/** The tables of sources, their feeds, and the destinations of their values. */
import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { Int8, Json } from "./columns.ts";

export interface SourceTable {
  account_id: string;
  /** 32 hex digits. */
  id: string;
  name: string;
  sourcetype: string;
  config: Json<Record<string, unknown>>;
  status: string;
  /** Grows when a feed is created, deleted or relabelled; a process may cache the source until then. */
  version: Int8;
  created_at: Int8;
}

export interface FeedTable {
  account_id: string;
  /** 24 hex digits. */
  id: string;
  source_id: string;
  name: string;
  /** The feed's name in pushes, from its configuration; null if the source type has no labels. */
  label: string | null;
  config: Json<Record<string, unknown>>;
  /** The last pushed table, as it was sent; empty before the first push. */
  data: Json<Record<string, unknown>>;
  /** Unix milliseconds of the last push. */
  pushed_at: ColumnType<number | null, number | null, number | null>;
  /** Seconds after which the values expire. */
  max_age: ColumnType<number | null, number | null, number | null>;
  /** The values that replace expired ones. */
  fallback: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  created_at: Int8;
  /** The metadata keys that records have named, in all of their spellings: edges get the values of these alone. */
  named: Generated<string[]>;
  /** The cells that `data` and `fallback` may take in the table of an edge. */
  cells: GeneratedAlways<number>;
}

/** The sum of `cells` over the feeds of an account; triggers keep it. */
export interface AccountCellsTable {
  account_id: string;
  cells: GeneratedAlways<number>;
}

/** A metadata field that takes its value from a feed; written with the record that has the metadata. */
export interface DestinationTable {
  account_id: string;
  zone_id: string;
  record_id: string;
  /** `answer`, `region` or `record`. */
  desttype: string;
  /** The id of the answer, name of the region, or id of the record. */
  destid: string;
  feed_id: string;
  /** The name and type of the record; null in a row whose record is gone. */
  domain: string | null;
  type: string | null;
}

/** The last pushes of a source, or of one of its feeds. */
export interface RecentPushTable {
  account_id: string;
  source_id: string;
  /** The id of the source or of the feed. */
  id: string;
  /** Newest first. */
  pushes: Json<readonly PushNote[]>;
}

/** A push as the store keeps it for a while. */
export interface PushNote {
  /** Unix milliseconds. */
  readonly at: number;
  readonly result: "stored" | "refused";
  /** The reason of a refusal. */
  readonly message?: string;
  /** The number of feeds that the push reached; only in notes of a source. */
  readonly feeds?: number;
  /** Whether the table was merged into the one before. */
  readonly merged: boolean;
  /** Octets of the pushed tables as JSON, each counted for every feed that it reached; 0 if they were not read. */
  readonly octets: number;
  /** The pushed table; left out if it is large, or if the feeds of a source got different ones. */
  readonly values?: Readonly<Record<string, unknown>>;
}
