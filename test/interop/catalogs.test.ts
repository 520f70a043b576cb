/** Catalog zones (RFC 9432) exchanged with BIND, Knot and PowerDNS: zones are added, changed and removed. */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, test } from "vitest";
import { freePort } from "../machine/processes.ts";
import { type Service, service } from "../service/kit.ts";
import { startBindProducer, startFollower, startKnotProducer } from "./catalog-partners.ts";
import { key } from "./partners/program.ts";
import { serialAt, transferred } from "./partners/zone.ts";

const patience = { timeout: 60_000, interval: 200 };

let ours: Service;
beforeAll(async () => {
  ours = await service();
  await ours.must("PUT", `tsig/${key.name}`, { algorithm: key.algorithm, secret: key.secret });
});
afterAll(() => ours?.stop());

interface Both {
  readonly theirs: readonly string[] | undefined;
  readonly ours: readonly string[] | undefined;
}

const isSame = ({ theirs, ours }: Both) => theirs !== undefined && isDeepStrictEqual(theirs, ours);

describe.concurrent("our catalog is followed", () => {
  test.for(["bind", "knot", "powerdns"] as const)("by %s", async (name, { expect }) => {
    const port = await freePort();
    const catalog = `${name}.catalog.invalid`;
    const by = (tsig_key: string | null) => ({
      primary: { enabled: true, secondaries: [{ ip: "127.0.0.1", port, notify: true, tsig_key }] },
      ...{ refresh: 60, retry: 5 },
    });
    // PowerDNS makes the zones without a key
    const own = by(name === "powerdns" ? null : key.name);
    const member = (of: string) => ({ ...own, catalog: { role: "member", of, groups: ["ours"] } });
    const zone = (label: string) => `${label}.${name}.example`;
    await ours.must("PUT", `zones/${catalog}`, { ...by(key.name), catalog: { role: "producer" } });
    await ours.must("PUT", `zones/${zone("first")}`, member(catalog));
    await using _ = await startFollower(name, { port, ourPort: ours.port, catalog, key });
    const arrives = async (label: string) => {
      const there = async () => ({
        theirs: await transferred(port, zone(label)),
        ours: await transferred(ours.port, zone(label), key),
      });
      await expect.poll(there, patience).toSatisfy(isSame);
    };
    await arrives("first");

    await ours.must("PUT", `zones/${zone("second")}`, member(catalog));
    const a = { answers: [{ answer: ["192.0.2.1"] }] };
    await ours.must("PUT", `zones/${zone("second")}/www.${zone("second")}/A`, a);
    await ours.must("PUT", `zones/${zone("first")}/www.${zone("first")}/A`, a);
    await arrives("second");
    await arrives("first");

    await ours.must("POST", `zones/${zone("first")}`, { catalog: null });
    await expect.poll(() => serialAt(port, zone("first")), patience).toBeUndefined();
    await ours.must("DELETE", `zones/${zone("second")}`);
    await expect.poll(() => serialAt(port, zone("second")), patience).toBeUndefined();
    await ours.must("PUT", `zones/${zone("second")}`, member(catalog));
    await arrives("second");
  });
});

describe.concurrent("we follow a catalog", () => {
  const producers = { bind: startBindProducer, knot: startKnotProducer } as const;

  test.for(["bind", "knot"] as const)("from %s", async (name, { expect }) => {
    const port = await freePort();
    const catalog = `from-${name}.catalog.invalid`;
    const zones = ["one", "two", "three"].map((label) => `${label}.from-${name}.example`);
    const [one = "", two = "", three = ""] = zones;
    await using theirs = await producers[name]({ port, ourPort: ours.port, catalog, key }, zones);
    await theirs.list([one, two]);
    const tsig = { enabled: true, hash: key.algorithm, name: key.name, key: key.secret };
    const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: port, tsig };
    await ours.must("PUT", `zones/${catalog}`, { secondary, catalog: { role: "consumer" } });
    const answered = async () =>
      Promise.all(zones.map(async (zone) => (await serialAt(ours.port, zone)) !== undefined));
    await expect.poll(answered, patience).toEqual([true, true, false]);
    expect(await ours.must("GET", `zones/${one}`)).toMatchObject({
      catalog: { of: catalog },
      secondary: { status: "ok" },
    });
    await theirs.list([two, three]);
    await expect.poll(answered, patience).toEqual([false, true, true]);
    await theirs.list([]);
    const state = async () => (await ours.must("GET", `zones/${catalog}`))["catalog"];
    await expect.poll(state, patience).toMatchObject({ status: "held", held: { count: 2 } });
    expect(await answered()).toEqual([false, true, true]);
    await ours.must("POST", `zones/${catalog}?refresh=true&confirm_deletions=true`);
    await expect.poll(answered, patience).toEqual([false, false, false]);
    expect(await serialAt(ours.port, catalog)).toBeUndefined();
  });
});
