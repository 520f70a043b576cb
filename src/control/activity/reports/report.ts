/** What a report is made from, whatever its format. */

import type { ActivityFilter, ActivityRow } from "../../write/activity/store.ts";
import { maxLooked, type OpenEntries } from "../listing/listing.ts";

export interface Report {
  /** Unix seconds. */
  readonly made: number;
  /** What was asked for, as `field: value`. */
  readonly filters: readonly string[];
  /** The entries, newest first; read once. */
  pages(): AsyncIterable<readonly ActivityRow[]>;
  /** Why it is not all there is; undefined when it is. Known after the last page. */
  note(): string | undefined;
}

export interface Format {
  readonly mediaType: string;
  readonly extension: string;
  /** Entries in one file. */
  readonly most: number;
  /** The file, piece by piece. */
  write(report: Report): AsyncIterable<Uint8Array>;
}

interface About {
  readonly made: number;
  /** There are as many as were asked for: the file says nothing of others. */
  readonly isWhole: boolean;
}

export function reportOf(entries: OpenEntries, filter: ActivityFilter, { made, isWhole }: About): Report {
  let count = 0;
  return {
    made,
    filters: filtersOf(filter),
    async *pages() {
      for await (const rows of entries.pages()) {
        count += rows.length;
        yield rows;
      }
    },
    note() {
      const older = "An earlier `end` has older ones.";
      if (entries.end === "looked") {
        return `Of the newest ${maxLooked} entries that match, these are the ones that you may see. ${older}`;
      }
      return entries.end === "most" && !isWhole ? `These are the newest ${count} entries. ${older}` : undefined;
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

/** `2026-01-31 12:00:00`, in UTC. */
export const timeText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
