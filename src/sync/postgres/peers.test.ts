import { sql } from "kysely";
import { pino } from "pino";
import { expect, test } from "vitest";
import { testStore } from "../../../test/store/store.ts";
import { insertAccount, insertZone } from "../../../test/store/writes.ts";
import { newId } from "../../lib/ids.ts";
import { secretsFrom } from "../../lib/secrets.ts";
import type { ServedNetworks } from "../change.ts";
import { type Peers, type PeersChange, tsigKeyContext } from "../peers.ts";
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
    onChange: ({ set }) => void reported.push(set),
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
    onChange: ({ set }) => void reported.push(set),
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
    const onChange = ({ set }: PeersChange) => void reported.push(set);
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

test("a change is read of its account only, and edges learn only what differs", async () => {
  const [one, other] = [await insertAccount(store), await insertAccount(store)];
  const kit = secretsFrom([new Uint8Array(32)]);
  let opened = 0;
  const open = (text: string, context: string) => {
    opened++;
    return kit.open(text, context);
  };
  const secrets = { ...kit, open };
  const put = async (account_id: string, name: string, secret: string) => {
    const row = {
      account_id,
      name,
      algorithm: "hmac-sha256",
      secret: kit.seal(secret, tsigKeyContext(account_id, name)),
    };
    const times = { created_at: 1, updated_at: 1 };
    await store.db.deleteFrom("tsig_key").where("account_id", "=", account_id).where("name", "=", name).execute();
    await store.db
      .insertInto("tsig_key")
      .values({ ...row, ...times })
      .execute();
  };
  for (const name of ["a", "b", "c"]) await put(one, name, "b25l");
  const reported: PeersChange[] = [];
  const follower = new PostgresPeers(store.url, {
    ...{ log: pino({ level: "silent" }), id: newId(), secrets: () => secrets, gatherFor: 1 },
    onChange: (change) => void reported.push(change),
  });
  const own = () => reported.slice(1).map(({ set, gone }) => [set.keys, gone.keys].map((keys) => keys.map(named)));
  const named = ({ name }: { readonly name: string }) => name;
  const notify = (account_id: string) => sql`select pg_notify('fairlead_peers', ${account_id})`.execute(store.db);
  await expect.poll(() => reported.length, patient).toBe(1);
  expect(opened).toBe(3);
  await put(other, "x", "eA==");
  await put(one, "b", "dHdv");
  await store.db.deleteFrom("tsig_key").where("account_id", "=", one).where("name", "=", "c").execute();
  await notify(one);
  await expect.poll(own, patient).toEqual([[["b"], ["c"]]]);
  expect(opened).toBe(4);
  await notify(other);
  await expect.poll(own, patient).toEqual([
    [["b"], ["c"]],
    [["x"], []],
  ]);
  expect(follower.peers.keys.map(named).sort()).toEqual(["a", "b", "x"]);
  expect(opened).toBe(5);
  await follower.close();
});

test("zones that link to a zone share the list of its secondaries", async () => {
  const account_id = await insertAccount(store);
  const target = await insertZone(store, account_id, "target.example");
  const secondaries = [{ ip: "192.0.2.9", port: 53, notify: true, networks: [], kept: { note: "x".repeat(500) } }];
  const primary = JSON.stringify({ enabled: true, secondaries });
  await sql`update zone set "primary" = ${primary} where id = ${target.id}`.execute(store.db);
  for (const name of ["one.example", "two.example"]) {
    const { id } = await insertZone(store, account_id, name);
    await sql`update zone set link = 'target.example' where id = ${id}`.execute(store.db);
  }
  const follower = new PostgresPeers(store.url, {
    ...{ log: pino({ level: "silent" }), id: newId(), secrets: () => undefined, onChange: () => {} },
  });
  const own = () => follower.peers.outgoing.filter((each) => each.account_id === account_id);
  await expect.poll(() => own().length, patient).toBe(3);
  expect(own()[0]!.allowed).toEqual([{ ip: "192.0.2.9" }]);
  expect(new Set(own().map(({ allowed }) => allowed)).size).toBe(1);
  expect(JSON.stringify(follower.rows)).not.toContain("xxx");
  await follower.close();
});

test("settings of zones that are unchanged are not read again, also not of links to them", async () => {
  const account_id = await insertAccount(store);
  const notify = () => sql`select pg_notify('fairlead_peers', ${account_id})`.execute(store.db);
  const set = (id: string, ip: string) => {
    const primary = { enabled: true, secondaries: [{ ip, port: 53, notify: false, networks: [] }] };
    return sql`update zone set "primary" = ${JSON.stringify(primary)} where id = ${id}`.execute(store.db);
  };
  const names = ["a.example", "b.example", "c.example"].map((name) => `unchanged-${name}`);
  const zones = await Promise.all(names.map((name) => insertZone(store, account_id, name)));
  for (const { id } of zones) await set(id, "192.0.2.1");
  const { id: link } = await insertZone(store, account_id, "unchanged-link.example");
  await sql`update zone set link = ${names[0]} where id = ${link}`.execute(store.db);
  const reported: PeersChange[] = [];
  const follower = new PostgresPeers(store.url, {
    ...{ log: pino({ level: "silent" }), id: newId(), secrets: () => undefined, gatherFor: 1 },
    onChange: (change) => void reported.push(change),
  });
  const own = () => follower.peers.outgoing.filter((each) => each.account_id === account_id);
  const row = (at: number) => follower.rows!.zones.find(({ zone }) => zone === names[at]);
  await expect.poll(() => own().length, patient).toBe(4);
  const [first, second] = [row(0), row(1)];
  await set(zones[1]!.id, "192.0.2.2");
  await notify();
  await expect.poll(() => reported.length, patient).toBe(2);
  expect(reported[1]).toMatchObject({ set: { outgoing: [{ zone: names[1] }] }, gone: { outgoing: [] } });
  expect([row(0) === first, row(1) === second]).toEqual([true, false]);
  expect(own().map(({ zone, allowed }) => [zone, allowed[0]!.ip])).toEqual(
    expect.arrayContaining([
      [names[0], "192.0.2.1"],
      [names[1], "192.0.2.2"],
      ["unchanged-link.example", "192.0.2.1"],
    ]),
  );
  await sql`update zone set "primary" = '{"enabled": false, "secondaries": []}' where id = ${zones[0]!.id}`.execute(
    store.db,
  );
  await sql`delete from zone where id = ${zones[2]!.id}`.execute(store.db);
  await notify();
  await expect.poll(() => own().map(({ zone }) => zone), patient).toEqual([names[1]]);
  await follower.close();
});
