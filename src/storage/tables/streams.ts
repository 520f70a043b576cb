/** The streams of changes and of live values, and who numbers and follows them. */
import type { ColumnType, Generated } from "kysely";
import type { Int8, Json } from "./columns.ts";

/** The outbox of the change stream: rows are inserted last in their transaction, after every lock is held. */
export interface ChangeTable {
  /**
   * From a sequence, drawn after the transaction's locks are held: of two transactions that met at a lock the later one
   * has the larger number, though numbers in all are not in order of commit.
   */
  seq: Generated<number>;
  id: string;
  account_id: string;
  zone_ids: Json<readonly string[]>;
  /** The changes as JSON text, or a load reference. */
  body: string;
  is_load: boolean;
  created: Int8;
  /** Given after commit by the sequencer; null until then. */
  revision: ColumnType<number | null, null, number>;
  previous: ColumnType<number | null, null, number>;
  serials: ColumnType<Record<string, number> | null, null, string>;
  /** By zone id: serials that another server gave, or null for a zone that keeps the one it has. */
  given: ColumnType<Record<string, number | null> | null, string | null | undefined, never>;
}

/** Batches of live values on their way to the edges; the values themselves stand in `feed`. */
export interface LiveChangeTable {
  /** Drawn in the transaction that stores the batch, without gaps. */
  revision: Int8;
  previous: Int8;
  /** The values as JSON text. */
  body: string;
  created: Int8;
}

/** Notes of feeds with pushed values that are not in any batch yet. */
export interface LiveUntoldTable {
  id: string;
  /** JSON: pairs of account and feed. */
  feeds: string;
  /** Unix milliseconds by the store's clock. */
  created: Int8;
}

/** The revision given last, by subject of a stream. */
export interface SequencerTable {
  subject: string;
  revision: Int8;
}

export interface FollowerTable {
  id: string;
  revision: Int8;
  seen_at: Int8;
}

/** `token` grows with each new holder and fences off one that has lost the lease without noticing. */
export interface LeaseTable {
  name: string;
  holder: string;
  token: Int8;
  expires_at: Int8;
}
