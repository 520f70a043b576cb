/** The tables of the history of zones and of their versions. */
import type { ColumnType } from "kysely";
import type { Int8, Json } from "./columns.ts";

/** The history of zones: the records that each change removed and added. The order of changes is in `zone_serial`. */
export interface ZoneHistoryTable {
  account_id: string;
  zone_id: string;
  change_id: string;
  at: Int8;
  removed: Json<readonly unknown[]>;
  added: Json<readonly unknown[]>;
  /** The author, as in the activity log; null for entries older than these columns. */
  user_id: string | null;
  user_name: string | null;
  user_type: string | null;
  /** The resource type and action of the activity entry. */
  action: string | null;
  /** The serial of the version that was restored. */
  restored: ColumnType<number | null, number | null, number | null>;
}

/** The change behind each serial of a zone; the sequencer writes one row per change and zone. */
export interface ZoneSerialTable {
  account_id: string;
  zone_id: string;
  serial: Int8;
  change_id: string;
  /** The order of a zone's versions, since serials wrap around. */
  revision: Int8;
  /** A client deleted the version: listings leave it out, and the history stays as it is. */
  unlisted: ColumnType<boolean, boolean | undefined, boolean>;
}

/** Saved versions with their names. Saved versions and the history after them are kept as long as the zone. */
export interface SavedVersionTable {
  account_id: string;
  zone_id: string;
  serial: Int8;
  name: string;
  created_at: Int8;
}
