/** Rules for names that may become zones, and the key under which conflicting claims are found. Pure. */
import { parse } from "tldts";
import { ancestorsOf } from "../../../../dns/wire/name.ts";
import { invalid } from "../../../../lib/problem.ts";
import type { Edition } from "../../../access/rights.ts";

/** Only suffixes of ICANN registries count: a private suffix such as `github.io` belongs to one holder. */
const options = { allowPrivateDomains: false, extractHostname: false, validateHostname: false, detectIp: false };

/**
 * The key under which a zone's claim is stored, and that is locked when zones are created. All names below a registered
 * domain have its key; so have those that only end with the same text, because of a dot inside a label.
 */
export interface ClaimScope {
  /** The registered domain that contains the zone; the zone itself if there is none. */
  readonly registrable: string;
  /** Whether registered domains are below the zone, so that claims below it are stored under other keys. */
  readonly spans: boolean;
}

export function claimScope(zone: string): ClaimScope {
  const { domain } = parse(zone, options);
  return { registrable: domain ?? zone, spans: domain === null };
}

const isPublicSuffix = (zone: string) => {
  const { isIcann, domain } = parse(zone, options);
  return isIcann === true && domain === null;
};

/** Throws for a name under which registries register domains, unless the operator allows it. */
export function assertNotPublicSuffix(zone: string, allowed: readonly string[]): void {
  if (isPublicSuffix(zone) && !allowed.includes(zone)) {
    throw invalid(`"${zone}" is a public suffix and not a valid zone`, { field: "zone", suffix: zone });
  }
}

/** Names above a zone that may be zones although registries register domains below them. */
export const spanningAncestors = (zone: string, edition: Edition, allowed: readonly string[]) =>
  ancestorsOf(zone).filter((name) => claimScope(name).spans && (edition === "ddi" || allowed.includes(name)));
