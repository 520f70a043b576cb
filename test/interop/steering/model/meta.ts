/** Metadata of an answer: which table's value applies, and the effect of feeds. */

export type Table = Readonly<Record<string, unknown>>;

export interface ModelFilter {
  readonly filter: string;
  readonly config?: Table | null;
  readonly disabled?: unknown;
}

export interface ModelAnswer {
  readonly answer: readonly (string | number)[];
  readonly meta?: Table;
  readonly region?: string;
}

/** A record as it is written over the API, but with the test's names of feeds in place of their ids. */
export interface ModelRecord {
  readonly domain: string;
  readonly type: "A" | "AAAA" | "CNAME" | "TXT";
  readonly answers: readonly ModelAnswer[];
  readonly meta: Table;
  readonly regions: Readonly<Record<string, { readonly meta?: Table }>>;
  readonly filters: readonly ModelFilter[];
  readonly use_client_subnet: boolean;
  readonly all_down?: { readonly policy: string; readonly group?: string };
}

export interface ModelFeed {
  /** The last pushed value; undefined before the first push. */
  readonly data?: Table | undefined;
  /** Whether the push is older than the feed's max_age. */
  readonly isStale: boolean;
  readonly fallback?: Table | undefined;
}

/** By name, without deleted feeds. */
export type ModelFeeds = ReadonlyMap<string, ModelFeed>;

/** The value of a key for an answer by its index: answer before region before record. Undefined when unset. */
export function metaOf(record: ModelRecord, feeds: ModelFeeds, index: number, key: string): unknown {
  const answer = record.answers[index];
  if (answer === undefined) return undefined;
  const region = answer.region === undefined ? undefined : record.regions[answer.region];
  for (const table of [answer.meta, region?.meta, record.meta]) {
    const value = inTable(table, key);
    if (value !== undefined) return isFeed(value) ? fed(feeds.get(value.feed), key) : value;
  }
  return undefined;
}

/** True is 1, false is 0, numbers may be text; undefined for anything else. */
export function numeric(value: unknown): number | undefined {
  if (value === true || value === "true") return 1;
  if (value === false || value === "false") return 0;
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?[0-9]+(\.[0-9]+)?$/.test(value) ? Number(value) : undefined;
}

/** The elements of a list; a single element may come without a list. */
export const elements = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

export const isYes = (value: unknown) => value === true || value === 1 || value === "1" || value === "true";

function fed(feed: ModelFeed | undefined, key: string): unknown {
  if (feed === undefined) return undefined;
  const pushed = feed.isStale ? undefined : inTable(feed.data, key);
  return pushed ?? inTable(feed.fallback, key);
}

const isFeed = (value: unknown): value is { feed: string } =>
  typeof value === "object" && value !== null && "feed" in value;

/** The load average has two spellings. */
function inTable(table: Table | undefined, key: string): unknown {
  const value = key === "loadavg" ? (table?.["loadavg"] ?? table?.["loadAvg"]) : table?.[key];
  return value ?? undefined;
}
