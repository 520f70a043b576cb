/** The history of zones, and the versions that it makes. */
import type { ColumnType } from "kysely";
import type { Int8, Json } from "./columns.ts";

/** The one history of a zone: what each change removed and added. Its place in the order is in `zone_serial`. */
export interface ZoneHistoryTable {
  account_id: string;
  zone_id: string;
  change_id: string;
  at: Int8;
  removed: Json<readonly unknown[]>;
  added: Json<readonly unknown[]>;
  /** Who made it, as in the activity log; null for what is older than these columns. */
  user_id: string | null;
  user_name: string | null;
  user_type: string | null;
  /** Resource and action of the activity entry. */
  action: string | null;
  /** The serial that the zone was brought back to. */
  restored: ColumnType<number | null, number | null, number | null>;
}

/** Which change gave a zone a serial: written by the sequencer, once for each change and zone. */
export interface ZoneSerialTable {
  account_id: string;
  zone_id: string;
  serial: Int8;
  change_id: string;
  /** Serials go round in a circle: this is the order of a zone's versions. */
  revision: Int8;
}

/** Versions that somebody gave a name to: they, and what came after, stay as long as the zone. */
export interface SavedVersionTable {
  account_id: string;
  zone_id: string;
  serial: Int8;
  name: string;
  created_at: Int8;
}
