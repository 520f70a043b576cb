/** Broken or hostile primaries: the last good version stays, the reason is shown, and nothing else happens. */
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import {
  answerTo,
  framed,
  record,
  type Script,
  scriptedPrimary,
  soa,
} from "../../../../test/network/scripted-primary.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { isIxfr, patience, secondaryZones, slowly, www } from "../../../../test/service/secondary-zones.ts";
import type { ResourceRecord } from "../../../dns/reply.ts";
import { sign } from "../../../dns/tsig/tsig.ts";
import { types } from "../../../dns/types.ts";
import { TypeCode } from "../../../dns/wire/constants.ts";

const clock = fakeClock(Date.now());
const limits = { message: 2500, transfer: 10_000, records: 2000, octets: 1_000_000 };
const own = [{ address: "0.0.0.0", port: 5399 }];
const api = await startApi({ pullLimits: limits, clock, own });

const { transferredZone, refreshing, secondaryOf, names, newName } = secondaryZones(api);

describe.concurrent("a transfer is refused for", () => {
  const cases: readonly [string, RegExp, (fqdn: string) => Script["transfer"]][] = [
    ["an end before the last SOA record", /closed the connection/, (z) => (q) => [answerTo(q, [soa(z, 11), www(z)])]],
    [
      "half a message",
      /closed the connection/,
      (z) => (q, socket) => {
        socket.end(framed(answerTo(q, [soa(z, 11), www(z)])).subarray(0, 40));
        return undefined;
      },
    ],
    [
      "an end in the middle of the whole zone that follows differences",
      /closed the connection/,
      (z) => (q) => [answerTo(q, isIxfr(q) ? [soa(z, 11), soa(z, 9)] : [soa(z, 11), www(z)])],
    ],
    [
      "silence in the middle",
      /did not send a message in time/,
      (z) => (q, socket) => void socket.write(framed(answerTo(q, [soa(z, 11), www(z)]))),
    ],
    [
      "endless empty messages",
      /more than 1000000 octets|memory limit was reached/,
      (z) => (q, socket) => {
        socket.write(framed(answerTo(q, [soa(z, 11)])));
        const empty = framed(answerTo(q, []));
        const many = Buffer.concat(Array.from({ length: 2000 }, () => empty));
        const timer = setInterval(() => socket.write(many), 5);
        socket.on("close", () => clearInterval(timer));
        return undefined;
      },
    ],
    [
      "too many types at a name",
      /more than 200 types at www/,
      (z) => (q) => {
        const types = Array.from({ length: 300 }, (_, i) => record(`www.${z} 300 TYPE${65_000 + i} \\# 1 00`));
        return [answerTo(q, [soa(z, 11), ...types, soa(z, 11)])];
      },
    ],
    ["a first record that is not SOA", /does not begin with an SOA/, (z) => (q) => [answerTo(q, [www(z), soa(z, 11)])]],
    ["another SOA record at the end", /another SOA/, (z) => (q) => [answerTo(q, [soa(z, 11), www(z), soa(z, 12)])]],
    ["records after the end", /after its end/, (z) => (q) => [answerTo(q, [soa(z, 11), www(z), soa(z, 11), www(z)])]],
    [
      "an SOA record of another name",
      /SOA record of another name/,
      (z) => (q) => [answerTo(q, [soa(z, 11), soa(`a.${z}`, 11)])],
    ],
    [
      "a record outside the zone",
      /outside the zone/,
      (z) => (q) => [answerTo(q, [soa(z, 11), record("x.example. 3 A 192.0.2.1"), soa(z, 11)])],
    ],
    ["another class", /class is not IN/, (z) => (q) => [answerTo(q, [soa(z, 11), www(z), soa(z, 11)], { rrClass: 3 })]],
    [
      "too many records",
      /more than 2000 records/,
      (z) => (q, socket) => {
        const [first, more] = [
          answerTo(q, [soa(z, 11)]),
          answerTo(
            q,
            Array.from({ length: 500 }, () => www(z)),
          ),
        ];
        socket.write(framed(first));
        const timer = setInterval(() => socket.write(framed(more)), 5);
        socket.on("close", () => clearInterval(timer));
        return undefined;
      },
    ],
    [
      "single octets with long pauses",
      /in time/,
      (z) => (q, socket) => {
        const octets = framed(answerTo(q, [soa(z, 11), www(z), soa(z, 11)]));
        let at = 0;
        const timer = setInterval(() => socket.write(octets.subarray(at, ++at)), 200);
        socket.on("close", () => clearInterval(timer));
        return undefined;
      },
    ],
    ...(["A", "SVCB", "APL", "LOC", "HIP", "NAPTR"] as const).map(
      (name): [string, RegExp, (fqdn: string) => Script["transfer"]] => [
        `malformed RDATA of type ${name}`,
        /ends too early/,
        (z) => (q) => [
          answerTo(q, [soa(z, 11), { ...www(z), type: types[name], rdata: Uint8Array.of(1) }, soa(z, 11)]),
        ],
      ],
    ),
    [
      "an internal record type",
      /type ALIAS/,
      (z) => (q) => [answerTo(q, [soa(z, 11), record(`a.${z} 300 ALIAS www.${z}`), soa(z, 11)])],
    ],
    ["RCODE 5", /REFUSED/, () => (q) => [answerTo(q, [], { rcode: 5 })]],
    [
      "an RRset too large for a message",
      /octets of/,
      (z) => (q) => {
        const texts = (from: number) =>
          Array.from({ length: 150 }, (_, i) => record(`t.${z} 300 TXT "${`${from + i}`.padEnd(200, "x")}"`));
        return [answerTo(q, [soa(z, 11), ...texts(0)]), answerTo(q, texts(150)), answerTo(q, [soa(z, 11)])];
      },
    ],
  ];
  for (const [name, reason, transfer] of cases) {
    test(name, async ({ expect }) => {
      const { zone } = await transferredZone((fqdn) => ({ transfer: transfer(fqdn) }));
      const error = refreshing(zone, async () => (await secondaryOf(zone))["error"]);
      await expect.poll(error, slowly).toMatch(reason);
      expect(await secondaryOf(zone)).toMatchObject({ status: "error", expired: false });
      expect(await names(zone)).toEqual([`${zone} NS`]);
    });
  }
});

