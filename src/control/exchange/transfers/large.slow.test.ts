/** Transfers of zones too large for memory: taken over as a whole or not at all, and invisible until then. */
import { describe, expect, test } from "vitest";
import { ask } from "../../../../test/engine/states.ts";
import {
  messagesOf,
  record,
  type Script,
  scriptedPrimary,
  soa,
  stream,
} from "../../../../test/network/scripted-primary.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { edgeBeside } from "../../../../test/service/edge.ts";
import type { ResourceRecord } from "../../../dns/reply.ts";
import { TypeCode } from "../../../dns/wire/constants.ts";

const patience = { timeout: 60_000, interval: 100 };
const held = { records: 500, octets: 100_000 };
const limits = { message: 5000, transfer: 60_000, records: 31_000, octets: 10_000_000, held };
const api = await startApi({ pullLimits: limits });
const server = { ...(await edgeBeside(api)), timeout: 3000 };

const secondaryOf = async (zone: string) => (await api.must<{ secondary: Fields }>("GET", `zones/${zone}`)).secondary;
const serialOf = async (zone: string) => (await api.must<Fields>("GET", `zones/${zone}`))["serial"];
const versionsOf = async (zone: string) =>
  (await api.must<{ id: number }[]>("GET", `zones/${zone}/versions`)).map(({ id }) => id);
const refresh = (zone: string) => api.must("POST", `zones/${zone}?refresh=true`);
const loads = async () => (await api.store.db.selectFrom("zone_load").selectAll().execute()).length;
const recordsOf = async (zone: string) =>
  (await api.store.db.selectFrom("record").select("type").where("domain", "like", `%.${zone}`).execute()).length;

