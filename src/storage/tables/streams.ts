/** The tables of the streams of changes and live values, their numbering and their followers. */
import type { ColumnType, Generated } from "kysely";
import type { AboutEdge, Comparison } from "../../sync/site.ts";
import type { Int8, Json } from "./columns.ts";

/** The outbox of the change stream: rows are inserted last in their transaction, after every lock is held. */
export interface ChangeTable {
  /**
   * Drawn from a sequence after the transaction holds its locks: of two transactions that met at a lock, the later one
   * has the larger number. Apart from that, the numbers are not in order of commit.
   */
  seq: Generated<number>;
  id: string;
  account_id: string;
  zone_ids: Json<readonly string[]>;
  /** The changes as JSON text, or a load reference. */
  body: string;
  is_load: boolean;
  created: Int8;
  /** Assigned by the sequencer after commit; null until then. */
  revision: ColumnType<number | null, null, number>;
  previous: ColumnType<number | null, null, number>;
  /** Drawn with the revision; empty for revisions of earlier versions. */
  mark: ColumnType<string, undefined, string>;
  previous_mark: ColumnType<string, undefined, string>;
  serials: ColumnType<Record<string, number> | null, null, string>;
  /** By zone id: the serial from another server, or null for a zone that keeps its serial. */
  given: ColumnType<Record<string, number | null> | null, string | null | undefined, never>;
}

/** Batches of live values on their way to the edges; the values themselves are in `feed`. */
export interface LiveChangeTable {
  /** Drawn in the transaction that stores the batch, without gaps. */
  revision: Int8;
  previous: Int8;
  /** Drawn with the revision; empty for revisions of earlier versions. */
  mark: Generated<string>;
  previous_mark: Generated<string>;
  /** The values as JSON text. */
  body: string;
  created: Int8;
}

/** Notes of feeds with pushed values that are in no batch yet. */
export interface DeferredFeedsTable {
  id: string;
  /** JSON: pairs of account and feed. */
  feeds: string;
  /** Unix milliseconds by the store's clock. */
  created: Int8;
}

/** The latest revision of each stream, and its mark. */
export interface SequencerTable {
  subject: string;
  revision: Int8;
  mark: Generated<string>;
  /** Kept for the live stream only, where the statement that draws a revision needs it. */
  previous_mark: Generated<string>;
}

/** The epoch of the store, in one row. */
export interface EpochTable {
  number: number;
  /** The transaction that wrote the row, as `xmin` shows it; of a copy of the row, `xmin` differs. */
  writer: string;
  /** The server's timeline: recovery and promotion begin another one. */
  timeline: string;
  /** The last zone whose serial was moved ahead in this epoch; null when all are. */
  moved_account: string | null;
  moved_zone: string | null;
}

/** Digests of zones that were read at one revision. */
export interface DigestBatchTable {
  /** Drawn from a sequence before the zones are read. */
  number: Int8;
  revision: Int8;
  /** By zone id. */
  zones: Json<Record<string, number>>;
  /** The number of all zones; null except for the last zones. */
  total: Int8 | null;
  /** The last zone that was read. */
  last_account: string;
  last_zone: string;
  created: Int8;
}

export interface FollowerTable {
  id: string;
  revision: Int8;
  seen_at: Int8;
  /** How far the edge has compared its zones; null before the first time. */
  comparison: ColumnType<Comparison | null, undefined, string>;
  /** What the edge says about itself; null before the first comparison, and for edges of earlier versions. */
  about: ColumnType<AboutEdge | null, undefined, string>;
}

/** Control processes, each of which renews its row while it runs. */
export interface ControlProcessTable {
  /** The name of the process in leases. */
  id: string;
  host: string;
  version: string;
  /** Unix seconds by the store's clock. */
  started: Int8;
  seen_at: Int8;
}

/** `token` grows with each new holder and fences off a holder that lost the lease without noticing. */
export interface LeaseTable {
  name: string;
  holder: string;
  token: Int8;
  expires_at: Int8;
}