describe.concurrent("differences that do not fit are followed by the whole zone, once", () => {
  const ns = (z: string) => record(`${z} 300 NS ns.${z}`);
  test.for<[string, (z: string) => readonly ResourceRecord[]]>([
    [
      "removing a record that does not exist",
      (z) => [soa(z, 10), record(`no.${z} 300 A 192.0.2.9`), soa(z, 11), www(z)],
    ],
    ["adding a record that exists", (z) => [soa(z, 10), soa(z, 11), ns(z)]],
    ["from another serial", (z) => [soa(z, 9), soa(z, 11), www(z)]],
    ["that do not follow each other", (z) => [soa(z, 10), soa(z, 12), www(z)]],
  ])("%s", async ([, differences], { expect }) => {
    const { zone, primary } = await transferredZone((z) => ({
      transfer: (query) => {
        const records = isIxfr(query) ? differences(z) : [ns(z), www(z)];
        return [answerTo(query, [soa(z, 11), ...records, soa(z, 11)])];
      },
    }));
    const shown = refreshing(zone, () => names(zone));
    await expect.poll(shown, slowly).toContain(`www.${zone} A`);
    expect(primary.asked.slice(0, 3)).toEqual([TypeCode.AXFR, TypeCode.IXFR, TypeCode.AXFR]);
  });
});

test("differences are applied step by step", async () => {
  const { zone } = await transferredZone((z) => ({
    soa: soa(z, 12),
    transfer: (query) => [
      answerTo(query, [soa(z, 12), soa(z, 10), soa(z, 11), www(z), record(`b.${z} 60 A 192.0.2.2`)]),
      answerTo(query, [soa(z, 11), www(z), soa(z, 12), soa(z, 12)]),
    ],
  }));
  await expect
    .poll(
      refreshing(zone, () => names(zone)),
      slowly,
    )
    .toEqual([`b.${zone} A`, `${zone} NS`].sort());
  expect((await api.must<Fields>("GET", `zones/${zone}`))["serial"]).toBe(12);
});

test("serials wrap around, and a serial before ours is reported", async () => {
  const { zone, fqdn, primary } = await transferredZone((z) => ({ soa: soa(z, 9) }));
  const error = refreshing(zone, async () => (await secondaryOf(zone))["error"]);
  await expect.poll(error, slowly).toContain("has serial 9, which is before ours, 10");
  for (const serial of [2 ** 31, 2 ** 32 - 1, 0, 3]) {
    const said = soa(fqdn, serial);
    Object.assign(primary.script, {
      soa: said,
      transfer: (query: Uint8Array) => [answerTo(query, [said, www(fqdn), said])],
    });
    await expect
      .poll(
        refreshing(zone, async () => (await api.must<Fields>("GET", `zones/${zone}`))["serial"]),
        slowly,
      )
      .toBe(serial);
  }
});

test("when one server does not serve the zone, the next one is asked", async () => {
  const { zone, primary } = await transferredZone(() => ({ udp: (query) => answerTo(query, [], { rcode: 2 }) }));
  const said = soa(`${zone}.`, 20);
  const other = await scriptedPrimary({
    soa: said,
    transfer: (query) => [answerTo(query, [said, www(`${zone}.`), said])],
  });
  await api.must("POST", `zones/${zone}`, { secondary: { other_ips: ["127.0.0.1"], other_ports: [other.port] } });
  await expect.poll(() => names(zone), patience).toEqual([`www.${zone} A`]);
  expect(primary.asked).toHaveLength(1);
});

