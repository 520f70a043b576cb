/** Frees a zone's name for other accounts, for the operator; the zone can be brought back while nobody has taken the name. */

import { missing } from "../../lib/problem.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import type { Ctx, WriteOptions } from "../write/context.ts";
import { writeAs } from "../write/system.ts";
import { findMembers } from "./catalogs/store.ts";
import { lockName } from "./deleted/write.ts";
import { zoneName } from "./model/zone/fields.ts";
import { claimScope } from "./model/zone/ownership.ts";
import { type Claim, dropClaim, findClaims, findZone } from "./model/zone/store.ts";
import { changeZone, removeZone } from "./write.ts";

/** The claim on a name. Throws a Problem, which names the claims below it, if there is none. */
export async function claimOn({ store, settings }: WriteOptions, name: string): Promise<Claim> {
  const zone = zoneName(name, settings.edition);
  const claims = await findClaims(store.db, zone, [], claimScope(zone));
  const claim = claims.find(({ fqdn }) => fqdn === zone);
  if (claim) return claim;
  const below = claims.slice(0, mostNamed).map(({ fqdn }) => fqdn);
  const hint = below.length > 0 ? `; zones below it: ${below.join(", ")}` : "";
  throw missing(`no account has the name ${zone}${hint}`, { zone });
}

const mostNamed = 20;

/** Deletes the zone if it is not deleted yet, and ends the claim on its name. `by` names the author in the activity log. */
export async function releaseName(service: WriteOptions, { account_id, fqdn }: Claim, by: string): Promise<void> {
  const who = { account_id, id: "zone", name: by };
  await writeAs(service, who, { log: ["dns_zone", "release"], within: patience }, async (ctx) => {
    const row = await findZone(ctx.db, account_id, fqdn);
    if (row) {
      await leaveCatalogs(ctx, row);
      await removeZone(ctx, fqdn);
    }
    await lockName(ctx, fqdn);
    const isReleased = await dropClaim(ctx.db, account_id, fqdn);
    return row || isReleased ? { zone: fqdn, ...(row ? { id: row.id } : {}) } : undefined;
  });
}

/** Milliseconds: the records of a large zone are counted. */
const patience = 60_000;

/** Ends what would protect the zone from deletion: it is a member of a catalog, or a catalog with members. */
async function leaveCatalogs(ctx: Ctx, row: ZoneRow): Promise<void> {
  const leave = { catalog: null };
  const role = row.catalog?.role;
  if (role === "consumed" || role === "consumer") await changeZone(ctx, row.zone, leave);
  if (role !== "producer") return;
  for (let some = await findMembers(ctx.db, row, pageSize); some.length > 0; ) {
    for (const member of some) await changeZone(ctx, member, leave);
    some = await findMembers(ctx.db, row, pageSize);
  }
}

const pageSize = 200;
