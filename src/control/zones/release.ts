/** Frees a zone's name for other accounts, for the operator; the zone can be brought back while nobody has taken the name. */

import { missing } from "../../lib/problem.ts";
import type { WriteOptions } from "../write/context.ts";
import { writeAs } from "../write/system.ts";
import { lockName } from "./deleted/write.ts";
import { zoneName } from "./model/zone/fields.ts";
import { claimScope } from "./model/zone/ownership.ts";
import { dropClaim, findClaims, findZone } from "./model/zone/store.ts";
import { removeZone } from "./write.ts";

/** The claim of an account on a name; `live` unless the zone is deleted. */
export type Claim = Awaited<ReturnType<typeof findClaims>>[number];

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

/** Deletes the zone if it is not deleted yet, and ends the claim on its name. */
export async function releaseName(service: WriteOptions, { account_id, fqdn }: Claim): Promise<void> {
  const who = { account_id, id: "zone", name: "fairlead zone release" };
  await writeAs(service, who, { log: ["dns_zone", "release"], within: patience }, async (ctx) => {
    const row = await findZone(ctx.db, account_id, fqdn);
    if (row) await removeZone(ctx, fqdn);
    await lockName(ctx, fqdn);
    const isReleased = await dropClaim(ctx.db, account_id, fqdn);
    return row || isReleased ? { zone: fqdn, ...(row ? { id: row.id } : {}) } : undefined;
  });
}

/** Milliseconds: the records of a large zone are counted. */
const patience = 60_000;
