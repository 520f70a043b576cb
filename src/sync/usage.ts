/** Reports of the queries that an edge received, and those for zones that somebody watches now. */

/**
 * Queries for one record; without domain and type, the queries of a zone that are in none of its rows for records. The sum
 * over a zone is exact; the numbers of its records may be estimates, too high as often as too low.
 */
export interface UsageRow {
  /** In the API's spelling, as is the domain. */
  readonly zone: string;
  readonly domain: string;
  readonly type: string;
  readonly queries: number;
}

/** Answered queries of a zone by type (`other` for rare ones), RCODE and transport; the number may be an estimate. */
export interface MixRow {
  readonly zone: string;
  readonly type: string;
  readonly rcode: string;
  readonly transport: string;
  readonly queries: number;
}

/** Queries for a name that does not exist; the number may be an estimate. */
export interface MissingRow {
  readonly zone: string;
  readonly domain: string;
  readonly queries: number;
}

/** Added exactly once: a report is ignored unless its sequence is larger than the last one of its boot. */
export interface UsageReport {
  readonly edge: string;
  /** Identifies the run of the edge's process; new at each start. */
  readonly boot: string;
  readonly sequence: number;
  /** Unix seconds; the queries arrived shortly before. */
  readonly at: number;
  /** One for each zone, domain and type. */
  readonly rows: readonly UsageRow[];
  /** One for each zone, type, RCODE and transport. */
  readonly mix: readonly MixRow[];
  /** One for each zone and domain. */
  readonly missing: readonly MissingRow[];
}

/** Sends reports to the store. */
export interface UsageCarrier {
  /** Resolves when the report is stored. Rejects when the result is unknown: the same report is then sent again. */
  send(report: UsageReport): Promise<void>;
  close(): void;
}

/** The channel of notifications that somebody begins to watch a zone, or still does. */
export const tailChannel = "fairlead_tail";

export interface TailQuery {
  /** In the API's spelling, as is the name. */
  readonly zone: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly name: string;
  readonly type: string;
  /** Null when the query was left without an answer. */
  readonly rcode: string | null;
  readonly transport: string;
  /** The network of the client, /24 or /56; its address only where the operator allows that. */
  readonly client: string;
  /** Where the geo files of the edge place the client: ISO 3166-1, and the number of its autonomous system. */
  readonly country: string | null;
  readonly asn: number | null;
}

export interface TailCarrier {
  /** Stores queries, and returns the zones that are watched now. */
  exchange(queries: readonly TailQuery[]): Promise<readonly string[]>;
}
