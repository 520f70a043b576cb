/** The tables of what needs the attention of an account. */
import type { Int8, Json } from "./columns.ts";

export interface AttentionTable {
  account_id: string;
  kind: string;
  /** The id of the zone, feed or key, or the name of the limit. */
  thing: string;
  /** The FQDN of the zone; blank for other things. */
  zone: string;
  /** What people call the thing. */
  name: string;
  /** Unix seconds. */
  since: Int8;
  /** 0 for an error, 1 for a warning, 2 for a notice. */
  severity: number;
  /** One sentence. */
  message: string;
  detail: Json<Readonly<Record<string, unknown>>>;
}

/** The last time at which the records of a zone were looked through for mistakes. */
export interface ZoneLintTable {
  account_id: string;
  zone_id: string;
  /** The serial of the zone then. */
  serial: Int8;
  /** Unix seconds. */
  checked_at: Int8;
  /** Milliseconds that it took. */
  took: number;
}
