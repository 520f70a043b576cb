/** Conversion of history entries to rows of zones and records. */

import { typeName } from "../../../dns/type-names.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { RecordEntry, ZoneEntry } from "../../write/history.ts";
import { tierOf } from "../model/record/steering.ts";

/** The record of an entry. Fields that old entries lack get their defaults. */
export const recordOfEntry = (account_id: string, { record }: RecordEntry): RecordRow => ({
  account_id,
  ...{ all_down: null, live_guard: null, created_at: 0, updated_at: 0 },
  ...record,
  type: typeName(record.type),
  tier: tierOf(record.filters),
});

/** The zone with the fields of an entry; fields that the entry lacks keep their present values. */
export const zoneOfEntry = (row: ZoneRow, { zone }: ZoneEntry): ZoneRow => ({ ...row, ...zone });
