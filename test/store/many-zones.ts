/** Many zones of one account, written into a store at once: like a zone that exists, with numbers of their own. */
import pg from "pg";

/** Adds `count` zones `zone1.example` and so on; one in ten is disabled. */
export async function addZones(storeUrl: string, pattern: string, count: number): Promise<void> {
  // a connection without the time limits of the service
  const filling = new pg.Client(storeUrl);
  await filling.connect();
  await filling.query(
    `
    insert into zone (account_id, id, zone, view, ttl, refresh, retry, expiry, nx_ttl, hostmaster, primary_master, serial,
      networks, dns_servers, network_pools, pool, dnssec, disabled, meta, "primary", secondary, tags, local_tags,
      created_at, updated_at, former_pools)
    select account_id, 'z' || n, 'zone' || n || '.example', view, ttl, refresh, retry, expiry, nx_ttl, hostmaster,
      primary_master, n, networks, dns_servers, network_pools, pool, dnssec, n % 10 = 0, meta, "primary", secondary, tags,
      local_tags, n / 10, 2000000000 - n, former_pools
    from zone, generate_series(1, $2::int) as n where zone = $1`,
    [pattern, count],
  );
  await filling.query("analyze zone");
  await filling.end();
}
