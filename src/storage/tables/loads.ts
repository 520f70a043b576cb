/** The tables for data too large for one statement or message: loads, parts of zone contents, and imports. */
import type { ColumnType } from "kysely";
import type { Int8 } from "./columns.ts";

export interface ChangeLoadTable {
  id: string;
  checksum: string;
  body: string;
  created: Int8;
}

/** A part of the contents of a zone; `sync/contents.ts` defines its format. */
export interface ChangePartTable {
  /** Also the id of the change that refers to the load. */
  load_id: string;
  /** From 0. */
  part: number;
  body: Uint8Array;
}

/** A load that no change refers to yet: its records and parts are in the store, but not visible. */
export interface ZoneLoadTable {
  id: string;
  account_id: string;
  /** The zone id of the rows in `record`; the zone does not exist yet. */
  zone_id: string;
  /** The process that continues the load; see `presence.ts`. */
  holder: string;
}

/** The source of an import: a zone file, or a transfer from another server. */
export type ImportType = "importzonefile" | "importtransfer";

/** An import in the background. */
export interface ImportJobTable {
  account_id: string;
  id: string;
  /** FQDN. */
  zone: string;
  type: ColumnType<ImportType, ImportType | undefined, never>;
  /** Unix seconds. */
  sent: Int8;
  percent: number;
  status: string;
  /** The process that continues the import; see `presence.ts`. */
  holder: string;
  /** Null while the import runs. */
  response_code: ColumnType<number | null, number | null | undefined, number | null>;
  response: ColumnType<object | null, string | null | undefined, string | null>;
}
