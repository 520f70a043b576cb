/** Zones of other servers behind an edge: visible records, floods of notices, and services that transfer from each other. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { ask } from "../../../../test/engine/states.ts";
import { atEnd } from "../../../../test/machine/at-end.ts";
import { answerTo, record, scriptedPrimary, soa } from "../../../../test/network/scripted-primary.ts";
import { type Api, type Fields, startApi } from "../../../../test/service/api.ts";
import { edgeBeside } from "../../../../test/service/edge.ts";
import { patience, secondaryZones, slowly, www } from "../../../../test/service/secondary-zones.ts";
import { notifyQuery } from "../../../dns/transfer/query.ts";
import { sign } from "../../../dns/tsig/tsig.ts";
import { Rcode } from "../../../dns/wire/constants.ts";
import { nameFromApi, nameToApi } from "../../../dns/wire/name.ts";
import { peersChannel } from "../../../sync/peers.ts";

/** Milliseconds to wait for an answer. */
const message = 5000;

async function startNode() {
  const api = await startApi({ egressAllow: ["127.0.0.0/8"], pullLimits: { message } });
  const server = { ...(await edgeBeside(api)), timeout: message };
  return { api, server, zones: secondaryZones(api) };
}

const here = await startNode();
const { api, server, zones } = here;

test("records below a delegation are never answered", async () => {
  const { zone } = await zones.transferredZone((z) => ({
    transfer: (query) => {
      const below = [`www.sub.${z} 300 A 192.0.2.66`, `a.b.sub.${z} 300 TXT "hidden"`, `sub.${z} 300 TXT "hidden"`];
      const cut = [`sub.${z} 300 NS ns.sub.${z}`, `ns.sub.${z} 300 A 192.0.2.53`];
      return [answerTo(query, [soa(z, 11), www(z), ...[...cut, ...below].map(record), soa(z, 11)])];
    },
  }));
  const answer = zones.refreshing(zone, () => ask(server, `www.${zone} A`));
  await expect.poll(answer, slowly).toBe("NOERROR 192.0.2.1");
  for (const question of [`www.sub.${zone} A`, `a.b.sub.${zone} TXT`, `sub.${zone} TXT`, `ns.sub.${zone} A`]) {
    expect([question, await ask(server, question)]).toEqual([question, "NOERROR"]);
  }
});

/** Sends notices from an address, and counts the RCODEs of the replies. */
async function notifier(address: string) {
  const socket = createSocket("udp4");
  const replies = new Map<number, number>();
  socket.on("message", (octets) => replies.set(octets[3]! & 15, (replies.get(octets[3]! & 15) ?? 0) + 1));
  socket.bind(0, address);
  await once(socket, "listening");
  atEnd(() => void socket.close());
  const send = (octets: Uint8Array) =>
    new Promise<void>((sent) => socket.send(octets, server.port, server.address, () => sent()));
  return { replies, send };
}

const noticeOf = (zone: string, serial: number) =>
  notifyQuery(serial & 0xffff, nameFromApi(zone), soa(`${zone}.`, serial));
const { replies, send } = await notifier("127.0.0.1");
const notify = (zone: string, serial: number) => send(noticeOf(zone, serial));

const rowOf = async ({ api: { store } }: typeof here, zone: string) =>
  await store.db.selectFrom("zone").selectAll().where("zone", "=", zone).executeTakeFirstOrThrow();

/** Waits until no refresh of the zone is due before its refresh time. */
async function resting(zone: string) {
  const pause = async () => {
    const { refresh_at, transfer } = await rowOf(here, zone);
    return refresh_at! - transfer!.last_try;
  };
  await expect.poll(pause, patience).toBeGreaterThan(1000);
}

