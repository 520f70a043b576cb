/** The tables of drafts, which are change sets that users have begun, and of saved views. */
import type { Int8, Json } from "./columns.ts";

export interface DraftTable {
  account_id: string;
  user_id: string;
  id: string;
  name: string;
  /** The first names of zones in it, for listings. */
  zones: Json<readonly string[]>;
  /** The number of writes of zones and records. */
  writes: number;
  /** The size that limits count. */
  octets: Int8;
  /** An envelope of the writes, which can contain secrets; context `draft.content:<id>`. */
  content: string;
  created_at: Int8;
  updated_at: Int8;
}

/** Settings of a page that a user has saved. */
export interface ViewTable {
  account_id: string;
  user_id: string;
  id: string;
  name: string;
  page: string;
  settings: Json<Record<string, unknown>>;
  created_at: Int8;
  updated_at: Int8;
}
