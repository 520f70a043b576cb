/** Zones exchanged with BIND, NSD, Knot and PowerDNS: all of them the same at the end, and at every serial that is seen. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seededRandom } from "../../src/lib/random.ts";
import { type Service, service } from "../kit.ts";
import { freePort, run } from "../processes.ts";
import { type Key, type PartnerZone, type ProgramName, serialAt, startPartner, transferred } from "./nameservers.ts";

const changes = Number(process.env["FAIRLEAD_TRANSFER_CHANGES"] ?? 40);
const patience = { timeout: 30_000, interval: 100 };
const key: Key = {
  name: "transfer.example",
  algorithm: "hmac-sha256",
  secret: Buffer.from("a secret of thirty-two octets....").toString("base64"),
};

let ours: Service;
beforeAll(async () => {
  ours = await service();
  await must("PUT", `tsig/${key.name}`, { algorithm: key.algorithm, secret: key.secret });
});
afterAll(() => ours?.stop());

async function must(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const reply = await ours.api<Record<string, unknown>>(method, path, body);
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}

/** Some change of the records at a few names; what is there is known. */
function changer(seed: number, zone: string) {
  const random = seededRandom(seed);
  const there = new Set<string>();
  const pick = (count: number) => Math.floor(random() * count);
  return () => {
    const domain = `n${pick(12)}.${zone}`;
    if (there.has(domain) && random() < 0.3) {
      there.delete(domain);
      return { domain, ttl: 0, addresses: [] };
    }
    there.add(domain);
    const addresses = Array.from({ length: 1 + pick(3) }, (_, i) => `192.0.2.${i * 60 + pick(60)}`);
    return { domain, ttl: 60 + pick(5), addresses };
  };
}

const zonesOf = (name: string): readonly PartnerZone[] => [
  { zone: `plain-${name}.example`, key: undefined },
  { zone: `signed-${name}.example`, key },
];

for (const name of ["bind", "nsd", "knot", "powerdns"] as const satisfies readonly ProgramName[]) {
  test(`${name} follows our zones, by address and signed`, async () => {
    const port = await freePort();
    const zones = zonesOf(`to-${name}`);
    for (const { zone, key: signing } of zones) {
      const secondary = { ip: "127.0.0.1", port, notify: true, ...(signing ? { tsig_key: signing.name } : {}) };
      await must("PUT", `zones/${zone}`, {
        primary: { enabled: true, secondaries: [secondary] },
        refresh: 60,
        retry: 5,
      });
    }
    await using partner = await startPartner(name, "secondary", { ours: ours.port, zones, port });
    for (const [i, { zone, key: signing }] of zones.entries()) {
      await expect
        .poll(() => serialAt(partner.port, zone), patience)
        .toBe((await must("GET", `zones/${zone}`))["serial"]);
      const next = changer(7 + i, zone);
      for (let n = 0; n < changes; n++) {
        const { domain, ttl, addresses } = next();
        const path = `zones/${zone}/${domain}/A`;
        if (addresses.length === 0) await must("DELETE", path);
        else {
          const put = [{ domain, type: "A", ttl, answers: addresses.map((address) => ({ answer: [address] })) }];
          await must("POST", `zones/${zone}/records`, { put });
        }
        if (n % 10 !== 9) continue;
        const wanted = await settled(() => transferred(ours.port, zone, signing));
        await expect.poll(() => transferred(partner.port, zone), patience).toEqual(wanted);
      }
      const wanted = await settled(() => transferred(ours.port, zone, signing));
      await expect.poll(() => transferred(partner.port, zone), patience).toEqual(wanted);
    }
  });
}

/** What comes twice in a row: changes get their serials a moment after their replies. */
async function settled<T>(read: () => Promise<T>): Promise<T> {
  for (let before = await read(); ; ) {
    const now = await read();
    if (JSON.stringify(now) === JSON.stringify(before)) return now;
    before = now;
  }
}

describe.each(["bind", "knot"] as const)("we follow %s", (name) => {
  test("by address and signed, through every change", async () => {
    const zones = zonesOf(`from-${name}`);
    await using partner = await startPartner(name, "primary", { ours: ours.port, zones });
    for (const [i, { zone, key: signing }] of zones.entries()) {
      const tsig = signing && { enabled: true, hash: signing.algorithm, name: signing.name, key: signing.secret };
      const secondary = {
        enabled: true,
        primary_ip: "127.0.0.1",
        primary_port: partner.port,
        ...(tsig ? { tsig } : {}),
      };
      // to be read back, by whoever compares
      const primary = { enabled: true, secondaries: [{ ip: "127.0.0.1" }] };
      await must("PUT", `zones/${zone}`, { secondary, primary });
      await expect.poll(() => serialAt(ours.port, zone), patience).toBe(await serialAt(partner.port, zone));
      const next = changer(70 + i, zone);
      for (let n = 0; n < changes; n++) {
        const { domain, ttl, addresses } = next();
        const lines = [`server 127.0.0.1 ${partner.port}`, `zone ${zone}`, `update delete ${domain} A`];
        for (const address of addresses) lines.push(`update add ${domain} ${ttl} A ${address}`);
        const { code, err } = await run("sh", ["-c", `printf '%s\\n' '${[...lines, "send"].join("' '")}' | nsupdate`]);
        expect([code, err]).toEqual([0, ""]);
        if (n % 10 !== 9) continue;
        await expect.poll(() => serialAt(ours.port, zone), patience).toBe(await serialAt(partner.port, zone));
        expect(await transferred(ours.port, zone)).toEqual(await transferred(partner.port, zone, signing));
      }
      expect((await must("GET", `zones/${zone}`))["secondary"]).toMatchObject({ status: "ok", error: null });
    }
  });
});
