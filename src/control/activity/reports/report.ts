/** The content of a report, independent of its format. */
import { timeText } from "../../../lib/clock.ts";
import type { ActivityFilter, ActivityRow } from "../../write/activity/store.ts";
import { type End, mostRead, type visibleEntries } from "../listing/listing.ts";

export interface Report {
  /** The time of the report, in Unix seconds. */
  readonly made: number;
  /** The filters of the query, as `field: value`. */
  readonly filters: readonly string[];
  /** The entries, newest first. Can be called once. */
  rows(): AsyncIterable<ActivityRow>;
  /** The reason why entries are missing; undefined if none are. Valid after the last entry. */
  note(): string | undefined;
}

export interface Format {
  readonly mediaType: string;
  readonly extension: string;
  /** The maximum number of entries in one file. */
  readonly most: number;
  /** The file in pieces. */
  write(report: Report): AsyncIterable<Uint8Array>;
}

interface About {
  readonly made: number;
  readonly filter: ActivityFilter;
  /** The maximum number of entries. */
  readonly most: number;
  /** Whether the query's own limit set `most`: then no note mentions the entries beyond it. */
  readonly isWhole: boolean;
}

export function reportOf(entries: ReturnType<typeof visibleEntries>, { made, filter, most, isWhole }: About): Report {
  let end: End;
  return {
    made,
    filters: filtersOf(filter),
    async *rows() {
      end = yield* entries;
    },
    note() {
      const older = "Set an earlier `end` for older ones.";
      if (end === "read") {
        return `These are the entries that you may see among the newest ${mostRead} that match. ${older}`;
      }
      return end === "most" && !isWhole ? `These are the newest ${most} entries. ${older}` : undefined;
    },
  };
}

function filtersOf({ start, end, ...rest }: ActivityFilter): string[] {
  const times = { from: start, until: end };
  return [
    ...Object.entries(times).flatMap(([name, at]) => (at === undefined ? [] : `${name} ${timeText(at)}`)),
    ...Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${value}`)),
  ];
}
