/** Which names may become zones, and under which name the claims that could meet are found. Pure. */
import { parse } from "tldts";
import { ancestorsOf } from "../../../../dns/wire/name.ts";
import { invalid } from "../../../../lib/problem.ts";
import type { Edition } from "../../../access/rights.ts";

/** Only the part of the list that ICANN's registries run: a private suffix such as `github.io` is its owner's. */
const options = { allowPrivateDomains: false, extractHostname: false, validateHostname: false, detectIp: false };

/** Where a zone's claim is found again, and by whom creations are kept apart. */
export interface ClaimScope {
  /** The domain that a registry gave out, in which the zone lies; the zone itself where there is none. */
  readonly registrable: string;
  /** Whether the zone has such domains below it, so that claims below it stand under other names. */
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

/** Throws for a name under which strangers register theirs, unless the operator allows it. */
export function assertNotPublicSuffix(zone: string, allowed: readonly string[]): void {
  if (isPublicSuffix(zone) && !allowed.includes(zone)) {
    throw invalid(`"${zone}" is a public suffix and not a valid zone`, { field: "zone", suffix: zone });
  }
}

/** Names above a zone that may be zones although registries give out domains below them. */
export const spanningAncestors = (zone: string, edition: Edition, allowed: readonly string[]) =>
  ancestorsOf(zone).filter((name) => claimScope(name).spans && (edition === "ddi" || allowed.includes(name)));
