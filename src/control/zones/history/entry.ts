/** Rows of zones and records as entries of the history keep them. */

import { typeName } from "../../../dns/type-names.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { RecordEntry, ZoneEntry } from "../../write/history.ts";
import { tierOf } from "../model/record/steering.ts";

/** The record that an entry keeps. What was not kept at first has its default. */
export const recordOfEntry = (account_id: string, { record }: RecordEntry): RecordRow => ({
  account_id,
  ...{ all_down: null, live_guard: null, created_at: 0, updated_at: 0 },
  ...record,
  type: typeName(record.type),
  tier: tierOf(record.filters),
});

/** The zone with the fields that an entry keeps; those that were not there then are those of now. */
export const zoneOfEntry = (row: ZoneRow, { zone }: ZoneEntry): ZoneRow => ({ ...row, ...zone });
