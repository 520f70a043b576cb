/** Checks of ALIAS targets, whose addresses the record answers with. */

import type { RecordType } from "../../../dns/rdata/record-type.ts";
import { apiName, upwardsFrom } from "../../../dns/wire/name.ts";
import { notBuilt } from "../../../lib/problem.ts";
import type { StoredAnswer } from "../../../storage/tables/records.ts";
import { reachesRecord } from "../../access/access.ts";
import { assertReachesName } from "../../access/caller.ts";
import type { Ctx } from "../../write/context.ts";
import { findVisible } from "../model/zone/store.ts";

const addressTypes = ["A", "AAAA"] as const;

/**
 * Throws unless each new target is in a served zone of another account, which is public, or in a zone of the account
 * where the caller may read the target's addresses. A zone of another account that is not served is like none.
 */
export async function assertAliasTargets(
  ctx: Ctx,
  type: RecordType,
  answers: readonly StoredAnswer[],
  before: readonly StoredAnswer[],
): Promise<void> {
  if (type.served !== "as-address") return;
  const { db, account_id, caller } = ctx;
  const known = new Set(before.map(targetOf));
  const targets = [...new Set(answers.map(targetOf))].filter((target) => !known.has(target));
  if (targets.length === 0) return;
  const zones = await findVisible(db, account_id, targets.flatMap(upwardsFrom));
  for (const target of targets) {
    const above = upwardsFrom(target);
    const [found] = zones.filter(({ zone }) => above.includes(zone)).sort((a, b) => b.zone.length - a.zone.length);
    if (found && found.account_id !== account_id) continue;
    for (const address of addressTypes) assertReads(caller, { zone: found?.zone, domain: target, type: address });
    if (!found) {
      throw notBuilt(`${type.name} to a target outside the zones served here is not built yet`, { target });
    }
  }
}

const targetOf = ({ answer }: StoredAnswer) => apiName(String(answer[0]));

/** A caller that may change a record may read it too, because replies to writes show it. */
function assertReads(caller: Ctx["caller"], target: Parameters<typeof assertReachesName>[2]): void {
  const { zone, domain, type } = target;
  const names = zone === undefined ? upwardsFrom(domain) : [zone];
  if (names.some((name) => reachesRecord(caller.access, "dns.manage_zones", name, domain, type))) return;
  assertReachesName(caller, "dns.view_zones", target);
}
