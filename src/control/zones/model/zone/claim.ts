/** Claims of zone names: two accounts never hold names where one is below the other. */

import { ancestorsOf } from "../../../../dns/wire/name.ts";
import { conflict, denied } from "../../../../lib/problem.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import { reachesRecord } from "../../../access/access.ts";
import { closedRecord } from "../../../access/caller.ts";
import type { Ctx } from "../../../write/context.ts";
import { assertNotPublicSuffix, claimScope, spanningAncestors } from "./ownership.ts";
import { findClaims, insertClaim, lockDomains, reclaim } from "./store.ts";

const right = "dns.manage_zones";

/**
 * Claims the name for the account. The row of the zone's registrable domain is locked, so that two accounts cannot
 * create a zone and a zone below it at the same time.
 */
export async function claimName(ctx: Ctx, row: ZoneRow): Promise<void> {
  const { db, account_id, caller, settings, memory } = ctx;
  const { edition, allowSuffix } = settings;
  const { zone } = row;
  if (edition === "managed") assertNotPublicSuffix(zone, allowSuffix);
  memory.claimAttempts.assertFew(caller);
  const scope = claimScope(zone);
  await lockDomains(db, scope.registrable, spanningAncestors(zone, edition, allowSuffix));
  const claims = await findClaims(db, zone, ancestorsOf(zone), scope);
  const taken = claims.find(({ fqdn }) => fqdn === zone);
  const foreign = claims.find((claim) => claim.account_id !== account_id);
  if (foreign) memory.claimAttempts.note(caller, zone);
  // an account may reuse the name of a zone that it deleted
  if (taken && (taken.live || taken.account_id !== account_id)) throw conflict("zone already exists", { zone });
  if (foreign) {
    const relation = zone.endsWith(`.${foreign.fqdn}`) ? "below" : "above";
    throw conflict(`zone "${zone}" is ${relation} a zone of another account`, { zone });
  }
  assertMayTake(
    ctx,
    zone,
    claims.filter(({ live }) => live),
  );
  await (taken ? reclaim(db, row) : insertClaim(db, row, scope.registrable));
}

/** Throws unless the caller may delegate the name in the account's zones above it: a new zone has the same effect there. */
function assertMayTake({ caller: { access } }: Ctx, zone: string, claims: readonly { readonly fqdn: string }[]): void {
  const above = ancestorsOf(zone);
  const closed = claims.find(({ fqdn }) => above.includes(fqdn) && !reachesRecord(access, right, fqdn, zone, "NS"));
  if (closed) {
    const { message, details } = closedRecord(right, { zone: closed.fqdn, domain: zone, type: "NS" });
    throw denied(`"${zone}" is in the zone ${closed.fqdn}. ${message}`, details);
  }
}