test("a zone with a key accepts no answer without a signature or with another key", async () => {
  const zone = newName();
  const fqdn = `${zone}.`;
  const said = soa(fqdn, 5);
  const name = Uint8Array.of(1, 107, 0);
  const key = { name, algorithm: "hmac-sha256" as const, secret: Buffer.from("another") };
  const primary = await scriptedPrimary({ soa: said, transfer: () => [] });
  const tsig = { enabled: true, hash: "hmac-sha256", name: "k", key: "c2VjcmV0" };
  const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port, tsig };
  await api.must("PUT", `zones/${zone}`, { secondary });
  await expect.poll(async () => (await secondaryOf(zone))["error"], patience).toContain("is not signed");
  primary.script.udp = (query) => sign(answerTo(query, [said]), key, Math.floor(Date.now() / 1000)).octets;
  await expect
    .poll(
      refreshing(zone, async () => (await secondaryOf(zone))["error"]),
      slowly,
    )
    .toContain("BADSIG");
  expect(primary.asked).toEqual([]);
});

test("names with arbitrary octets are stored unchanged, and exported in a readable form", async () => {
  const odd = ["\\$ORIGIN", "\\@", 'a\\"b', "a\\\\b", "a\\010b", "a\\000b", "a\\.b"];
  const { zone } = await transferredZone((z) => ({
    transfer: (query) => [
      answerTo(query, [soa(z, 11), ...odd.map((label) => record(`${label}.${z} 300 A 192.0.2.1`)), soa(z, 11)]),
    ],
  }));
  await expect
    .poll(
      refreshing(zone, async () => (await names(zone)).length),
      slowly,
    )
    .toBe(odd.length);
});

test("an unknown type is stored unchanged, up to the size of a message, and exported in a readable form", async () => {
  const rdata = Uint8Array.from({ length: 59_000 }, (_, i) => i);
  const { zone } = await transferredZone((z) => ({
    transfer: (query) => [
      answerTo(query, [soa(z, 11), { ...record(`x.${z} 300 TYPE65280 \\# 0`), rdata }, soa(z, 11)]),
    ],
  }));
  const shown = refreshing(zone, () => names(zone));
  await expect.poll(shown, slowly).toEqual([`x.${zone} TYPE65280`]);
  const { text } = await api.call("GET", `export/zonefile/${zone}`);
  expect(text).toContain(`\\# 59000 ${Buffer.from(rdata).toString("hex").toUpperCase()}`);
});

test("an answer is ignored if the zone got another primary in the meantime", async () => {
  const said = (zone: string) => soa(zone, 12);
  const other = await scriptedPrimary({ soa: said("x."), transfer: (query) => [answerTo(query, [])] });
  const { zone, fqdn } = await transferredZone((z) => ({
    transfer: (query, socket) => {
      const answer = framed(answerTo(query, [soa(z, 11), www(z), soa(z, 11)]));
      const path = `zones/${z.slice(0, -1)}`;
      void api.must("POST", path, { secondary: { primary_port: other.port } }).then(() => socket.write(answer));
      return undefined;
    },
  }));
  Object.assign(other.script, {
    soa: said(fqdn),
    transfer: (query: Uint8Array) => [answerTo(query, [said(fqdn), record(`b.${fqdn} 60 A 192.0.2.2`), said(fqdn)])],
  });
  await api.must("POST", `zones/${zone}?refresh=true`);
  await expect.poll(() => names(zone), patience).toEqual([`b.${zone} A`]);
  const versions = await api.must<{ id: number }[]>("GET", `zones/${zone}/versions`);
  expect(versions.map(({ id }) => id)).not.toContain(11);
});

test("a zone is not transferred from the service itself", async () => {
  const answer = await api.call("PUT", "zones/loop.example", {
    secondary: { enabled: true, primary_ip: "127.0.0.1", primary_port: 5399 },
  });
  expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining("this service itself")]);
});

test("a zone expires after its expiry time, and recovers by itself", async () => {
  const { zone, fqdn, primary } = await transferredZone((z) => ({
    udp: (query) => answerTo(query, [], { rcode: 2 }),
    soa: soa(z, 10),
  }));
  await expect
    .poll(
      refreshing(zone, async () => (await secondaryOf(zone))["status"]),
      slowly,
    )
    .toBe("error");
  expect(await secondaryOf(zone)).toMatchObject({ expired: false });
  clock.advance(90_000_000);
  await expect.poll(async () => (await secondaryOf(zone))["expired"], patience).toBe(true);
  Object.assign(primary.script, { udp: undefined, soa: soa(fqdn, 10) });
  await expect
    .poll(
      refreshing(zone, () => secondaryOf(zone)),
      slowly,
    )
    .toMatchObject({ expired: false, status: "ok", error: null });
});
