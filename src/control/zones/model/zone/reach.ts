/** Zones whose records come from elsewhere, from a primary or the zone that they are linked to: who may make one. */

import { denied } from "../../../../lib/problem.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import { holding, reachesAll, reachesSettings } from "../../../access/access.ts";
import { closedRecord } from "../../../access/caller.ts";
import { filtersRecords, opensRecord, opensSettings } from "../../../access/permit.ts";
import type { Ctx } from "../../../write/context.ts";
import { beforeAll, listSummaries } from "../record/store.ts";

const right = "dns.manage_zones";

/** Throws `denied` when a rule of records holds the caller to some of the zone: what comes may be any record, and is asked for by nobody. */
export function assertFromElsewhere({ caller }: Pick<Ctx, "caller">, zone: string): void {
  if (reachesAll(caller.access, right, zone)) return;
  const message = `The records of ${zone} would come from elsewhere: that is for those only whose permission manage_zones is without records_allow and records_deny there`;
  throw denied(message, { permission: right, zone });
}

export function assertWhole({ caller }: Ctx, zone: string): void {
  if (!reachesSettings(caller.access, right, zone)) {
    const message = `You have the permission manage_zones in the zone ${zone} for what records_allow names only, not for the zone itself`;
    throw denied(message, { permission: right, zone });
  }
}

/** Settings change what is answered for every record, and a deletion takes them all: one grant has to open each. */
export async function assertNoneClosed(
  { db, account_id, caller: { access } }: Ctx,
  { id, zone }: Pick<ZoneRow, "id" | "zone">,
): Promise<void> {
  let grants = holding(access, right).filter((grant) => opensSettings(grant, zone));
  if (grants.some((grant) => !filtersRecords(grant, zone))) return;
  const pageSize = 5000;
  for (let after = beforeAll; ; ) {
    const page = await listSummaries(db, account_id, id, after, pageSize);
    for (const { domain, type } of page) {
      grants = grants.filter((grant) => opensRecord(grant, zone, domain, type));
      if (grants.length === 0) throw closedRecord(right, { zone, domain, type });
    }
    if (page.length < pageSize) return;
    after = page.at(-1)!;
  }
}
