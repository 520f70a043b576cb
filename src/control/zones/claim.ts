/** Names of zones are claimed: two accounts never hold names of which one lies below the other. */

import { ancestorsOf } from "../../dns/wire/name.ts";
import { conflict, denied } from "../../lib/problem.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { reachesRecord } from "../access/access.ts";
import { closedRecord } from "../access/caller.ts";
import type { Ctx } from "../write/context.ts";
import { reclaim } from "./deleted/store.ts";
import { assertNotPublicSuffix, claimScope, spanningAncestors } from "./model/zone/ownership.ts";
import { findClaims, insertClaim, lockDomains } from "./model/zone/store.ts";

const right = "dns.manage_zones";

/**
 * Takes the name for the account. The row of the domain in which the zone lies is locked, so that two accounts cannot
 * create a zone and one below it at once.
 */
export async function claimName(ctx: Ctx, row: ZoneRow): Promise<void> {
  const { db, account_id, caller, settings, memory } = ctx;
  const { edition, allowSuffix } = settings;
  const { zone } = row;
  if (edition === "managed") assertNotPublicSuffix(zone, allowSuffix);
  memory.foreignNames.assertFew(caller);
  const scope = claimScope(zone);
  await lockDomains(db, scope.registrable, spanningAncestors(zone, edition, allowSuffix));
  const claims = await findClaims(db, zone, ancestorsOf(zone), scope);
  const taken = claims.find(({ fqdn }) => fqdn === zone);
  const foreign = claims.find((claim) => claim.account_id !== account_id);
  if (foreign) memory.foreignNames.note(caller, zone);
  // an account may use the name of a zone that it deleted
  if (taken && (taken.live || taken.account_id !== account_id)) throw conflict("zone already exists", { zone });
  if (foreign) {
    const lies = zone.endsWith(`.${foreign.fqdn}`) ? "below" : "above";
    throw conflict(`zone "${zone}" lies ${lies} a zone of another account`, { zone });
  }
  assertMayTake(
    ctx,
    zone,
    claims.filter(({ live }) => live),
  );
  await (taken ? reclaim(db, row) : insertClaim(db, row, scope.registrable));
}

/** A zone takes its names away from the account's zones above it, as a delegation there would. */
function assertMayTake({ caller: { access } }: Ctx, zone: string, claims: readonly { readonly fqdn: string }[]): void {
  const above = ancestorsOf(zone);
  const closed = claims.find(({ fqdn }) => above.includes(fqdn) && !reachesRecord(access, right, fqdn, zone, "NS"));
  if (closed) {
    const { message, details } = closedRecord(right, { zone: closed.fqdn, domain: zone, type: "NS" });
    throw denied(`"${zone}" lies in the zone ${closed.fqdn}. ${message}`, details);
  }
}
