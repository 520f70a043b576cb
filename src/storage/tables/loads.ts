/** What is too large for one statement or one message: loads, parts of contents, and imports. */
import type { ColumnType } from "kysely";
import type { Int8 } from "./columns.ts";

export interface ChangeLoadTable {
  id: string;
  checksum: string;
  body: string;
  created: Int8;
}

/** A part of the contents of a zone; `sync/contents.ts` says what it looks like. */
export interface ChangePartTable {
  /** Also the id of the change that refers to it. */
  load_id: string;
  /** From 0. */
  part: number;
  body: Uint8Array;
}

/** A load that no change refers to yet: its records and parts are in the store, and nobody sees them. */
export interface ZoneLoadTable {
  id: string;
  account_id: string;
  /** Under which the records stand in `record`: of no zone yet. */
  zone_id: string;
  /** The process that goes on with it; see `presence.ts`. */
  holder: string;
}

/** An import that nobody waits for. */
export interface ImportJobTable {
  account_id: string;
  id: string;
  /** FQDN. */
  zone: string;
  /** Unix seconds. */
  sent: Int8;
  percent: number;
  status: string;
  /** The process that goes on with it; see `presence.ts`. */
  holder: string;
  /** Null while it goes on. */
  response_code: ColumnType<number | null, number | null | undefined, number | null>;
  response: ColumnType<object | null, string | null | undefined, string | null>;
}
