/** The tables of the activity log and of replies to requests with an Idempotency-Key. */
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
  /** The FQDN of the resource's zone, kept even after the zone is gone; blank for resources outside zones. */
  zone: Generated<string>;
  resource: Json<unknown>;
  /** The earlier values of the fields that the action changed; null if it was not a change. */
  before: ColumnType<unknown, string | null | undefined, string | null>;
}

/** Replies to earlier requests, so that a repeated request with the same Idempotency-Key is not executed again. */
export interface IdempotencyTable {
  account_id: string;
  key: string;
  /** SHA-256 of method, path, query and body. */
  request: string;
  status: number;
  /** The headers of a page. */
  headers: ColumnType<Readonly<Record<string, string>>, string | undefined, string>;
  body: string;
  created: Int8;
}
