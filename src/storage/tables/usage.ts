/** The tables of query counts and of watched queries. */
import type { Generated } from "kysely";
import type { Int8 } from "./columns.ts";

/** Queries in the `span` seconds (60, 3600 or 86,400) from `at`. Queries that no row of a record includes have empty domain and type. */
export interface UsageTable {
  account_id: string;
  span: number;
  zone: string;
  domain: string;
  type: string;
  at: Int8;
  queries: Int8;
}

/** Answered queries by type, RCODE and transport in the `span` seconds (60, 3600 or 86,400) from `at`. */
export interface UsageMixTable {
  account_id: string;
  span: number;
  zone: string;
  type: string;
  rcode: string;
  transport: string;
  at: Int8;
  queries: Int8;
}

/** Queries in the hour from `at` for names that do not exist: those that are asked for most. */
export interface UsageMissingTable {
  account_id: string;
  zone: string;
  at: Int8;
  domain: string;
  queries: Int8;
}

/** The last added report of each run of an edge. */
export interface UsageReporterTable {
  edge: string;
  boot: string;
  sequence: Int8;
  seen_at: Int8;
}

/** Somebody watches the queries of the zone until this time in Unix seconds. */
export interface TailWatchTable {
  account_id: string;
  zone: string;
  until: Int8;
}

/** A query for a watched zone; `at` in milliseconds since the Unix epoch. */
export interface TailQueryTable {
  account_id: string;
  zone: string;
  id: Generated<number>;
  at: Int8;
  name: string;
  type: string;
  rcode: string | null;
  transport: string;
  client: string;
  country: string | null;
  asn: Int8 | null;
}
