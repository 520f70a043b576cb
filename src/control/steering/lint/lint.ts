/** Runs the rules over records, and shows their warnings. */
import { type Static, Type } from "typebox";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { lintedRecord } from "./linted-record.ts";
import { rules } from "./rules/index.ts";

export const Warning = Type.Object({
  code: Type.Enum(rules.map(({ code }) => code)),
  domain: Type.String(),
  type: Type.String(),
  field: Type.String({ description: "The field of the record: `answers[0]`, `filters[2]`, `regions.eu`, `ttl`." }),
  message: Type.String(),
});
export type Warning = Static<typeof Warning>;

/** `missing` holds the targets of answers and links that were not found: see `Targets`. */
export function warningsOf(zone: ZoneRow, record: RecordRow, missing: ReadonlySet<string>): Warning[] {
  const { domain, type } = record;
  const linted = lintedRecord(zone, record, missing);
  return rules.flatMap(({ code, check }) =>
    check(linted).map(({ field, message }) => ({ code, domain, type, field, message })),
  );
}
