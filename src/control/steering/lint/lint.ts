/** Runs the rules over records. */
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { rules } from "./rules/index.ts";
import { subjectOf } from "./subject.ts";
import type { Warning } from "./warning.ts";

/** `missing` has the targets of records that do not exist: see `Targets`. */
export function warningsOf(zone: ZoneRow, record: RecordRow, missing: ReadonlySet<string>): Warning[] {
  const { domain, type } = record;
  const subject = subjectOf(zone, record, missing);
  return rules.flatMap(({ code, check }) =>
    check(subject).map(({ field, message }) => ({ code, domain, type, field, message })),
  );
}