/** A whole zone: its SOA record, then `h0` to `h<count - 1>` with addresses that begin with `net`, and its SOA record. */
function* whole(zone: string, serial: number, count: number, net = 10): Generator<ResourceRecord> {
  yield soa(zone, serial);
  for (let i = 0; i < count; i++) yield record(`h${i}.${zone} 300 A ${net}.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  yield soa(zone, serial);
}

let zones = 0;

/** Creates a zone that is transferred from a primary with this script. */
async function secondary(script: (zone: string) => Script) {
  const zone = `large${++zones}.example`;
  const primary = await scriptedPrimary(script(`${zone}.`));
  const settings = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port };
  await api.must("PUT", `zones/${zone}`, { secondary: settings });
  return { zone, fqdn: `${zone}.`, primary };
}

/** Returns a script for a primary that serves the zone with this serial and these records. */
const says = (serial: number, records: (zone: string) => Iterable<ResourceRecord>) => (zone: string) => ({
  soa: soa(zone, serial),
  transfer: (query: Uint8Array, socket: Parameters<Script["transfer"]>[1]) =>
    stream(socket, messagesOf(query, records(zone))),
});

const serial = (zone: string, wanted: number) => expect.poll(() => serialOf(zone), patience).toBe(wanted);

test("a large zone is transferred whole, then by differences if they are few, and whole again if they are many", async () => {
  const { zone, fqdn, primary } = await secondary(says(1, (z) => whole(z, 1, 22_000)));
  await serial(zone, 1);
  await expect.poll(() => ask(server, `h21999.${zone} A`), patience).toBe("NOERROR 10.0.85.239");
  const first = await api.must<Fields>("GET", `zones/${zone}/h7.${zone}/A`);

  const few = function* (z: string) {
    yield* [...whole(z, 2, 21_500)].slice(0, -1);
    yield record(`h7.${z} 300 MX 10 mail.${z}`);
    yield record(`new.${z} 60 TXT "new"`);
    yield soa(z, 2);
  };
  Object.assign(primary.script, says(2, few)(fqdn));
  await refresh(zone);
  await serial(zone, 2);
  await expect.poll(() => ask(server, `new.${zone} TXT`), patience).toBe("NOERROR new");
  expect(await ask(server, `h21999.${zone} A`)).toBe("NXDOMAIN");
  expect(await api.must("GET", `zones/${zone}/h7.${zone}/A`)).toEqual(first);
  expect(await versionsOf(zone)).toEqual([2, 1]);
  const diff = await api.must<{ records: Fields[] }>("GET", `zones/${zone}/diff?from=1&to=2&limit=1000`);
  expect(diff.records).toHaveLength(502);

  Object.assign(primary.script, says(3, (z) => whole(z, 3, 21_000, 11))(fqdn));
  await refresh(zone);
  await serial(zone, 3);
  await expect.poll(() => ask(server, `h7.${zone} A`), patience).toBe("NOERROR 11.0.0.7");
  expect(await ask(server, `new.${zone} TXT`)).toBe("NXDOMAIN");
  expect(await ask(server, `h21000.${zone} A`)).toBe("NXDOMAIN");
  expect(await versionsOf(zone)).toEqual([3]);
  const early = await api.call("GET", `zones/${zone}?at=1`);
  expect([early.status, early.text]).toEqual([
    404,
    expect.stringMatching(/ begins \S+, dns_zone transfer by zone transfer/),
  ]);
  expect(await secondaryOf(zone)).toMatchObject({ status: "ok", error: null, expired: false });
  await expect.poll(() => recordsOf(zone), patience).toBe(21_000);
});

test("scattered records of one name and type become one record", async () => {
  const { zone } = await secondary(
    says(1, function* (z) {
      yield soa(z, 1);
      for (let round = 0; round < 3; round++) {
        for (let i = 0; i < 2000; i++) yield record(`h${i}.${z} ${300 - round} A 10.${round}.${i >> 8}.${i & 255}`);
      }
      yield soa(z, 1);
    }),
  );
  await serial(zone, 1);
  const { answers, ttl } = await api.must<Fields>("GET", `zones/${zone}/h1999.${zone}/A`);
  expect([ttl, answers]).toMatchObject([298, ["10.0.7.207", "10.1.7.207", "10.2.7.207"].map((a) => ({ answer: [a] }))]);
  const sorted = async () => (await ask(server, `h1999.${zone} A`)).split(" ").sort();
  await expect.poll(sorted, patience).toEqual(["10.0.7.207", "10.1.7.207", "10.2.7.207", "NOERROR"]);
});

test("differences too large for memory are replaced by a transfer of the whole zone", async () => {
  const { zone, fqdn, primary } = await secondary(says(1, (z) => whole(z, 1, 2000)));
  await serial(zone, 1);
  const transfer: Script["transfer"] = (query, socket) => {
    const steps = [soa(fqdn, 2), soa(fqdn, 1), ...[...whole(fqdn, 2, 2000)].slice(1, -1), soa(fqdn, 2)];
    const isWhole = primary.asked.at(-1) === TypeCode.AXFR;
    return stream(socket, messagesOf(query, isWhole ? whole(fqdn, 2, 1500) : steps));
  };
  Object.assign(primary.script, { soa: soa(fqdn, 2), transfer });
  await refresh(zone);
  await serial(zone, 2);
  expect(primary.asked).toEqual([TypeCode.AXFR, TypeCode.IXFR, TypeCode.AXFR]);
});

describe("nothing is left of a transfer", () => {
  const broken: readonly [string, RegExp, (zone: string) => Iterable<ResourceRecord>][] = [
    ["that ends before its last SOA record", /closed the connection/, (z) => [...whole(z, 2, 12_000)].slice(0, -1)],
    ["that ends with another SOA record", /another SOA/, (z) => [...[...whole(z, 2, 12_000)].slice(0, -1), soa(z, 3)]],
    [
      "with a record outside the zone",
      /outside the zone/,
      (z) => [...[...whole(z, 2, 12_000)].slice(0, -1), record("x.test. 3 A 192.0.2.1"), soa(z, 2)],
    ],
    [
      "with a CNAME record next to another record",
      /besides the CNAME record at h3/,
      (z) => [...[...whole(z, 2, 12_000)].slice(0, -1), record(`h3.${z} 300 CNAME h4.${z}`), soa(z, 2)],
    ],
    ["with too many records", /more than 31000 records/, (z) => whole(z, 2, 32_000)],
  ];
  test.each(broken)("%s", async (_, reason, records) => {
    const { zone, fqdn, primary } = await secondary(says(1, (z) => whole(z, 1, 1000)));
    await serial(zone, 1);
    await expect.poll(() => ask(server, `h999.${zone} A`), patience).toBe("NOERROR 10.0.3.231");
    const before = await recordsOf(zone);
    Object.assign(primary.script, says(2, records)(fqdn));
    await refresh(zone);
    await expect.poll(async () => (await secondaryOf(zone))["error"], patience).toMatch(reason);
    await expect.poll(() => loads(), patience).toBe(0);
    expect(await recordsOf(zone)).toBe(before);
    expect(await serialOf(zone)).toBe(1);
    expect(await ask(server, `h999.${zone} A`)).toBe("NOERROR 10.0.3.231");
    await api.must("DELETE", `zones/${zone}`);
  });

  test("of a zone that is deleted during the transfer", async () => {
    const { zone } = await secondary((fqdn) => ({
      soa: soa(fqdn, 1),
      transfer: (query, socket) =>
        stream(
          socket,
          meanwhile(messagesOf(query, whole(fqdn, 1, 20_000)), () => api.must("DELETE", `zones/${zone}`)),
        ),
    }));
    await expect.poll(async () => (await api.call("GET", `zones/${zone}`)).status, patience).toBe(404);
    await expect.poll(() => loads(), patience).toBe(0);
    expect(await recordsOf(zone)).toBe(0);
  });
});

/** Does something once half of the messages have been taken. */
async function* meanwhile(messages: Iterable<Uint8Array>, act: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
  const all = [...messages];
  for (const [i, message] of all.entries()) {
    if (i === Math.floor(all.length / 2)) {
      await expect.poll(() => loads(), patience).toBe(1);
      await act();
    }
    yield message;
  }
}

test("a zone disabled during the transfer is taken over, and answered when it is enabled", async () => {
  const { zone } = await secondary((fqdn) => ({
    soa: soa(fqdn, 1),
    transfer: (query, socket) =>
      stream(
        socket,
        meanwhile(messagesOf(query, whole(fqdn, 1, 20_000)), () =>
          api.must("POST", `zones/${zone}`, { disabled: true }),
        ),
      ),
  }));
  await serial(zone, 1);
  expect(await ask(server, `h1.${zone} A`)).toBe("REFUSED");
  await api.must("POST", `zones/${zone}`, { disabled: false });
  await expect.poll(() => ask(server, `h1.${zone} A`), patience).toBe("NOERROR 10.0.0.1");
});
