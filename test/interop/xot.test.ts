/** Zones exchanged over TLS (RFC 9103) with BIND and NSD, without and with TSIG, and read with kdig. */
import { createHash, X509Certificate } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSelfSigned } from "../../src/net/tls/self-signed.ts";
import { freePort, output, run } from "../machine/processes.ts";
import { type Service, service } from "../service/kit.ts";
import { startPrepared } from "./partners/partner.ts";
import { key, type PartnerZone } from "./partners/program.ts";
import { serialAt, transferred } from "./partners/zone.ts";
import { bindAsPrimary, bindAsSecondary, nsdAsSecondary } from "./xot-partners.ts";

const patience = { timeout: 60_000, interval: 100 };
const name = "dns1.p01.fairlead.test";
const zonesOf = (partner: string): readonly PartnerZone[] => [
  { zone: `plain-${partner}.example`, key: undefined },
  { zone: `signed-${partner}.example`, key },
];

let dot = 0;
let ours: Service;
beforeAll(async () => {
  dot = await freePort();
  ours = await service({ flags: ["--dot", `127.0.0.1:${dot}`] });
  await ours.must("PUT", `tsig/${key.name}`, { algorithm: key.algorithm, secret: key.secret });
});
afterAll(() => ours?.stop());

const put = (zone: string, label: string, address: string) =>
  ours.must("POST", `zones/${zone}/records`, {
    put: [{ domain: `${label}.${zone}`, type: "A", answers: [{ answer: [address] }] }],
  });

test.each([
  ["BIND", bindAsSecondary],
  ["NSD", nsdAsSecondary],
] as const)("%s follows our zones, which are refused over TCP", async (partner, prepare) => {
  const port = await freePort();
  const zones = zonesOf(`to-${partner.toLowerCase()}`);
  for (const { zone, key: signing } of zones) {
    const signed = signing ? { tsig_key: signing.name } : {};
    const secondaries = [{ ip: "127.0.0.1", port, notify: true, tls_only: true, ...signed }];
    await ours.must("PUT", `zones/${zone}`, { primary: { enabled: true, secondaries }, refresh: 60, retry: 5 });
    await put(zone, "www", "192.0.2.1");
  }
  const ask = prepare({ cert: join(ours.data, "tls-cert.pem"), name });
  await using there = await startPrepared(ask, { ourPort: dot, zones, port });
  for (const { zone, key: signing } of zones) {
    expect(await transferred(ours.port, zone, signing)).toBeUndefined();
    for (let i = 0; i < 5; i++) {
      await put(zone, `n${i}`, `192.0.2.${i}`);
      const line = `n${i}.${zone}. 3600 IN A 192.0.2.${i}`;
      await expect.poll(() => transferred(there.port, zone), patience).toContain(line);
    }
  }
});

const certificate = makeSelfSigned({
  names: ["ns.partner.test"],
  from: new Date(Date.now() - 86_400_000),
  to: new Date(Date.now() + 86_400_000),
});
const spki = new X509Certificate(certificate.cert).publicKey.export({ type: "spki", format: "der" });

test("we follow BIND, whose certificate is checked by name or by key", async () => {
  const zones = zonesOf("from-bind");
  const port = await freePort();
  await using there = await startPrepared(bindAsPrimary({ port, certificate }), { ourPort: ours.port, zones });
  for (const { zone, key: signing } of zones) {
    const tsig = signing && { enabled: true, hash: signing.algorithm, name: signing.name, key: signing.secret };
    const tls = signing
      ? { enabled: true, spki_pins: [createHash("sha256").update(spki).digest("base64")] }
      : { enabled: true, auth_domain_name: "ns.partner.test", ca: certificate.cert };
    const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: port, tls, ...(tsig ? { tsig } : {}) };
    const primary = { enabled: true, secondaries: [{ ip: "127.0.0.1" }] };
    await ours.must("PUT", `zones/${zone}`, { secondary, primary });
    for (let i = 0; i < 5; i++) {
      const lines = [`server 127.0.0.1 ${there.port}`, `zone ${zone}`, `update add n${i}.${zone} 60 A 192.0.2.${i}`];
      const { code, err } = await run("sh", ["-c", `printf '%s\\n' '${[...lines, "send"].join("' '")}' | nsupdate`]);
      expect([code, err]).toEqual([0, ""]);
      await expect.poll(() => serialAt(ours.port, zone), patience).toBe(await serialAt(there.port, zone));
      expect(await transferred(ours.port, zone)).toContain(`n${i}.${zone}. 60 IN A 192.0.2.${i}`);
    }
    expect((await ours.must("GET", `zones/${zone}`))["secondary"]).toMatchObject({ status: "ok", error: null });
    await ours.must("POST", `zones/${zone}`, { secondary: { tls: { auth_domain_name: "other.partner.test" } } });
    const error = async () =>
      ((await ours.must("GET", `zones/${zone}`))["secondary"] as { error: string | null }).error;
    await expect.poll(error, patience).toMatch(/no valid DNS answer came; check .* TLS/);
    expect(ours.daemon.printed).toMatch(/not for other\.partner\.test|not from a trusted authority/);
  }
});

test("kdig reads a zone over TLS, in padded messages", async () => {
  await ours.must("PUT", "zones/padded.example", { primary: { enabled: true, secondaries: [{ ip: "127.0.0.1" }] } });
  const words = ["@127.0.0.1", "-p", `${dot}`, "+tls", "+padding=128", "padded.example", "AXFR"];
  await expect.poll(() => output("kdig", words), patience).toMatch(/Received 468 B \(1 messages, 6 records\)/);
});
