/** Secondaries stay correct while a zone is restored, deleted, undeleted, imported, and moved to a primary and back. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { scanRdata } from "../../src/dns/rdata/codec.ts";
import { typeNamed } from "../../src/dns/type-names.ts";
import { freePort } from "../machine/processes.ts";
import { type Service, service } from "../service/kit.ts";
import { type Partner, startPartner } from "./partners/partner.ts";
import { linesOf, serialAt, versionAt } from "./partners/zone.ts";

const patience = { timeout: 60_000, interval: 50 };
const timeout = 240_000;

let ours: Service;
beforeAll(async () => {
  ours = await service();
});
afterAll(() => ours?.stop());

/** Expects that all secondaries have the zone as we send it, and that it equals `wanted`. */
async function arrives(zone: string, secondaries: readonly Partner[], wanted: (lines: string[]) => boolean) {
  const of = async (port: number) => {
    const { serial, soa, records } = await versionAt(port, { zone, key: undefined });
    return { serial, soa, records: linesOf(records) };
  };
  await expect.poll(async () => wanted((await of(ours.port)).records), patience).toBe(true);
  for (const { port } of secondaries) {
    const both = async () => ({ ours: await of(ours.port), theirs: await of(port) });
    await expect.poll(both, patience).toSatisfy(isSame);
  }
}

const isSame = ({ ours, theirs }: { ours: unknown; theirs: unknown }) =>
  JSON.stringify(ours) === JSON.stringify(theirs);

/** Creates a zone of ours that BIND and NSD follow. */
async function followed(zone: string) {
  const ports = [await freePort(), await freePort()] as const;
  const secondaries = ports.map((port) => ({ ip: "127.0.0.1", port, notify: true }));
  const settings = { primary: { enabled: true, secondaries }, refresh: 20, retry: 5 };
  await ours.must("PUT", `zones/${zone}`, settings);
  const zones = [{ zone, key: undefined }];
  const bind = await startPartner("bind", "secondary", { ourPort: ours.port, zones, port: ports[0] });
  const nsd = await startPartner("nsd", "secondary", { ourPort: ours.port, zones, port: ports[1] });
  const partners = [bind, nsd];
  return {
    settings,
    arrives: (wanted: (lines: string[]) => boolean) => arrives(zone, partners, wanted),
    async [Symbol.asyncDispose]() {
      for (const partner of partners) await partner[Symbol.asyncDispose]();
    },
  };
}

const has = (text: string) => (lines: string[]) => lines.some((line) => line.includes(text));
const lacks = (text: string) => (lines: string[]) => !has(text)(lines);

test("secondaries follow through a restoration, a change set, deletions, an import and other settings", {
  timeout,
}, async () => {
  const zone = "many.example";
  await using there = await followed(zone);
  const put = (label: string, ...addresses: string[]) =>
    ours.put(zone, `${label}.${zone} A`, ...addresses.map((address) => [address]));
  await put("www", "192.0.2.1", "192.0.2.2");
  await there.arrives(has("192.0.2.2"));
  const { serial } = await ours.must("GET", `zones/${zone}`);

  for (let i = 0; i < 30; i++) await put(`n${i % 7}`, `198.51.100.${i}`);
  await put("www", "192.0.2.9");
  await ours.must("POST", `zones/${zone}`, { ttl: 77, nx_ttl: 33, hostmaster: "other@example.net" });
  await there.arrives(has("192.0.2.9"));
  await ours.must("POST", `zones/${zone}/versions/${serial}/activate`);
  await there.arrives((lines) => has("192.0.2.2")(lines) && lacks("198.51.100.")(lines));

  const records = [
    { action: "put", zone, domain: `set.${zone}`, type: "TXT", answers: [{ answer: ["together"] }] },
    { action: "delete", zone, domain: `www.${zone}`, type: "A" },
  ];
  await ours.must("PUT", "changesets", { zones: [{ action: "update", zone, ttl: 99 }], records });
  await there.arrives(has("together"));

  const { id } = await ours.must("GET", `zones/${zone}`);
  await ours.must("DELETE", `zones/${zone}`);
  await ours.must("POST", `deletedzones/${id}/undelete`);
  await put("back", "192.0.2.3");
  await there.arrives((lines) => has("together")(lines) && has("192.0.2.3")(lines));

  // another zone with the same name, and without anything of the former zone
  await ours.must("DELETE", `zones/${zone}`);
  const file = `@ 60 SOA ns host 1 2 3 4 5\n@ NS ns.example.net.\nimported 60 A 192.0.2.4\n`;
  const headers = { "X-NSONE-Key": ours.key };
  const reply = await fetch(`${ours.url}/v1/import/zonefile/${zone}`, { method: "PUT", headers, body: file });
  expect(reply.status).toBe(200);
  await ours.must("POST", `zones/${zone}`, there.settings);
  await there.arrives((lines) => has("imported")(lines) && lacks("together")(lines));
  await put("later", "192.0.2.5");
  await there.arrives(has("192.0.2.5"));

  await ours.must("DELETE", `zones/${zone}`);
  await ours.must("POST", `deletedzones/${id}/undelete`);
  await there.arrives((lines) => has("together")(lines) && lacks("imported")(lines));
});

