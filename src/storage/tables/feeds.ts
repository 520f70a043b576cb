/** Sources, their feeds, and where the values go. */
import type { ColumnType } from "kysely";
import type { Int8, Json } from "./columns.ts";

export interface SourceTable {
  account_id: string;
  /** 32 hex digits. */
  id: string;
  name: string;
  sourcetype: string;
  config: Json<Record<string, unknown>>;
  status: string;
  /** Grows when a feed comes, goes or changes its label: what a process remembers of the source holds until then. */
  version: Int8;
  created_at: Int8;
}

export interface FeedTable {
  account_id: string;
  /** 24 hex digits. */
  id: string;
  source_id: string;
  name: string;
  /** What a push calls the feed, taken from its configuration; null where the source type has no such thing. */
  label: string | null;
  config: Json<Record<string, unknown>>;
  /** The table that was pushed last, as it was sent; empty before the first push. */
  data: Json<Record<string, unknown>>;
  /** Unix milliseconds of the last push. */
  pushed_at: ColumnType<number | null, number | null, number | null>;
  /** Seconds after which the values count no longer. */
  max_age: ColumnType<number | null, number | null, number | null>;
  /** What counts instead of values that are too old. */
  fallback: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  created_at: Int8;
}

/** A place in metadata that takes its value from a feed; written with the record that has the metadata. */
export interface DestinationTable {
  account_id: string;
  zone_id: string;
  record_id: string;
  /** `answer`, `region` or `record`. */
  desttype: string;
  /** Id of the answer, name of the region, or id of the record. */
  destid: string;
  feed_id: string;
}
