/** Runs the rules over records, and shows their warnings. */
import { type Static, Type } from "typebox";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { Ctx } from "../../write/context.ts";
import { findZones } from "../../zones/model/record/link-store.ts";
import { answering } from "../../zones/model/zone/link.ts";
import { lintedRecord } from "./linted-record.ts";
import { rules } from "./rules/index.ts";
import type { Cover } from "./rules/parts/covers.ts";

export const Warning = Type.Object({
  code: Type.Enum(rules.map(({ code }) => code)),
  domain: Type.String(),
  type: Type.String(),
  field: Type.String({ description: "The field of the record: `answers[0]`, `filters[2]`, `regions.eu`, `ttl`." }),
  message: Type.String(),
});
export type Warning = Static<typeof Warning>;

/** The warning about a linked zone that is not answered, because its target is missing. */
export async function warningsOfLink({ db, account_id }: Ctx, { zone, link }: ZoneRow): Promise<Warning[]> {
  if (link === null || answering(await findZones(db, account_id, [link])).length > 0) return [];
  const message = `the link target ${link} does not exist or is a link itself: the zone is answered REFUSED`;
  return [{ code: "dangling_target", domain: zone, type: "SOA", field: "link", message }];
}

/** `missing` holds the targets of answers and links that were not found: see `Targets`. `cover` comes from `Covers`. */
export function warningsOf(
  zone: ZoneRow,
  record: RecordRow,
  missing: ReadonlySet<string>,
  cover?: Cover | undefined,
): Warning[] {
  const { domain, type } = record;
  const linted = lintedRecord(zone, record, { missing, cover });
  return rules.flatMap(({ code, check }) =>
    check(linted).map(({ field, message }) => ({ code, domain, type, field, message })),
  );
}
