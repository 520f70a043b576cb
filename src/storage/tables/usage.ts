/** The tables of query counts. */
import type { Int8 } from "./columns.ts";

/** Queries in the `span` seconds (60 or 3600) from `at`. Queries that no row of a record includes have empty domain and type. */
export interface UsageTable {
  account_id: string;
  span: number;
  zone: string;
  domain: string;
  type: string;
  at: Int8;
  queries: Int8;
}

/** The last added report of each run of an edge. */
export interface UsageReporterTable {
  edge: string;
  boot: string;
  sequence: Int8;
  seen_at: Int8;
}
