/** Catalogs of other servers: their zones are made, changed, held, skipped and removed as a primary lists them. */
import { describe, expect, test } from "vitest";
import { answerTo, record, scriptedPrimary, soa } from "../../../../test/network/scripted-primary.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { nameToApi } from "../../../dns/wire/name.ts";
import { Reader } from "../../../dns/wire/wire.ts";

const patience = { timeout: 60_000, interval: 50 };
const api = await startApi();

/** The primary's data by zone: its serial, and the lines of its records. */
const there = new Map<string, { serial: number; lines: readonly string[] }>();
const asked = (query: Uint8Array) => nameToApi(new Reader(query.subarray(12)).name()).toLowerCase();
const soaOf = (zone: string) => soa(`${zone}.`, there.get(zone)!.serial);
const primary = await scriptedPrimary({
  soa: soa("unused.", 1),
  udp(query) {
    const zone = asked(query);
    return there.has(zone) ? answerTo(query, [soaOf(zone)]) : answerTo(query, [], { rcode: 5 });
  },
  transfer(query) {
    const zone = asked(query);
    if (!there.has(zone)) return [answerTo(query, [], { rcode: 5 })];
    const records = there.get(zone)!.lines.map((line) => record(line.replaceAll("@", `${zone}.`)));
    return [answerTo(query, [soaOf(zone), record(`${zone}. 0 NS invalid.`), ...records, soaOf(zone)])];
  },
});
const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port };

const version = 'version.@ 0 TXT "2"';
const node = (label: string, zone: string) => `${label}.zones.@ 0 PTR ${zone}.`;

/** Sets the contents of the primary's catalog, and has it transferred. */
async function says(catalog: string, lines: readonly string[]): Promise<void> {
  const serial = (there.get(catalog)?.serial ?? 9) + 1;
  there.set(catalog, { serial, lines });
  for (const line of lines) {
    const zone = / PTR (.*)\.$/.exec(line)?.[1];
    if (zone && !there.has(zone)) there.set(zone, { serial: 5, lines: ["www.@ 60 A 192.0.2.1"] });
  }
  if (serial > 10) await api.must("POST", `zones/${catalog}?refresh=true`);
}

let count = 0;
async function follow(lines: readonly string[], rest: Fields = {}) {
  const catalog = `c${++count}.invalid`;
  await says(catalog, lines);
  await api.must("PUT", `zones/${catalog}`, { secondary: { ...secondary, ...rest }, catalog: { role: "consumer" } });
  return catalog;
}

const stateOf = async (catalog: string) => (await api.must<{ catalog: Fields }>("GET", `zones/${catalog}`)).catalog;
const zoneAt = async (zone: string) => (await api.call("GET", `zones/${zone}`)).body;
const statusOf = async (zone: string) => (await api.call("GET", `zones/${zone}`)).status;
const isThere = (zone: string) => expect.poll(() => statusOf(zone), patience).toBe(200);
const isGone = (zone: string) => expect.poll(() => statusOf(zone), patience).toBe(404);
const isIn = (catalog: string, state: Fields) => expect.poll(() => stateOf(catalog), patience).toMatchObject(state);