test("notices from other servers, or with other keys, start nothing", async () => {
  const zone = zones.newName();
  const said = soa(`${zone}.`, 10);
  const transfer = (query: Uint8Array) => [answerTo(query, [said, www(`${zone}.`), said])];
  const primary = await scriptedPrimary({ soa: said, transfer }, "127.0.0.2");
  await zones.make(zone, { enabled: true, primary_ip: "127.0.0.2", primary_port: primary.port });
  await expect.poll(async () => (await zones.secondaryOf(zone))["status"], patience).toBe("ok");
  await resting(zone);
  const before = primary.questions.count;
  await api.must("PUT", "tsig/other.key", { algorithm: "hmac-sha256", secret: "c2VjcmV0" });
  const key = { name: nameFromApi("other.key"), algorithm: "hmac-sha256", secret: Buffer.from("secret") } as const;
  const own = await notifier("127.0.0.2");
  const signed = () => sign(noticeOf(zone, 11), key, Math.floor(Date.now() / 1000)).octets;
  // the key is unknown until the edge has received it
  await expect
    .poll(async () => (await own.send(signed())) ?? own.replies.get(Rcode.REFUSED) ?? 0, slowly)
    .toBeGreaterThan(0);
  await expect.poll(async () => (await notify(zone, 11)) ?? replies.get(Rcode.REFUSED) ?? 0, slowly).toBeGreaterThan(0);
  expect(primary.questions.count).toBe(before);
  const counted = async () => (await own.send(noticeOf(zone, 11))) ?? primary.questions.count;
  await expect.poll(counted, slowly).toBeGreaterThan(before);
});

test("a primary that notifies of two changes at once and still serves the first change is asked again", async () => {
  const { zone, fqdn, primary } = await zones.transferredZone((z) => ({ soa: soa(z, 10) }));
  await resting(zone);
  await expect.poll(async () => (await notify(zone, 10)) ?? replies.get(0) ?? 0, slowly).toBeGreaterThan(0);
  await resting(zone);
  Object.assign(primary.script, {
    soa: soa(fqdn, 11),
    transfer: (query: Uint8Array) => {
      const said = primary.script.soa;
      primary.script.soa = soa(fqdn, 12);
      return [answerTo(query, [said, www(fqdn), said])];
    },
  });
  await notify(zone, 12);
  await expect.poll(async () => (await rowOf(here, zone)).serial, patience).toBe(12);
});

test("a flood of notices with a serial that the primary does not have causes a few queries and no transfer", async () => {
  const { zone, primary } = await zones.transferredZone((z) => ({ soa: soa(z, 10) }));
  // the edge receives the addresses of the zone's primaries separately
  await expect.poll(async () => (await notify(zone, 11)) ?? replies.get(0) ?? 0, slowly).toBeGreaterThan(0);
  const before = { asked: primary.asked.length, questions: primary.questions.count };
  const began = performance.now();
  for (let i = 0; i < 3000; i++) await notify(zone, 1000 + i);
  await expect.poll(() => replies.get(0) ?? 0, patience).toBeGreaterThan(100);
  await expect.poll(() => primary.questions.count, patience).toBeGreaterThan(before.questions);
  expect(await ask(server, `${zone} NS`)).toMatch(/^NOERROR/);
  const asked = primary.questions.count - before.questions;
  // at most five per second, each of up to three datagrams
  expect(asked).toBeLessThan(30 + (3 * 5 * (performance.now() - began)) / 1000);
  expect(primary.asked.length).toBe(before.asked);
});

