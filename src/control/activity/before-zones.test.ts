/** The field `before` in entries about whole zones: change sets, restored versions, undeleted zones. */
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../../test/service/api.ts";
import { mostLogged, redacted } from "../write/activity/redacted.ts";

const api = await startApi();
const newest = async (resource_type: string) => {
  const [entry] = await api.must<Fields[]>("GET", `account/activity?resource_type=${resource_type}&limit=1`);
  return entry!;
};
const record = (zone: string, label: string, ttl: number) => ({
  ...{ zone, domain: `${label}.${zone}`, type: "A", ttl },
  answers: [{ answer: ["192.0.2.1"] }],
});
const secret = Buffer.from("s".repeat(32)).toString("base64");
const secondary = (port: number) => ({
  ...{ enabled: true, primary_ip: "127.0.0.1", primary_port: port },
  tsig: { enabled: true, hash: "hmac-sha256", name: "k.example", key: secret },
});

test("a change set shows each zone's settings before and after, and the records that it wrote", async () => {
  await api.must("PUT", "zones/gone.example", { zone: "gone.example", nx_ttl: 11 });
  await api.must("PUT", "zones/same.example", { zone: "same.example" });
  await api.must("POST", "zones/same.example/records", {
    put: [record("same.example", "x", 1), record("same.example", "y", 1), record("same.example", "z", 1)],
  });
  const writes = (action: string, ...labels: string[]) =>
    labels.map((label) => ({ action, ...record("same.example", label, 2) }));
  await api.must("PUT", "changesets", {
    zones: [
      { action: "delete", zone: "gone.example" },
      { action: "create", zone: "new.example", nx_ttl: 22 },
      { action: "update", zone: "same.example", nx_ttl: 33 },
    ],
    records: [...writes("put", "x", "w"), ...writes("delete", "y")],
  });
  const entry = await newest("changeset");
  expect(entry).toMatchObject({
    action: "create",
    resource: {
      settings: { "gone.example": null, "new.example": { nx_ttl: 22 }, "same.example": { nx_ttl: 33 } },
      records: expect.arrayContaining([expect.objectContaining({ domain: "x.same.example", ttl: 2 })]),
    },
    before: { settings: { "gone.example": { nx_ttl: 11 }, "new.example": null, "same.example": { nx_ttl: 3600 } } },
  });
  const { resource, before } = entry as Record<"resource" | "before", { settings: Fields; records: Fields[] }>;
  expect(Object.keys(before)).toEqual(["settings", "records"]);
  expect(before.settings["same.example"]).toEqual({ nx_ttl: 3600 });
  const textsOf = (records: readonly Fields[]) => records.map(({ domain, ttl }) => `${domain} ${ttl}`).toSorted();
  expect(textsOf(before.records)).toEqual(["x.same.example 1", "y.same.example 1"]);
  expect(textsOf(resource.records)).toEqual(["new.example 22", "w.same.example 2", "x.same.example 2"]);
});

test("a change set that gives a secondary zone another primary shows both, but no secret", async () => {
  await api.must("PUT", "zones/theirs.example", { zone: "theirs.example", secondary: secondary(1) });
  const moved = { action: "update", zone: "theirs.example", secondary: secondary(2) };
  await api.must("PUT", "changesets", { zones: [moved] });
  const entry = await newest("changeset");
  expect(entry).toMatchObject({
    resource: { settings: { "theirs.example": { secondary: { primary_port: 2 } } } },
    before: { settings: { "theirs.example": { secondary: { primary_port: 1, tsig: { key: "********" } } } } },
  });
  expect(JSON.stringify(entry)).not.toContain(secret);
});

test("a restored version shows the records that it removed and added", async () => {
  const zone = "back.example";
  await api.must("PUT", `zones/${zone}`, { zone });
  const was = await api.call("PUT", `zones/${zone}/x.${zone}/A`, record(zone, "x", 1));
  const [serial] = Object.values((await api.numbered(was)).serials);
  await api.must("POST", `zones/${zone}/x.${zone}/A`, { ttl: 2 });
  await api.must("PUT", `zones/${zone}/y.${zone}/A`, record(zone, "y", 3));
  await api.numbered(await api.call("POST", `zones/${zone}`, { nx_ttl: 77 }));
  await api.must("POST", `zones/${zone}/versions/${serial}/activate`);
  const entry = await newest("dns_zone_version");
  expect(entry).toMatchObject({
    action: "activate",
    resource: { id: serial, zone, settings: { [zone]: { nx_ttl: 3600 } }, records: [{ domain: `x.${zone}`, ttl: 1 }] },
    before: {
      settings: { [zone]: { nx_ttl: 77 } },
      records: [
        { domain: `x.${zone}`, ttl: 2 },
        { domain: `y.${zone}`, ttl: 3 },
      ],
    },
  });
  const held = await api.limited({ dns: { records_deny: [{ zone, domain: `y.${zone}`, type: "A" }] } });
  expect(await held.must("GET", "account/activity?resource_type=dns_zone_version")).toEqual([]);
});

