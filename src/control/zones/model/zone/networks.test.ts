import { expect, test } from "vitest";
import { seededRandom } from "../../../../../test/machine/random.ts";
import { networkZero, startApi } from "../../../../../test/service/api.ts";
import type { Network } from "../../../write/settings.ts";
import { place } from "./networks.ts";

const pool = (name: string) => ({ name, name_servers: [`dns1.${name}.example.net`, `dns2.${name}.example.net`] });
const china: Network = { network_id: 7, name: "China", label: "china", pools: ["c1", "c2", "c3", "c4"].map(pool) };
const placing = { networks: [networkZero, china], random: seededRandom(1) };

test("a zone has one pool of each of its networks, drawn evenly", () => {
  const drawn = new Map<string, number>();
  for (let n = 0; n < 4000; n++) {
    const { network_pools, dns_servers, pool: first } = place([0, 7], undefined, placing);
    const [global, own = ""] = network_pools;
    expect([global, first, network_pools.length]).toEqual(["p01", "p01", 2]);
    expect(dns_servers).toEqual([...networkZero.pools[0]!.name_servers, ...pool(own).name_servers]);
    drawn.set(own, (drawn.get(own) ?? 0) + 1);
  }
  expect(drawn.size).toBe(4);
  for (const count of drawn.values()) expect(Math.abs(count - 1000)).toBeLessThan(100);
});

test("a network that stays keeps its pool, and a network that comes back gets a pool drawn anew", () => {
  const came = new Set<string>();
  for (let n = 0; n < 100; n++) {
    const before = place([7], undefined, placing);
    const both = place([0, 7], before, placing);
    expect(both.network_pools).toEqual(["p01", before.pool]);
    const alone = place([0], both, placing);
    expect(alone.dns_servers).toEqual(networkZero.pools[0]!.name_servers);
    came.add(`${before.pool} ${place([0, 7], alone, placing).network_pools[1]}`);
  }
  expect(came.size).toBeGreaterThan(12);
});

test("null draws another pool than before, if there is one", () => {
  const two = { ...placing, networks: [{ ...networkZero, pools: ["a1", "a2"].map(pool) }] };
  for (let n = 0; n < 20; n++) {
    const before = place(undefined, undefined, two);
    expect(place(null, before, two).pool).toBe(before.pool === "a1" ? "a2" : "a1");
  }
  const one = { ...placing, networks: [networkZero] };
  expect(place(null, place(undefined, undefined, one), one).pool).toBe("p01");
});

const double = { ...china, network_id: 8, pools: ["d1", "d2"].map(pool) };
const api = await startApi({ networks: [networkZero, { ...china, pools: [pool("c1")] }, double] });

test("a zone that leaves a network and comes back gets another pool there each time, if there is one", async () => {
  const zone = "moving.example";
  const move = (networks: readonly number[]) =>
    api.must<{ network_pools: string[] }>("POST", `zones/${zone}`, { networks });
  let { network_pools: last } = await api.must<{ network_pools: string[] }>("PUT", `zones/${zone}`, {
    networks: [8, 7],
  });
  for (let n = 0; n < 8; n++) {
    await move([0]);
    await move([]);
    if (n % 4 === 0) {
      await api.must("DELETE", `zones/${zone}`);
      await api.must("POST", `deletedzones/${zone}/undelete`);
    }
    const { network_pools: came } = await move([8, 7]);
    expect(came).toEqual([last[0] === "d1" ? "d2" : "d1", "c1"]);
    last = came;
  }
  // a zone that leaves the network by going back to a version remembers its pool, too
  const { serials } = await api.numbered(await api.call("POST", `zones/${zone}`, { networks: [0] }));
  const { network_pools: came } = await move([8]);
  await api.must("POST", `zones/${zone}/versions/${Object.values(serials)[0]}/activate`);
  expect((await move([8])).network_pools).not.toEqual(came);
});

test("the API places zones on listed networks, and their NS records follow", async () => {
  expect(await api.must("GET", "networks")).toEqual([
    { network_id: 0, name: "Global", label: "global" },
    { network_id: 7, name: "China", label: "china" },
    { network_id: 8, name: "China", label: "china" },
  ]);
  const zone = { zone: "placed.example", networks: [7, 0] };
  expect(await api.must("PUT", "zones/placed.example", zone)).toMatchObject({
    networks: [7, 0],
    network_pools: ["c1", "p01"],
    pool: "c1",
    dns_servers: [...pool("c1").name_servers, "dns1.example.net", "dns2.example.net"],
    primary_master: "dns1.c1.example.net",
  });
  expect(await api.must("POST", "zones/placed.example", { networks: [0] })).toMatchObject({
    network_pools: ["p01"],
    primary_master: "dns1.example.net",
    records: [{ type: "NS", short_answers: ["dns1.example.net", "dns2.example.net"] }],
  });
  const refused = await api.call("POST", "zones/placed.example", { networks: [0, 9] });
  expect([refused.status, refused.body["message"]]).toEqual([400, "networks: there is no network 9"]);
});