test("two services that transfer a zone from each other make no changes, whether one of them has contents or neither", async () => {
  const there = await startNode();
  const pair = [
    { own: here, other: there },
    { own: there, other: here },
  ] as const;
  const primary = (node: typeof here) => ({
    ...{ enabled: true },
    secondaries: [{ ip: "127.0.0.1", port: node.server.port, notify: true }],
  });
  const from = (node: typeof here) => ({ enabled: true, primary_ip: "127.0.0.1", primary_port: node.server.port });
  for (const { own, other } of pair) {
    await own.api.must("PUT", "zones/empty.loop.test", { primary: primary(other), secondary: from(other) });
  }
  for (const { own } of pair) {
    await expect
      .poll(async () => (await rowOf(own, "empty.loop.test")).transfer?.failures, patience)
      .toBeGreaterThanOrEqual(2);
    const { transfer, refresh_at } = await rowOf(own, "empty.loop.test");
    expect(transfer!.error).toMatch(/answered the SOA query with (SERVFAIL|REFUSED)/);
    expect(refresh_at! - transfer!.last_try).toBeGreaterThanOrEqual(5 * 0.75);
  }

  await here.api.must("PUT", "zones/full.loop.test", { primary: primary(there) });
  await there.api.must("PUT", "zones/full.loop.test", { primary: primary(here), secondary: from(here) });
  const statusOf = async ({ api: of }: typeof here) =>
    (await of.must<{ secondary: Fields }>("GET", "zones/full.loop.test")).secondary["status"];
  await expect.poll(() => statusOf(there), patience).toBe("ok");
  await here.api.must("POST", "zones/full.loop.test", { secondary: from(there) });
  await expect.poll(() => statusOf(here), patience).toBe("ok");
  const serials = async () => {
    for (const { own } of pair) await own.api.call("POST", "zones/full.loop.test?refresh=true");
    return await Promise.all(pair.map(async ({ own }) => (await rowOf(own, "full.loop.test")).serial));
  };
  const [first] = await serials();
  for (let i = 0; i < 5; i++) expect(await serials()).toEqual([first, first]);
});

test("notices of ten thousand zones delay neither the service nor other accounts", async () => {
  const asked = new Set<string>();
  const deaf = createSocket("udp4");
  deaf.on("message", (query) => asked.add(nameToApi(query.subarray(12, query.indexOf(0, 12) + 1))));
  deaf.bind(0, "127.0.0.1");
  await once(deaf, "listening");
  atEnd(() => void deaf.close());
  const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: deaf.address().port };
  await zones.make("first.flood.example", secondary);
  await expect.poll(() => asked.size, patience).toBe(1);
  await copyZones(api, "first.flood.example", 10_000);
  await sql`notify ${sql.raw(peersChannel)}`.execute(api.store.db);
  await notify("z9999.flood.example", 1);
  await expect.poll(async () => (await notify("z10000.flood.example", 1)) ?? asked.size, slowly).toBeGreaterThan(1);
  const [began, before] = [performance.now(), asked.size];
  for (let i = 1; i <= 10_000; i++) await notify(`z${i}.flood.example`, 1);
  const stranger = await api.stranger();
  const first = soa("other.test.", 5);
  const primary = await scriptedPrimary({
    soa: first,
    transfer: (query) => [answerTo(query, [first, www("other.test."), first])],
  });
  const other = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port };
  const make = async () => (await stranger.call("PUT", "zones/other.test", { secondary: other })).status;
  await expect.poll(make, slowly).toBeLessThan(500);
  await expect.poll(() => ask(server, "www.other.test A"), patience).toBe("NOERROR 192.0.2.1");
  // ten per account at the same time, each with its own time limit
  const turns = 1 + Math.ceil((performance.now() - began) / message);
  expect(asked.size - before).toBeLessThanOrEqual(10 * turns);
});

/** Makes copies of a zone that are not due for a refresh. */
async function copyZones({ store }: Api, zone: string, count: number): Promise<void> {
  const row = await store.db.selectFrom("zone").selectAll().where("zone", "=", zone).executeTakeFirstOrThrow();
  const others: Readonly<Record<string, string>> = {
    id: "lpad(to_hex(n), 24, '0')",
    zone: "'z' || n || '.flood.example'",
    refresh_at: "99999999999",
  };
  const columns = Object.keys(row).map((name) => `"${name}"`);
  const values = Object.keys(row).map((name) => others[name] ?? `"${name}"`);
  await sql`insert into zone (${sql.raw(columns.join())}) select ${sql.raw(values.join())}
    from zone, generate_series(1, ${count}::int) n where zone = ${zone}`.execute(store.db);
}