test("saving a version again shows its earlier name", async () => {
  const path = "zones/back.example/versions";
  await api.must("PUT", path, { name: "one" });
  expect(await newest("dns_zone_version")).not.toHaveProperty("before");
  await api.must("PUT", path, { name: "two" });
  expect(await newest("dns_zone_version")).toMatchObject({ before: { name: "one" }, resource: { name: "two" } });
});

test("an undeleted zone shows what differs from the time of its deletion", async () => {
  const zone = "away.example";
  const { id } = await api.must("PUT", `zones/${zone}`, { zone });
  await api.must("DELETE", `zones/${zone}`);
  await api.must("POST", `deletedzones/${id}/undelete`);
  expect(await newest("dns_zone")).not.toHaveProperty("before");
  await api.must("DELETE", `zones/${zone}`);
  // meanwhile another zone with the same name existed, which secondaries may have transferred
  await api.must("PUT", `zones/${zone}`, { zone });
  await api.must("DELETE", `zones/${zone}`);
  const { serial } = await api.must("POST", `deletedzones/${id}/undelete`);
  const entry = await newest("dns_zone");
  expect(entry).toMatchObject({ action: "undelete", resource: { zone, serial } });
  expect(Object.keys((entry["before"] ?? { serial }) as Fields)).toEqual(["serial"]);
});

test("fields that would be too large are omitted and named", async () => {
  const zone = "large.example";
  await api.must("PUT", `zones/${zone}`, { zone });
  const put = Array.from({ length: 600 }, (_, n) => record(zone, `h${n}`, n));
  await api.must("POST", `zones/${zone}/records`, { put });
  const { resource, ...entry } = (await newest("record")) as { resource: Fields };
  expect(resource).toEqual({ zone, removed: [], omitted: ["records"] });
  expect(JSON.stringify(entry).length).toBeLessThan(mostLogged);
  await api.must("PUT", "changesets", {
    zones: [{ action: "update", zone, nx_ttl: 5 }],
    records: put.map((one) => ({ action: "put", ...one, ttl: 7777 })),
  });
  expect(await newest("changeset")).toMatchObject({
    resource: { settings: { [zone]: { nx_ttl: 5 } }, omitted: ["records"] },
    before: { settings: { [zone]: { nx_ttl: 3600 } }, omitted: ["records"] },
  });
});

test("an entry whose change set had too many zones to store is visible only to keys without restrictions", async () => {
  await api.must("PUT", "changesets", { zones: [{ action: "update", zone: "same.example", nx_ttl: 44 }] });
  const { id, resource: whole } = (await newest("changeset")) as { id: string; resource: Fields };
  const zones = Array.from({ length: 5000 }, (_, n) => ({ zone: `many-${n}.example`, change: "records" }));
  const resource = redacted({ ...whole, zones });
  const { zones: _, ...rest } = whole;
  expect(resource).toEqual({ ...rest, omitted: ["zones"] });
  const { account_id } = await api.store.db.selectFrom("zone").select("account_id").executeTakeFirstOrThrow();
  const entry = api.store.db.updateTable("activity").set({ resource: JSON.stringify(resource) });
  await entry.where("account_id", "=", account_id).where("id", "=", id).execute();
  const seen = async (permissions: Fields) => {
    const key = await api.limited(permissions);
    const entries = await key.must<Fields[]>("GET", "account/activity?resource_type=changeset");
    return entries.some((one) => one["id"] === id);
  };
  expect(await seen({})).toBe(true);
  expect(await seen({ dns: { zones_deny: ["other.example"] } })).toBe(false);
});

test("fields may be named like built-in properties, such as `constructor`", async () => {
  await api.must("POST", "zones/same.example", { tags: { constructor: "a", toString: "b" } });
  await api.must("POST", "zones/same.example", { tags: { constructor: "c" } });
  expect(await newest("dns_zone")).toMatchObject({
    resource: { tags: { constructor: "c" } },
    before: { tags: { constructor: "a", toString: "b" } },
  });
});
