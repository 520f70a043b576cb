/** The state of a delegation: what the parent says, compared with the name servers that the zone has here. */
import type { Delegation, Servers } from "../../../net/client/delegation.ts";

export const states = ["delegated", "partly", "elsewhere", "not_delegated", "unknown"] as const;
export type DelegationState = (typeof states)[number];

export interface Compared {
  readonly state: DelegationState;
  /** Why the zone is not wholly delegated; null if it is. */
  readonly reason: string | null;
}

/** `own` has addresses for the name servers inside of the zone, where they are known: the parent needs glue for those. */
export function compared(zone: string, own: Servers, { servers, asked }: Delegation): Compared {
  const [ours, theirs] = [[...own.keys()], [...servers.keys()]];
  if (theirs.length === 0) return { state: "not_delegated", reason: `the parent does not delegate ${zone}` };
  const foreign = theirs.filter((name) => !own.has(name));
  const lacking = ours.filter((name) => !servers.has(name));
  if (foreign.length === theirs.length) {
    return { state: "elsewhere", reason: `${zone} is delegated to ${foreign.join(", ")}` };
  }
  const faults = [
    ...(lacking.length > 0 ? [`${zone} is not delegated to ${lacking.join(", ")}`] : []),
    ...(foreign.length > 0 ? [`${zone} is also delegated to ${foreign.join(", ")}`] : []),
    // a resolver shows the addresses that the zone itself has
    ...(asked === "parent" ? wrongGlue(own, servers) : []),
  ];
  return faults.length === 0 ? { state: "delegated", reason: null } : { state: "partly", reason: faults.join("; ") };
}

function wrongGlue(own: Servers, servers: Servers): string[] {
  return [...own].flatMap(([name, right]) => {
    const glue = servers.get(name);
    if (glue === undefined || right.length === 0 || isSame(glue, right)) return [];
    if (glue.length === 0) return [`the parent has no glue for ${name}`];
    return [`the parent's glue for ${name} is ${glue.join(", ")}; here it has ${right.join(", ")}`];
  });
}

const isSame = (a: readonly string[], b: readonly string[]) => a.toSorted().join() === b.toSorted().join();
