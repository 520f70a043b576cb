/** The tables of records and their owner names. */
import type { ColumnType, Selectable } from "kysely";
import type { Int8, Json } from "./columns.ts";

export interface RecordTable {
  account_id: string;
  zone_id: string;
  domain: string;
  type: string;
  id: string;
  ttl: number;
  tier: number;
  link: string | null;
  use_client_subnet: boolean;
  /** Null when nobody set it, which is the same as false. */
  override_ttl: boolean | null;
  override_address_records: boolean;
  answers: Json<readonly StoredAnswer[]>;
  filters: Json<readonly StoredFilter[]>;
  /** The policy for records without an answer that is up; null serves the remaining answers. */
  all_down: ColumnType<StoredAllDown | null, string | null | undefined, string | null>;
  /** The largest share of the answers, 0 to 1, that live data may remove; null for all. */
  live_guard: ColumnType<number | null, number | null | undefined, number | null>;
  regions: Json<Record<string, unknown>>;
  meta: Json<Record<string, unknown>>;
  /** The feeds of the metadata, each once. */
  feeds: Json<readonly BoundFeed[]>;
  tags: Json<Record<string, unknown>>;
  local_tags: Json<readonly string[]>;
  blocked_tags: Json<readonly string[]>;
  created_at: Int8;
  updated_at: Int8;
}

/** A record as statements read it. */
export type RecordRow = Selectable<RecordTable>;

export interface StoredAnswer {
  id: string;
  answer: readonly (string | number)[];
  meta?: Record<string, unknown>;
  region?: string;
}

export interface StoredFilter {
  readonly filter: string;
  readonly config?: Readonly<Record<string, unknown>> | null;
  readonly disabled?: unknown;
}

export interface StoredAllDown {
  readonly policy: "serve_all" | "last_healthy" | "group" | "nothing";
  /** Name of a region. */
  readonly group?: string;
}

/** The ids of a feed and its source. */
export interface BoundFeed {
  readonly source: string;
  readonly feed: string;
}

/**
 * One row for each owner name with records. A write at the name locks the row, so that rules over all types of a name
 * (CNAME alone, limits) hold without locking the zone. The write inserts a missing row.
 */
export interface OwnerTable {
  account_id: string;
  zone_id: string;
  domain: string;
}
