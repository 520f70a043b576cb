/** Rows of the store as the states that the change stream carries: one mapping for writers and for baselines. */
import type { AnswerState, RecordState, ZoneState } from "./change.ts";

/** Columns of `zone` that an edge needs. */
export const zoneColumns = [
  "id",
  "account_id",
  "zone",
  "view",
  "ttl",
  "refresh",
  "retry",
  "expiry",
  "nx_ttl",
  "hostmaster",
  "primary_master",
  "networks",
  "disabled",
  "expired",
  "hidden",
  "link",
] as const satisfies readonly (keyof ZoneState)[];

/** Columns of `record` that an edge needs. */
export const recordColumns = [
  "id",
  "zone_id",
  "domain",
  "type",
  "ttl",
  "link",
  "answers",
  "meta",
  "regions",
  "filters",
  "all_down",
  "live_guard",
  "use_client_subnet",
  "override_ttl",
  "override_address_records",
] as const satisfies readonly (keyof RecordState)[];

/** Columns in SQL, quoted because two names are keywords. */
export const listed = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(", ");

/** The state in a row of `zone`, which may have more columns. */
export const zoneState = (row: ZoneState): ZoneState => pick(row, zoneColumns);

/** The state in a row of `record`, which may have more columns. Fields of answers that only the API needs are left out. */
export const recordState = (row: RecordState): RecordState => ({
  ...pick(row, recordColumns),
  answers: row.answers.map(answerState),
});

/** The answer of a linked record: its target, under the name of the linked record. */
export const answeredWith = <T extends Pick<RecordState, "domain" | "ttl">>(
  { domain, ttl, override_ttl }: Pick<RecordState, "domain" | "ttl" | "override_ttl">,
  target: T,
): T => ({ ...target, domain, ttl: override_ttl ? ttl : target.ttl });

const answerState = ({ id, answer, meta, region }: AnswerState): AnswerState => ({
  id,
  answer,
  ...(meta === undefined ? {} : { meta }),
  ...(region === undefined ? {} : { region }),
});

function pick<T extends object, K extends keyof T>(row: T, columns: readonly K[]): Pick<T, K> {
  const picked: Partial<T> = {};
  for (const column of columns) picked[column] = row[column];
  // every column was just set
  return picked as Pick<T, K>;
}
