/** Networks: sets of name servers, in pools, of which a zone has one in each of its networks. */

import { isDeepStrictEqual } from "node:util";
import { invalid } from "../../../../lib/problem.ts";
import type { Random } from "../../../../lib/random.ts";
import type { Network, Pool } from "../../../write/settings.ts";

/** Where a zone is, as the API shows it. */
export interface Placement {
  readonly networks: readonly number[];
  readonly dns_servers: readonly string[];
  /** In the order of the networks. */
  readonly network_pools: readonly string[];
  /** That of the first network; null without networks. */
  readonly pool: string | null;
}

/** What is there to choose from, and the chance that chooses. */
export interface Placing {
  readonly networks: readonly Network[];
  readonly random: Random;
}

/**
 * The placement that `ids` ask for. Where they ask for nothing else than before it stays to the letter, also when the
 * operator has named other servers since; a network that stays among others keeps its pool. A network that is new to
 * the zone gives it a pool by chance, so that two zones that draw the same attack rarely share all their name servers.
 * Undefined: as before, or network 0. Null: network 0, and all pools anew.
 */
export function place(
  ids: readonly number[] | null | undefined,
  before: Placement | undefined,
  { networks, random }: Placing,
): Placement {
  const asked = (ids === undefined ? before?.networks : ids) ?? [0];
  if (before && ids !== null && isDeepStrictEqual(asked, before.networks)) {
    const { dns_servers, network_pools, pool } = before;
    return { networks: asked, dns_servers, network_pools, pool };
  }
  if (new Set(asked).size !== asked.length) throw invalid("networks: an id is there twice", { field: "networks" });
  const kept = ids === null ? [] : (before?.network_pools ?? []);
  const pools = asked.map((id) => {
    const network = networks.find(({ network_id }) => network_id === id);
    if (!network) throw invalid(`networks: there is no network ${id}`, { field: "networks" });
    return network.pools.find(({ name }) => kept.includes(name)) ?? draw(network.pools, random);
  });
  return {
    networks: asked,
    dns_servers: [...new Set(pools.flatMap(({ name_servers }) => name_servers))],
    network_pools: pools.map(({ name }) => name),
    pool: pools[0]?.name ?? null,
  };
}

/** A zone without name servers still has an SOA record, which names one. */
export const firstServer = (servers: readonly string[], networks: readonly Network[]): string =>
  servers[0] ?? networks[0]?.pools[0]?.name_servers[0] ?? "";

function draw(pools: readonly Pool[], random: Random): Pool {
  const pool = pools[Math.floor(random() * pools.length)];
  if (!pool) throw new Error("a network without pools");
  return pool;
}
