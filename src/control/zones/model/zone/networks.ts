/** Networks: sets of name servers, divided into pools. A zone has one pool in each of its networks. */

import { isDeepStrictEqual } from "node:util";
import { invalidField } from "../../../../lib/problem.ts";
import type { Random } from "../../../../lib/random.ts";
import type { Network, Pool } from "../../../write/settings.ts";

/** The networks and name servers of a zone, as the API shows them. */
export interface Placement {
  readonly networks: readonly number[];
  readonly dns_servers: readonly string[];
  /** One pool for each network, in the same order. */
  readonly network_pools: readonly string[];
  /** The pool of the first network; null without networks. */
  readonly pool: string | null;
}

/** The networks to choose from, and the randomness that chooses. */
export interface Placing {
  readonly networks: readonly Network[];
  readonly random: Random;
  /** The last pool in each network that the zone has left. */
  readonly former?: FormerPools | undefined;
}

export type FormerPools = Readonly<Record<string, string>>;

/**
 * The placement for network ids. Unchanged ids keep the placement exactly, even if the operator has configured other
 * servers since. Otherwise, networks that the zone already has keep their pool, and new networks get a random pool, so
 * that two zones rarely share all their name servers when one is attacked. A network that comes back gets another pool
 * than before, if it has several: the zone may still be delegated to the earlier one. Undefined keeps the placement, or means
 * network 0 for a new zone. Null means network 0 with another pool, if it has several.
 */
export function place(
  ids: readonly number[] | null | undefined,
  before: Placement | undefined,
  { networks, random, former = {} }: Placing,
): Placement {
  const asked = (ids === undefined ? before?.networks : ids) ?? [0];
  if (before && ids !== null && isDeepStrictEqual(asked, before.networks)) {
    const { dns_servers, network_pools, pool } = before;
    return { networks: asked, dns_servers, network_pools, pool };
  }
  if (new Set(asked).size !== asked.length) throw invalidField("networks", "an id is repeated");
  const present = before?.network_pools ?? [];
  const kept = ids === null ? [] : present;
  const pools = asked.map((id) => {
    const network = networks.find(({ network_id }) => network_id === id);
    if (!network) throw invalidField("networks", `there is no network ${id}`);
    const known = network.pools.find(({ name }) => kept.includes(name));
    if (known) return known;
    const others = network.pools.filter(({ name }) => !present.includes(name) && name !== former[id]);
    return draw(others.length > 0 ? others : network.pools, random);
  });
  return {
    networks: asked,
    dns_servers: [...new Set(pools.flatMap(({ name_servers }) => name_servers))],
    network_pools: pools.map(({ name }) => name),
    pool: pools[0]?.name ?? null,
  };
}

/** The last pool in each network that the zone has left, after it moved. Zones deleted long ago do not know them. */
export function formerPools(
  before: Placement & { readonly former_pools?: FormerPools },
  after: Pick<Placement, "networks">,
): FormerPools {
  const present = before.networks.map((id, i) => [String(id), before.network_pools[i] ?? ""] as const);
  const all = [...Object.entries(before.former_pools ?? {}), ...present];
  return Object.fromEntries(all.filter(([id]) => !after.networks.includes(Number(id))));
}

/** The first name server of a zone; a zone without name servers still needs one for its SOA record. */
export const firstServer = (servers: readonly string[], networks: readonly Network[]): string =>
  servers[0] ?? networks[0]?.pools[0]?.name_servers[0] ?? "";

function draw(pools: readonly Pool[], random: Random): Pool {
  const pool = pools[Math.floor(random() * pools.length)];
  if (!pool) throw new Error("a network without pools");
  return pool;
}