test("secondaries follow when the zone moves to another primary, and around the circle of serials", {
  timeout,
}, async () => {
  const zone = "circle.example";
  await using there = await followed(zone);
  await ours.put(zone, `own.${zone} A`, ["192.0.2.1"]);
  await there.arrives(has("192.0.2.1"));

  await using primary = await startPartner("bind", "primary", {
    ourPort: ours.port,
    zones: [{ zone, key: undefined }],
  });
  const [soa, a] = [typeNamed("SOA")!, typeNamed("A")!];
  // RFC 1982 section 7: each serial is after the previous one, by less than half a circle
  const moves = async (serial: number) => {
    const rdata = scanRdata(soa, `ns.${zone}. host.${zone}. ${serial} 20 5 86400 300`);
    await primary.change({ zone, domain: zone, type: soa, ttl: 300, rdata: [rdata] });
  };
  const put = (last: number) =>
    primary.change({ zone, domain: `theirs.${zone}`, type: a, ttl: 60, rdata: [Uint8Array.of(192, 0, 2, last)] });
  await moves(2_000_000_000);
  const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port };
  await ours.must("POST", `zones/${zone}`, { secondary });
  await put(2);
  await there.arrives((lines) => has("192.0.2.2")(lines) && lacks("192.0.2.1")(lines));
  for (const serial of [4_000_000_000, 4_294_967_294]) {
    await moves(serial);
    await expect.poll(() => serialAt(ours.port, zone), patience).toBe(serial);
    await there.arrives(() => true);
  }
  for (let last = 3; last < 9; last++) {
    await put(last);
    await there.arrives(has(`192.0.2.${last}`));
  }
  expect(await serialAt(ours.port, zone)).toBeLessThan(10);

  await ours.must("POST", `zones/${zone}`, { secondary: null });
  await ours.put(zone, `again.${zone} A`, ["192.0.2.10"]);
  await there.arrives((lines) => has("192.0.2.8")(lines) && has("192.0.2.10")(lines));
});

test("secondaries have steered records with the previewed answers", { timeout }, async () => {
  const zone = "steered.example";
  await using there = await followed(zone);
  const answers = (...all: string[]) => all.map((answer) => ({ answer: [answer], meta: { up: true } }));
  const filters = [
    { filter: "up", config: {} },
    { filter: "select_first_n", config: { N: 1 } },
  ];
  const put = [
    { domain: `many.${zone}`, type: "A", answers: answers("192.0.2.1", "192.0.2.2", "192.0.2.1"), filters },
    { domain: `one.${zone}`, type: "CNAME", answers: answers("a.example.net", "b.example.net"), filters },
    { domain: zone, type: "ALIAS", answers: answers(`many.${zone}`) },
    { domain: `plain.${zone}`, type: "MX", answers: [{ answer: [10, "mail.example.net"] }] },
  ];
  await ours.must("POST", `zones/${zone}/records`, { put });
  const matches = async () => {
    const { body } = await ours.api<{ records: string[] }[]>("GET", `zones/${zone}/transfer`);
    const preview = body.flatMap(({ records }) => records);
    expect(preview.length).toBeGreaterThan(3);
    await there.arrives((lines) => isSame({ ours: [...preview].sort(), theirs: [...lines].sort() }));
  };
  await matches();
  await ours.must("POST", `zones/${zone}/records`, {
    put: [
      { domain: `many.${zone}`, type: "A", answers: answers("192.0.2.2", "192.0.2.3") },
      { domain: `one.${zone}`, type: "CNAME", answers: answers("b.example.net", "a.example.net"), filters },
    ],
    remove: [{ domain: zone, type: "ALIAS" }],
  });
  await matches();
});
