/** What is kept of requests: who did what, and replies for those that come again. */
import type { ColumnType, Generated } from "kysely";
import type { Int8, Json } from "./columns.ts";

export interface ActivityTable {
  account_id: string;
  id: string;
  timestamp: Int8;
  resource_type: string;
  resource_id: string;
  user_id: string;
  user_name: string;
  /** `apikey`, `user` or `system`. */
  user_type: string;
  action: string;
  address: string | null;
  /** FQDN of the zone that it lies in, which keeps its name as long as there is an entry; blank when it lies in none. */
  zone: Generated<string>;
  resource: Json<unknown>;
  /** Of a change, the fields of the resource that it changed, as they were; else null. */
  before: ColumnType<unknown, string | null | undefined, string | null>;
}

/** Answers already given, so that a request sent again with the same Idempotency-Key is not done twice. */
export interface IdempotencyTable {
  account_id: string;
  key: string;
  /** SHA-256 of method, path and body. */
  request: string;
  status: number;
  body: string;
  created: Int8;
}
