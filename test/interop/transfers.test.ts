/** Zones exchanged with BIND, NSD, Knot and PowerDNS, in both directions: the same contents at every serial. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WireError } from "../../src/dns/wire/wire.ts";
import { freePort } from "../machine/processes.ts";
import { type Service, service } from "../service/kit.ts";
import { changerOf, type RandomChange } from "./partners/changes.ts";
import { type ProgramName, startPartner } from "./partners/partner.ts";
import { firstSerial, key, type PartnerZone } from "./partners/program.ts";
import { linesOf, serialAt, transferred, type Version, versionAt, ZoneModel } from "./partners/zone.ts";

/** How many changes are made for each partner in each role, once with transfers allowed by address, once with TSIG. */
const changes = Number(process.env["TRANSFER_CHANGES"] ?? 100);
/** The number of further changes, which are made without waiting between them. */
const burst = 10;
const patience = 60_000;
const timeout = 600_000;
/** Attempts, 20 ms apart, to transfer what is already answered. */
const attempts = 500;

/**
 * Zones that share the changes: after a change, these programs wait for up to a second before they notify or transfer.
 */
const zonesOf: Readonly<Record<ProgramName, number>> = { powerdns: 5, knot: 5, nsd: 5, bind: 5 };
const programs = ["powerdns", "knot", "nsd", "bind"] as const;

let ours: Service;
beforeAll(async () => {
  // many zones of one account change at once
  ours = await service({ flags: ["--transfers-out", "100"] });
  await ours.must("PUT", `tsig/${key.name}`, { algorithm: key.algorithm, secret: key.secret });
});
afterAll(() => ours?.stop());

const zonesFor = (name: ProgramName, role: string): PartnerZone[] =>
  Array.from({ length: zonesOf[name] }, (_, i) => [
    { zone: `plain${i}.${role}-${name}.example`, key: undefined },
    { zone: `signed${i}.${role}-${name}.example`, key },
  ]).flat();

interface Side {
  readonly port: number;
  readonly zone: PartnerZone;
}

interface Course {
  readonly count: number;
  readonly seed: number;
}

/** Returns the serial that a change gives its zone. */
type Write = (change: RandomChange) => Promise<number>;

/** Changes a zone on one side, and compares the other side at every serial. */
async function follows(from: Side, to: Side, { count, seed }: Course, write: Write) {
  const { zone } = from.zone;
  const { serial: first, soa, records } = await begun(from);
  const model = new ZoneModel(records);
  const next = changerOf(seed, zone);
  const change = async () => {
    const wanted = next();
    model.put(wanted);
    return { serial: await write(wanted), what: `${zone} after ${wanted.domain} ${wanted.type.name}` };
  };
  const check = async (serial: number, what: string) => {
    await until(to, from, serial);
    if (serial === first) await begun(to);
    const version = await versionOf(to, serial);
    expect({ ...version, records: linesOf(version.records) }, what).toEqual({ serial, soa, records: model.lines });
  };
  await check(first, `${zone} in its first version`);
  for (let n = 0; n < count; n++) {
    const { serial, what } = await change();
    await check(serial, what);
  }
  let last = first;
  for (let n = 0; n < burst; n++) last = (await change()).serial;
  await check(last, `${zone} after many changes at once`);
  const lines = await linesAt(to);
  expect(lines).toBeDefined();
  expect(lines).toEqual(await transferred(from.port, zone, from.zone.key));
}

/**
 * Resolves with a server's first answer. Our edge may answer some milliseconds before it knows the zone's secondaries.
 */
async function begun({ port, zone }: Side): Promise<Version> {
  for (let left = attempts; ; left--) {
    try {
      return await versionAt(port, zone);
    } catch (error) {
      if (left === 0) throw error;
    }
    await delay(20);
  }
}

/**
 * The version with a serial that is already answered. NSD ends its old processes a moment after the new ones have begun to
 * answer; until then, the old ones may still accept connections, which end with them.
 */
async function versionOf({ port, zone }: Side, serial: number): Promise<Version> {
  for (let left = attempts; ; left--) {
    try {
      const version = await versionAt(port, zone);
      if (version.serial === serial || left === 0) return version;
    } catch (error) {
      if (error instanceof WireError || left === 0) throw error;
    }
    await delay(20);
  }
}

