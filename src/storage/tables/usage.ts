/** How often was asked. */
import type { Int8 } from "./columns.ts";

/** Queries of `span` seconds from `at` on, 60 or 3600. Those that a zone had no record for have neither domain nor type. */
export interface UsageTable {
  account_id: string;
  span: number;
  zone: string;
  domain: string;
  type: string;
  at: Int8;
  queries: Int8;
}

/** The last report that was added of each run of an edge. */
export interface UsageReporterTable {
  edge: string;
  boot: string;
  sequence: Int8;
  seen_at: Int8;
}
