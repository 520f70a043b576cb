/** The state from which a change set began: it is refused if one of its zones has changed since. */
import { type Attempt, attemptAt, type Details, invalid, Problem } from "../../lib/problem.ts";
import { assertPermitted } from "../access/caller.ts";
import type { Ctx } from "../write/context.ts";
import { unnumberedZones } from "../zones/history/store.ts";
import { zoneName } from "../zones/model/zone/fields.ts";
import { findZone, lockWhole } from "../zones/model/zone/store.ts";
import type { Expectation } from "./schema.ts";

interface NamedExpectation {
  readonly zone: string;
  readonly serial: number;
  readonly attempt: Attempt;
}

/** Locks the zones against all other writers, and throws `precondition_failed` unless each has the serial that is expected. */
export async function assertUnchanged(ctx: Ctx, expected: readonly Expectation[]): Promise<void> {
  if (expected.length === 0) return;
  const named = expected.map((one, i) => nameOf(ctx, one, i)).sort((a, b) => (a.zone < b.zone ? -1 : 1));
  for (const [i, { zone, attempt }] of named.entries()) {
    attempt(() => {
      if (named[i - 1]?.zone === zone) throw invalid("the zone is named twice", { field: "zone" });
    });
  }
  const { db, account_id } = ctx;
  for (const { zone } of named) await lockWhole(db, account_id, zone);
  // read before the serials: a change that is numbered meanwhile is then seen
  const unnumbered = await unnumberedZones(db, account_id);
  for (const { zone, serial, attempt } of named) {
    await attempt(async () => {
      const now = await findZone(db, account_id, zone);
      if (!now) throw changed("the zone does not exist any more", { expected: serial });
      if (now.serial === serial && !unnumbered.has(now.id)) return;
      throw changed(`the zone has changed since version ${serial}`, { expected: serial, serial: now.serial });
    });
  }
}

function nameOf({ caller, settings }: Ctx, { zone: sent, serial }: Expectation, i: number): NamedExpectation {
  const attempt = attemptAt(`expect[${i}]`, sent, { zone: sent });
  const zone = attempt(() => {
    const name = zoneName(sent, settings.edition);
    assertPermitted(caller, "dns.manage_zones", { zone: name });
    return name;
  });
  return { zone, serial, attempt };
}

const changed = (message: string, details: Details) => new Problem("precondition_failed", message, details);
