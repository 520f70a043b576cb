/** Reports of the queries that an edge received. */

/**
 * Queries for one record, or, with neither domain nor type, those by which a zone had more than its records have together.
 * The sum over a zone is exact; the numbers of its records may be estimates, too high as often as too low.
 */
export interface UsageRow {
  /** As the API writes names. */
  readonly zone: string;
  readonly domain: string;
  readonly type: string;
  readonly queries: number;
}

/** Added exactly once: one with a sequence that is not larger than that of the boot's last is left out. */
export interface UsageReport {
  readonly edge: string;
  /** Of the process that counted; new at each start. */
  readonly boot: string;
  readonly sequence: number;
  /** Unix seconds; the queries came shortly before. */
  readonly at: number;
  /** One for each zone, domain and type. */
  readonly rows: readonly UsageRow[];
}

/** Takes reports to the store. */
export interface UsageCarrier {
  /** Resolves when the report is in the store. Rejects when that is not known: then it is sent again, as it is. */
  send(report: UsageReport): Promise<void>;
  close(): void;
}