/** A transfer of the zone, from old processes of NSD too: then the next attempt reaches the new ones. */
async function linesAt({ port, zone }: Side): Promise<string[] | undefined> {
  for (let left = attempts; ; left--) {
    const lines = await transferred(port, zone.zone, zone.key);
    if (lines || left === 0) return lines;
    await delay(20);
  }
}

/** Waits until one side answers with a serial that the other has. */
async function until(to: Side, from: Side, serial: number): Promise<void> {
  const { zone } = to.zone;
  const serialOf = async (port: number) => await serialAt(port, zone).catch(() => undefined);
  const deadline = Date.now() + patience;
  for (let now: number | undefined, pause = 10; now !== serial; pause = Math.min(50, pause * 1.5)) {
    if (Date.now() > deadline) {
      const there = `port ${from.port}, its source, ${await serialOf(from.port)}`;
      throw new Error(`port ${to.port} answers serial ${now} of ${zone} and not ${serial}; ${there}`);
    }
    await delay(pause);
    now = await serialOf(to.port);
  }
}

async function writeHere({ zone, domain, type, ttl, answers }: RandomChange): Promise<number> {
  const record = { domain, type: type.name, ttl, answers: answers.map((answer) => ({ answer })) };
  const order = answers.length === 0 ? { remove: [{ domain, type: type.name }] } : { put: [record] };
  const { status, body, headers } = await ours.api("POST", `zones/${zone}/records`, order);
  if (status !== 200) throw new Error(`${domain} ${type.name}: ${status} ${JSON.stringify(body)}`);
  for (;;) {
    const change = await ours.must("GET", `changes/${headers.get("x-fairlead-change")}`);
    const [serial] = Object.values(change["serials"] ?? {});
    if (serial !== undefined) return Number(serial);
    await delay(5);
  }
}

// one program after another, since 80 zones at once keep a slow machine from answering in time
describe.each(programs)("%s", (name) => {
  const count = Math.ceil(changes / zonesOf[name]);

  test.concurrent("follows our zones, by address and with TSIG", { timeout }, async () => {
    const port = await freePort();
    const zones = zonesFor(name, "to");
    for (const { zone, key: signing } of zones) {
      const secondary = { ip: "127.0.0.1", port, notify: true, ...(signing ? { tsig_key: signing.name } : {}) };
      const primary = { enabled: true, secondaries: [secondary] };
      await ours.must("PUT", `zones/${zone}`, { primary, refresh: 60, retry: 5 });
    }
    await using partner = await startPartner(name, "secondary", { ourPort: ours.port, zones, port });
    const there = ({ zone }: PartnerZone) => ({ port: partner.port, zone: { zone, key: undefined } });
    await Promise.all(
      zones.map((zone, i) => follows({ port: ours.port, zone }, there(zone), { count, seed: i }, writeHere)),
    );
  });

  test.concurrent("is followed by us, by address and with TSIG", { timeout }, async () => {
    const zones = zonesFor(name, "from");
    await using partner = await startPartner(name, "primary", { ourPort: ours.port, zones });
    const primary = { enabled: true, secondaries: [{ ip: "127.0.0.1" }] };
    for (const { zone, key: signing } of zones) {
      const tsig = signing && { enabled: true, hash: signing.algorithm, name: signing.name, key: signing.secret };
      const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: partner.port, ...(tsig && { tsig }) };
      // saved so that versions can be compared
      await ours.must("PUT", `zones/${zone}`, { secondary, primary });
    }
    const followed = async (zone: PartnerZone, i: number) => {
      let serial = firstSerial;
      const write: Write = async (change) => {
        await partner.change(change);
        return ++serial;
      };
      const here = { port: ours.port, zone: { ...zone, key: undefined } };
      await follows({ port: partner.port, zone }, here, { count, seed: 100 + i }, write);
      expect((await ours.must("GET", `zones/${zone.zone}`))["secondary"]).toMatchObject({ status: "ok", error: null });
    };
    await Promise.all(zones.map(followed));
  });
});
