/** Zones whose records come from elsewhere, from a primary or the zone that they are linked to: who may make one. */
import { denied } from "../../../../lib/problem.ts";
import { reachesAll } from "../../../access/access.ts";
import type { Ctx } from "../../../write/context.ts";

/** Throws `denied` when a rule of records holds the caller to some of the zone: what comes may be any record, and is asked for by nobody. */
export function assertFromElsewhere({ caller }: Pick<Ctx, "caller">, zone: string): void {
  const right = "dns.manage_zones";
  if (reachesAll(caller.access, right, zone)) return;
  const message = `The records of ${zone} would come from elsewhere: that is for those only whose permission manage_zones is without records_allow and records_deny there`;
  throw denied(message, { permission: right, zone });
}
