import { sql } from "kysely";
import { pino } from "pino";
import { expect, test } from "vitest";
import { testStore } from "../../../test/store/store.ts";
import { insertAccount, insertZone } from "../../../test/store/writes.ts";
import { newId } from "../../lib/ids.ts";
import type { ServedNetworks } from "../change.ts";
import type { Peers } from "../peers.ts";
import { PostgresPeers } from "./peers.ts";

const patient = { timeout: 20_000 };

const store = await testStore();
const zone = await insertZone(store, await insertAccount(store), "example.com");

async function share(ip: string) {
  const primary = { enabled: true, secondaries: [{ ip, port: 53, notify: false, networks: [] }] };
  await sql`update zone set "primary" = ${JSON.stringify(primary)} where id = ${zone.id}`.execute(store.db);
  await sql`notify fairlead_peers`.execute(store.db);
}

test("each outage is logged, and partners are reported only when they differ", { timeout: 60_000 }, async () => {
  await share("192.0.2.1");
  const lines: string[] = [];
  const id = newId();
  const reported: Peers[] = [];
  const follower = new PostgresPeers(store.url, {
    log: pino({ level: "warn" }, { write: (line: string) => void lines.push(line) }),
    id,
    secrets: () => undefined,
    onChange: (peers) => void reported.push(peers),
    againAfter: 10,
  });
  const allowed = () => reported.map(({ outgoing }) => outgoing.flatMap((each) => each.allowed.map(({ ip }) => ip)));
  await expect.poll(allowed, patient).toEqual([["192.0.2.1"]]);
  const drop = sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${`fairlead follower ${id} peers`}`;
  const outages = () => drop.execute(store.db).then(() => lines.length);
  await expect.poll(outages, { ...patient, interval: 200 }).toBeGreaterThanOrEqual(2);
  expect(reported).toHaveLength(1);
  await share("192.0.2.2");
  await expect.poll(allowed, patient).toEqual([["192.0.2.1"], ["192.0.2.2"]]);
  await follower.close();
});

test("the first change after a pause is reported at once; only later ones are gathered", async () => {
  const reported: Peers[] = [];
  const follower = new PostgresPeers(store.url, {
    ...{ log: pino({ level: "silent" }), id: newId(), secrets: () => undefined, gatherFor: 600_000 },
    onChange: (peers) => void reported.push(peers),
  });
  await expect.poll(() => reported.length, patient).toBe(1);
  await share("192.0.2.3");
  await expect.poll(() => reported.at(-1)?.outgoing[0]?.allowed, patient).toEqual([{ ip: "192.0.2.3" }]);
  await follower.close();
});

test("an edge transfers only zones of its networks, and only to secondaries of its networks", async () => {
  const secondaries = [[], [0], [1], [0, 1]].map((networks, i) => ({
    ...{ ip: `192.0.2.${i}`, port: 53, notify: false, networks },
  }));
  const primary = JSON.stringify({ enabled: true, secondaries });
  const other = await insertZone(store, zone.account_id, "elsewhere.example");
  const nowhere = await insertZone(store, zone.account_id, "nowhere.example");
  for (const [{ id }, networks] of [
    [zone, "[0, 1]"],
    [other, "[2]"],
    [nowhere, "[]"],
  ] as const) {
    await sql`update zone set "primary" = ${primary}, networks = ${networks} where id = ${id}`.execute(store.db);
  }
  const allowed = async (networks: ServedNetworks) => {
    const reported: Peers[] = [];
    const onChange = (peers: Peers) => void reported.push(peers);
    const follower = new PostgresPeers(store.url, {
      ...{ log: pino({ level: "silent" }), id: newId(), secrets: () => undefined, networks, onChange },
    });
    await expect.poll(() => reported.length, patient).toBe(1);
    await follower.close();
    const [zones = []] = reported.map(({ outgoing }) => outgoing);
    return zones.flatMap((each) => each.allowed.map(({ ip }) => ip.at(-1)));
  };
  expect((await allowed("all")).length).toBe(2 * secondaries.length);
  expect(await allowed([0])).toEqual(["0", "1", "3"]);
  expect(await allowed([7, 1])).toEqual(["0", "2", "3"]);
});
