/** Takes a name from accounts that do not own it: its owner publishes a TXT record with a token of the owner's account. */

import { ancestorsOf, upwardsFrom } from "../../dns/wire/name.ts";
import { newId } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import { conflict, unavailable } from "../../lib/problem.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { PublicNames } from "../../net/client/public-names.ts";
import type { Ctx, WriteOptions } from "../write/context.ts";
import { defaultView } from "../write/zone-lock.ts";
import { assertNotPublicSuffix, claimScope, spanningAncestors } from "./model/zone/ownership.ts";
import { type Claim, findClaims, insertClaim, lockDomains } from "./model/zone/store.ts";
import { releaseName } from "./release.ts";

/** The record that proves that an account owns a zone: its token is the same for all zones. */
export const proofOf = (secrets: Secrets, account_id: string, zone: string) => ({
  domain: `_fairlead-claim.${zone}`,
  type: "TXT",
  value: `fairlead-${secrets.hash(`zone claim ${account_id}`).slice(0, 40)}`,
});

export interface ContestOptions {
  readonly service: WriteOptions;
  /** Without a resolver, only the operator can move names. */
  readonly names: PublicNames | undefined;
  readonly log: Log;
}

export class ZoneContest {
  readonly #options: ContestOptions;

  constructor(options: ContestOptions) {
    this.#options = options;
  }

  /** Gives the name to the caller's account. Zones of other accounts with names at or below it are deleted, and lose their names. */
  async claim(ctx: Ctx, zone: string): Promise<void> {
    const { account_id, caller, memory, settings } = ctx;
    const { service, log } = this.#options;
    if (settings.edition === "managed") assertNotPublicSuffix(zone, settings.allowSuffix);
    memory.claimAttempts.assertFew(caller);
    try {
      // whether others have the name is looked up last, so that nobody else learns it
      await this.#assertOwner(ctx, zone);
    } catch (error) {
      memory.claimAttempts.note(caller, zone);
      throw error;
    }
    const foreign = await othersAt(ctx, zone);
    await this.#assertMovable(zone, foreign);
    for (const claim of foreign) {
      await releaseName(service, claim, "zone claim");
      const lost = { zone: claim.fqdn, account_id: claim.account_id, to: account_id, proven: zone };
      log.warn(lost, "a zone was deleted and lost its name: another account has proven that it owns the domain");
    }
    if (foreign.length > 0) await keep(ctx, zone);
  }

  /** Throws unless the domain is served elsewhere, with the record of the account. */
  async #assertOwner({ secrets, account_id, settings }: Ctx, zone: string): Promise<void> {
    const { names } = this.#options;
    if (!names) throw conflict(`names move by the operator of this service alone: it has no resolver`, { zone });
    const ours = new Set(settings.networks.flatMap(({ pools }) => pools.flatMap(({ name_servers }) => name_servers)));
    const servers = await closestServers(names, zone);
    if (servers === undefined) throw silent();
    if (servers.some((server) => ours.has(server))) throw delegated(zone);
    const proof = proofOf(secrets, account_id, zone);
    const texts = await names.textsOf(proof.domain);
    if (texts === undefined) throw silent();
    if (!texts.includes(proof.value)) {
      throw conflict(`there is no TXT record ${proof.domain} with the value ${proof.value}`, { zone, record: proof });
    }
  }

  /** Throws when another account has a zone above the name, or a delegated zone below it. */
  async #assertMovable(zone: string, foreign: readonly Claim[]): Promise<void> {
    const above = foreign.find(({ fqdn }) => zone.endsWith(`.${fqdn}`));
    if (above) throw conflict(`zone "${zone}" is below a zone of another account`, { zone });
    for (const { fqdn } of foreign.filter(({ fqdn }) => fqdn !== zone)) {
      const servers = await this.#options.names?.serversOf(fqdn);
      if (servers === undefined) throw silent();
      if (servers.length > 0) throw delegated(fqdn);
    }
  }
}

const delegated = (zone: string) =>
  conflict(`${zone} is delegated already; the operator of this service can free the name`, { zone });

const silent = () => unavailable("the resolver that looks up the domain gives no answer; try again later");

/** The name servers of the closest name above, or of the name itself, that has any. */
async function closestServers(names: PublicNames, zone: string): Promise<readonly string[] | undefined> {
  for (const name of upwardsFrom(zone)) {
    const servers = await names.serversOf(name);
    if (servers === undefined || servers.length > 0) return servers;
  }
  return [];
}

const othersAt = async ({ db, account_id }: Ctx, zone: string): Promise<Claim[]> => {
  const claims = await findClaims(db, zone, ancestorsOf(zone), claimScope(zone));
  return claims.filter((claim) => claim.account_id !== account_id);
};

/** Claims the name for a zone to come, so that nobody else is faster. */
const keep = (ctx: Ctx, zone: string) =>
  ctx.transact(["dns_zone", "claim"], async (ctx) => {
    const { db, account_id, settings } = ctx;
    const { edition, allowSuffix } = settings;
    const { registrable } = claimScope(zone);
    await lockDomains(db, registrable, spanningAncestors(zone, edition, allowSuffix));
    const claims = await findClaims(db, zone, ancestorsOf(zone), claimScope(zone));
    if (claims.some((claim) => claim.account_id !== account_id)) throw conflict("zone already exists", { zone });
    const isKept = claims.some(({ fqdn }) => fqdn === zone);
    if (!isKept) await insertClaim(db, { account_id, id: newId(), zone, view: defaultView }, registrable);
    return { result: undefined, resource: { zone } };
  });
