/** Runs the filter chain of a steered RRset that a look-up found. */
import type { ChainTrace } from "../chain/trace-chain.ts";
import type { NameKey } from "../image/memory/key.ts";
import { dropSettings } from "../image/rrset/steered.ts";
import { ttlOf } from "../image/rrset/view.ts";
import type { Found, State } from "../lookup/lookup.ts";
import type { Trace } from "./trace.ts";
import type { Workspace } from "./workspace.ts";

/** Call it if the RRset in `found` is marked as steered; `name` was looked up. Returns the new state. */
export function applyFilters(space: Workspace, found: Found, state: State, name: NameKey, trace?: Trace): State {
  const { rrset } = found;
  switch (state) {
    case "delegation":
      // a referral has all name servers: the child zone chooses them
      dropSettings(rrset);
      return state;
    case "answer":
    case "cname":
    case "dname":
    case "alias":
      return select(space, found, name, trace) ? state : "nodata";
    default:
      // the RRset is from an earlier step of a look-up that found nothing
      return state;
  }
}

function select(space: Workspace, found: Found, name: NameKey, trace: Trace | undefined): boolean {
  const { steering } = space;
  const note = trace && ((chain: ChainTrace) => trace({ kind: "chain", ...chain }));
  if (!steering.select(found.rrset, name, matchedEnd(space, found, name), note)) return false;
  for (const rdata of steering.selection.texts) steering.texts.push({ owner: name, ttl: ttlOf(found.rrset), rdata });
  return true;
}

/** Octets of the name that the `*` of the wildcard matched; -1 without a wildcard. */
export function matchedEnd({ image }: Workspace, found: Found, name: NameKey): number {
  if (!found.wildcard) return -1;
  return name.starts[found.apex]! - (image.labelOctets(found.node) - asteriskOctets);
}

const asteriskOctets = 2;
