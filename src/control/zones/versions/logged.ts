/** The activity log's entry for a write of whole zones: the settings and records that differ. */
import { own } from "../../../lib/values.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { changedFields } from "../../write/activity/entry.ts";
import { isSameRecord } from "../history/past.ts";
import { recordReply } from "../model/record/present.ts";
import { type Reader, zoneOnly } from "../model/zone/present.ts";
import type { WrittenRecord } from "../records/put.ts";

/** A zone before and after a write: no `before` for a new zone, no `after` for a deleted one. */
export interface WrittenZone {
  readonly before: ZoneRow | undefined;
  readonly after: ZoneRow | undefined;
  readonly records: readonly WrittenRecord[];
}

/** An entry with more records would be too large in any case. */
const mostRecords = 1000;

/** Both sides have the same shape: settings by zone name, null where the zone does not exist, and a list of records. */
export function loggedZones(
  ctx: Reader,
  zones: readonly WrittenZone[],
): { readonly before: object; readonly after: object } {
  const settings = zones.flatMap((zone) => settingsOf(ctx, zone));
  const records = zones.flatMap((zone) =>
    zone.records.filter(({ before, after }) => !isSameRecord(before, after)).map((record) => ({ zone, record })),
  );
  const isTooMany = records.length > mostRecords;
  const side = (when: "before" | "after") => ({
    settings: Object.fromEntries(settings.map((of) => [of.zone, of[when]])),
    ...(isTooMany ? { omitted: ["records"] } : { records: records.flatMap((each) => replyOf(ctx, each, when)) }),
  });
  return { before: side("before"), after: side("after") };
}

function replyOf(
  ctx: Reader,
  { zone, record }: { zone: WrittenZone; record: WrittenRecord },
  when: "before" | "after",
) {
  const row: RecordRow | undefined = record[when];
  return row === undefined ? [] : [recordReply(ctx, row, (zone[when] ?? zone.after ?? zone.before)!)];
}

function settingsOf(ctx: Reader, { before, after }: WrittenZone) {
  const [was, is] = [before, after].map((row) => row && { ...zoneOnly(ctx, row) });
  const { zone } = (after ?? before)!;
  if (!was || !is) return { zone, before: was ?? null, after: is ?? null };
  const names = changedFields(was, is);
  if (names.length === 0) return [];
  const only = (fields: object) => Object.fromEntries(names.map((name) => [name, own(fields, name) ?? null]));
  return { zone, before: only(was), after: only(is) };
}
