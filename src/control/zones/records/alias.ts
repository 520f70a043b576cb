/** Checks of ALIAS targets, whose addresses the record answers with. */

import type { RecordType } from "../../../dns/rdata/record-type.ts";
import { typeNamed } from "../../../dns/type-names.ts";
import { apiName, upwardsFrom } from "../../../dns/wire/name.ts";
import { notBuilt } from "../../../lib/problem.ts";
import type { StoredAnswer } from "../../../storage/tables/records.ts";
import { reachesRecord } from "../../access/access.ts";
import { assertReachesName } from "../../access/caller.ts";
import type { Ctx } from "../../write/context.ts";
import { findVisible } from "../model/zone/store.ts";
import type { WrittenRecord } from "./put.ts";

const addressTypes = ["A", "AAAA"] as const;

/**
 * Throws unless each new target is in a served zone of another account, which is public, or in a zone of the account
 * where the caller may read the target's addresses. A zone of another account that is not served is like none.
 */
export function assertAliasTargets(
  ctx: Ctx,
  type: RecordType,
  answers: readonly StoredAnswer[],
  before: readonly StoredAnswer[],
): Promise<void> | undefined {
  const targets = newTargets(type, answers, before);
  return targets.length > 0 ? assertServed(ctx, type, targets) : undefined;
}

async function assertServed(ctx: Ctx, type: RecordType, targets: readonly string[]): Promise<void> {
  const [target] = await assertReadable(ctx, targets);
  if (target !== undefined) {
    throw notBuilt(`${type.name} to a target outside the zones served here is not built yet`, { target });
  }
}

/**
 * Throws unless the caller may read the targets of ALIAS records that come back from an earlier version or with a deleted
 * zone, as for new ones. A target outside the zones served here is allowed: such a record answers nothing.
 */
export async function assertAliasesReadable(ctx: Ctx, written: readonly WrittenRecord[]): Promise<void> {
  const targets = written.flatMap(({ before, after }) =>
    after ? newTargets(typeNamed(after.type), after.answers, before?.answers ?? []) : [],
  );
  await assertReadable(ctx, [...new Set(targets)]);
}

function newTargets(
  type: RecordType | undefined,
  answers: readonly StoredAnswer[],
  before: readonly StoredAnswer[],
): string[] {
  if (type?.served !== "as-address") return [];
  const known = new Set(before.map(targetOf));
  return [...new Set(answers.map(targetOf))].filter((target) => !known.has(target));
}

const targetOf = ({ answer }: StoredAnswer) => apiName(String(answer[0]));

/** Returns the targets outside the zones served here. */
async function assertReadable({ db, account_id, caller }: Ctx, targets: readonly string[]): Promise<string[]> {
  if (targets.length === 0) return [];
  const visible = await findVisible(db, account_id, [...new Set(targets.flatMap(upwardsFrom))]);
  const zones = new Map(visible.map((found) => [found.zone, found]));
  return targets.filter((target) => {
    const above = upwardsFrom(target).find((name) => zones.has(name));
    const found = above === undefined ? undefined : zones.get(above);
    if (found && found.account_id !== account_id) return false;
    for (const type of addressTypes) assertReads(caller, { zone: found?.zone, domain: target, type });
    return !found;
  });
}

/** A caller that may change a record may read it too, because replies to writes show it. */
function assertReads(caller: Ctx["caller"], target: Parameters<typeof assertReachesName>[2]): void {
  const { zone, domain, type } = target;
  const names = zone === undefined ? upwardsFrom(domain) : [zone];
  if (names.some((name) => reachesRecord(caller.access, "dns.manage_zones", name, domain, type))) return;
  assertReachesName(caller, "dns.view_zones", target);
}