describe("a catalog of another server", () => {
  test("makes zones that are transferred like the catalog, changes them with it, and removes them", async () => {
    const catalog = await follow([
      version,
      node("a", "a1.example"),
      'group.a.zones.@ 0 TXT "g"',
      node("b", "b1.example"),
    ]);
    await isIn(catalog, { role: "consumer", status: "ok", members: 2, error: null, held: null, skipped: [] });
    const made = await api.must("GET", "zones/a1.example");
    expect(made).toMatchObject({
      catalog: { role: "consumed", of: catalog, node: "a", groups: ["g"], coo: null },
      secondary: { primary_port: primary.port },
    });
    await expect.poll(() => zoneAt("a1.example"), patience).toMatchObject({ secondary: { status: "ok" }, serial: 5 });
    const log = await api.must<Fields[]>("GET", "account/activity?resource_type=dns_zone&limit=1000");
    const entry = log.find((each) => each["action"] === "create" && each["resource_id"] === made["id"]);
    expect(entry).toMatchObject({ user_type: "system", user_name: `catalog ${catalog}` });

    await api.must("POST", `zones/${catalog}`, {
      secondary: { other_ips: ["127.0.0.1"], other_ports: [primary.port] },
    });
    await expect.poll(() => zoneAt("b1.example"), patience).toMatchObject({ secondary: { other_ips: ["127.0.0.1"] } });
    await says(catalog, [version, node("b", "b1.example")]);
    await isGone("a1.example");
    expect(await api.must("POST", "deletedzones/a1.example/undelete")).toMatchObject({ catalog: null });
    expect(await statusOf("b1.example")).toBe(200);
  });

  test("is followed even if its first serial equals ours", async () => {
    const catalog = `c${++count}.invalid`;
    const { serial } = await api.must("PUT", `zones/${catalog}`, { secondary, catalog: { role: "consumer" } });
    await expect.poll(() => zoneAt(catalog), patience).toMatchObject({ secondary: { status: "error" } });
    there.set(catalog, { serial: Number(serial), lines: [version, node("a", "a8.example")] });
    there.set("a8.example", { serial: 5, lines: [] });
    await api.must("POST", `zones/${catalog}?refresh=true`);
    await isThere("a8.example");
  });

  test("replaces a zone with a new one when its label changes", async () => {
    const catalog = await follow([version, node("a", "a2.example")]);
    await expect.poll(() => zoneAt("a2.example"), patience).toMatchObject({ secondary: { status: "ok" } });
    const { id } = await api.must("GET", "zones/a2.example");
    await says(catalog, [version, node("z", "a2.example")]);
    await expect.poll(async () => (await zoneAt("a2.example"))["id"], patience).not.toBe(id);
    expect(await api.must("GET", "zones/a2.example")).toMatchObject({ catalog: { node: "z" } });
  });

  test("is held when it is empty, and continues after confirmation", async () => {
    const catalog = await follow([version, node("a", "a3.example"), node("b", "b3.example")]);
    await isIn(catalog, { status: "ok", members: 2 });
    await says(catalog, [version, node("c", "c3.example")]);
    await isIn(catalog, { status: "held", held: { count: 2, zones: ["a3.example", "b3.example"] } });
    await isThere("c3.example");
    expect(await statusOf("a3.example")).toBe(200);
    await api.must("POST", `zones/${catalog}?refresh=true`);
    await isIn(catalog, { status: "held" });
    await api.must("POST", `zones/${catalog}?refresh=true&confirm_deletions=true`);
    await isGone("a3.example");
    await isIn(catalog, { status: "ok", held: null, members: 1 });
  });

  test("changes nothing when it is broken, and shows the reason", async () => {
    const catalog = await follow([version, node("a", "a4.example"), node("b", "b4.example")]);
    await isIn(catalog, { status: "ok" });
    await says(catalog, [node("c", "c4.example")]);
    await isIn(catalog, { status: "error", error: "has no version", members: 2 });
    expect(await statusOf("a4.example")).toBe(200);
    expect(await statusOf("c4.example")).toBe(404);
    await says(catalog, [version, node("a", "a4.example"), node("b", "b4.example"), node("c", "c4.example")]);
    await isIn(catalog, { status: "ok", error: null, members: 3 });
  });

  test("skips zones that exist already", async () => {
    await api.must("PUT", "zones/own5.example", {});
    const stranger = await api.stranger();
    await stranger.must("PUT", "zones/foreign5.example", {});
    const catalog = await follow([
      version,
      node("a", "own5.example"),
      node("b", "foreign5.example"),
      node("c", "c5.example"),
    ]);
    await isIn(catalog, {
      status: "ok",
      skipped: [
        { zone: "foreign5.example", reason: "zone already exists" },
        { zone: "own5.example", reason: "the account already has this zone" },
      ],
    });
    await isThere("c5.example");
    expect(await zoneAt("own5.example")).toMatchObject({ secondary: null, catalog: null });
    await api.must("DELETE", "zones/own5.example");
    await api.must("POST", `zones/${catalog}?refresh=true`);
    await isThere("own5.example");
  });

  test("hands a zone over to the catalog that it names, with its data if the label is the same", async () => {
    const from = await follow([version, node("a", "a6.example"), node("b", "b6.example"), node("c", "c6.example")]);
    await isIn(from, { members: 3, status: "ok" });
    await expect.poll(() => zoneAt("a6.example"), patience).toMatchObject({ secondary: { status: "ok" } });
    const { id } = await api.must("GET", "zones/a6.example");
    const to = `c${++count}.invalid`;
    const leaving = `coo.a.zones.@ 0 PTR ${to}.`;
    await says(from, [version, node("a", "a6.example"), leaving, node("b", "b6.example"), node("c", "c6.example")]);
    await expect.poll(() => zoneAt("a6.example"), patience).toMatchObject({ catalog: { coo: to } });
    await says(to, [version, node("a", "a6.example"), node("b", "b6.example")]);
    await api.must("PUT", `zones/${to}`, { secondary, catalog: { role: "consumer" } });
    await isIn(to, { skipped: [{ zone: "b6.example", reason: `it belongs to the catalog ${from}` }] });
    expect(await zoneAt("a6.example")).toMatchObject({ id, catalog: { of: to, coo: null } });
    await api.must("POST", `zones/${from}?refresh=true`);
    await isIn(from, { skipped: [], status: "ok" });
    await says(from, [version, node("b", "b6.example"), node("c", "c6.example")]);
    await isIn(from, { members: 2 });
    expect(await zoneAt("a6.example")).toMatchObject({ id, catalog: { of: to } });
  });

  test("does not let its zones be changed, and can release them", async () => {
    const catalog = await follow([version, node("a", "a7.example"), node("b", "b7.example")]);
    await isIn(catalog, { status: "ok", members: 2 });
    const refusals: readonly [string, string, Fields | undefined, number, string][] = [
      ["DELETE", "zones/a7.example", undefined, 400, "set catalog to null to release the zone first"],
      ["POST", "zones/a7.example", { secondary: { primary_port: 5399 } }, 400, "servers of the catalog"],
      ["POST", "zones/a7.example", { secondary: null }, 400, "servers of the catalog"],
      ["DELETE", `zones/${catalog}`, undefined, 400, "set catalog to null to release all members"],
      ["POST", `zones/${catalog}`, { secondary: null }, 400, "requires secondary"],
    ];
    for (const [method, path, body, status, reason] of refusals) {
      const reply = await api.call(method, path, body);
      expect([path, reply.status, reply.text]).toEqual([path, status, expect.stringContaining(reason)]);
    }
    const read = await api.must("GET", "zones/a7.example");
    expect((await api.call("POST", "zones/a7.example", read)).headers.get("x-fairlead-change")).toBeNull();
    await api.must("POST", "zones/a7.example", { catalog: null });
    await api.must("DELETE", "zones/a7.example");
    await api.must("POST", `zones/${catalog}`, { catalog: null });
    expect(await zoneAt("b7.example")).toMatchObject({ catalog: null, secondary: { enabled: true } });
    await api.must("DELETE", `zones/${catalog}`);
  });

  test("needs a key with access to all zones", async () => {
    const limited = await api.limited({ dns: { view_zones: true, manage_zones: true, zones_deny: ["x.example"] } });
    const body = { secondary, catalog: { role: "consumer" } };
    expect((await limited.call("PUT", "zones/limited.invalid", body)).status).toBe(403);
    await api.must("PUT", "zones/limited.invalid", body);
    await api.must("DELETE", "zones/limited.invalid");
    expect((await limited.call("POST", "deletedzones/limited.invalid/undelete")).status).toBe(403);
  });
});
