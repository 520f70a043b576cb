/** Access to a whole zone: required to change its settings, to delete it, and to take its records from another server or zone. */

import { denied } from "../../../../lib/problem.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import { holding, reachesAll, reachesSettings } from "../../../access/access.ts";
import { closedRecord } from "../../../access/caller.ts";
import { filtersRecords, opensRecord, opensSettings } from "../../../access/permit.ts";
import type { Ctx } from "../../../write/context.ts";
import { beforeFirst, listSummaries } from "../record/store.ts";

const right = "dns.manage_zones";

/** Throws `denied` when record rules restrict the caller in the zone: a primary or link target may supply any record, without a request for it. */
export function assertAllRecords({ caller }: Pick<Ctx, "caller">, zone: string): void {
  if (reachesAll(caller.access, right, zone)) return;
  const message = `The records of ${zone} would come from another server or zone, which requires manage_zones without records_allow or records_deny in that zone`;
  throw denied(message, { permission: right, zone });
}

export function assertWhole({ caller }: Ctx, zone: string): void {
  if (!reachesSettings(caller.access, right, zone)) {
    const message = `Your permission manage_zones in the zone ${zone} covers only the records in records_allow, not the zone itself`;
    throw denied(message, { permission: right, zone });
  }
}

/** Throws unless one grant opens every record: settings affect all answers, and a deletion removes all records. */
export async function assertNoneClosed(
  { db, account_id, caller: { access } }: Ctx,
  { id, zone }: Pick<ZoneRow, "id" | "zone">,
): Promise<void> {
  let grants = holding(access, right).filter((grant) => opensSettings(grant, zone));
  if (grants.some((grant) => !filtersRecords(grant, zone))) return;
  const pageSize = 5000;
  for (let after = beforeFirst; ; ) {
    const { items, isLast } = await listSummaries(db, { account_id, id }, after, pageSize);
    for (const { domain, type } of items) {
      grants = grants.filter((grant) => opensRecord(grant, zone, domain, type));
      if (grants.length === 0) throw closedRecord(right, { zone, domain, type });
    }
    if (isLast) return;
    after = items.at(-1)!;
  }
}
