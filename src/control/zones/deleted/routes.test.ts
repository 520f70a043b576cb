/** Deleted zones: kept for a while with their names, brought back, and removed for good. */
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { type Answer, type Fields, startApi } from "../../../../test/service/api.ts";
import { lockAwaited } from "../../../../test/store/store.ts";
import { purgeDeleted } from "./purge.ts";

const clock = fakeClock();
const api = await startApi({ clock });
const answers = [{ answer: ["192.0.2.1"] }];
const day = 86_400_000;
let zones = 0;

async function zoneWithRecord() {
  const zone = `d${++zones}.example`;
  await api.must("PUT", `zones/${zone}`, { ttl: 77, tags: { a: "b" } });
  const record = await api.must("PUT", `zones/${zone}/www.${zone}/A`, { answers });
  return { zone, path: `zones/${zone}`, record };
}

const deleted = () => api.must<Fields[]>("GET", "deletedzones");
const undelete = (named: string, client = api as Pick<typeof api, "call">) =>
  client.call<Fields>("POST", `deletedzones/${named}/undelete`);
const message = ({ status, body }: Answer) => `${status} ${body["message"]}`;
const countOf = async (zone_id: unknown) => {
  const { db } = api.store;
  const of = (table: "record" | "owner") =>
    db.selectFrom(table).select("domain").where("zone_id", "=", String(zone_id)).execute();
  const saved = db.selectFrom("saved_version").select("serial").where("zone_id", "=", String(zone_id)).execute();
  return (await of("record")).length + (await of("owner")).length + (await saved).length;
};

test("a deleted zone is brought back with its settings, records and ids", async () => {
  const { zone, path, record } = await zoneWithRecord();
  const before = await api.must(`GET`, `${path}?expand=true`);
  await api.must("DELETE", path);
  expect((await api.call("GET", path)).status).toBe(404);
  expect(await api.must("GET", `search?q=${zone}&type=all`)).toEqual([]);
  const [listed] = (await deleted()).filter((row) => row["zone"] === zone);
  const kept_until = clock.now() / 1000 + 30 * 86_400;
  expect(listed).toMatchObject({ id: before["id"], records: 2, kept_until, user: { type: "apikey" } });
  const answer = await undelete(zone);
  expect(answer.body).toMatchObject({ zone, id: before["id"], ttl: 77 });
  const { serials } = await api.numbered(answer);
  const after = await api.must("GET", `${path}?expand=true`);
  const serial = serials[String(before["id"])];
  expect(after).toEqual({ ...before, serial, updated_at: after["updated_at"] });
  expect(await api.must("GET", `${path}/www.${zone}/A`)).toEqual(record);
  expect((await deleted()).filter((row) => row["zone"] === zone)).toEqual([]);
  expect(message(await undelete(zone))).toBe("404 deleted zone not found");
});

test("every later zone of the same name has a newer serial", async () => {
  const { zone, path } = await zoneWithRecord();
  const serialOf = async (answer: Answer) => Object.values((await api.numbered(answer)).serials)[0]!;
  const replaced = () => api.call("POST", `${path}/www.${zone}/A`, { answers: [{ answer: [`192.0.2.${++round}`] }] });
  let round = 1;
  // the clock does not advance, so serials run ahead of it
  for (let n = 0; n < 5; n++) await serialOf(await replaced());
  const first = await serialOf(await replaced());
  const { id } = await api.must("GET", path);
  await serialOf(await api.call("DELETE", path));
  const second = await serialOf(await api.call("PUT", path, {}));
  expect(second).toBeGreaterThan(first);
  await serialOf(await api.call("DELETE", path));
  expect(await serialOf(await undelete(String(id)))).toBeGreaterThan(second);
});

test("edges get the zone and all of its records in one change", async () => {
  const { zone, path } = await zoneWithRecord();
  await api.must("DELETE", path);
  const answer = await undelete(zone);
  const id = answer.headers.get("x-fairlead-change")!;
  const { body } = await api.store.db
    .selectFrom("change")
    .select("body")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(JSON.parse(body).changes.map(({ kind }: Fields) => kind)).toEqual(["zone", "record", "record"]);
});

test("the history continues across a deletion between other writes", async () => {
  const { zone, path } = await zoneWithRecord();
  const www = `${path}/www.${zone}/A`;
  const { id: first } = await api.must<{ id: number }>("PUT", `${path}/versions`);
  // numbered after the zone is deleted
  await api.must("POST", www, { ttl: 1 });
  await api.must("DELETE", path);
  await api.numbered(await undelete(zone));
  await api.must("POST", www, { ttl: 2 });
  await api.must("PUT", `${path}/versions`);
  const versions = await api.must<Fields[]>("GET", `${path}/versions`);
  expect(versions.map(({ action }) => action).slice(0, 4)).toEqual([
    "record update",
    "dns_zone undelete",
    "dns_zone delete",
    "record update",
  ]);
  const ttls = await Promise.all(
    [versions[1]!["id"], versions[3]!["id"], first].map(
      async (id) => (await api.must("GET", `${www}?version=${id}`))["ttl"],
    ),
  );
  expect(ttls).toEqual([1, 1, 3600]);
  const old = await api.must("GET", `${path}?version=${first}`);
  expect(old).toMatchObject({ ttl: 77, records: [{ type: "NS" }, { type: "A" }] });
});

describe("the name of a deleted zone", () => {
  test("is closed to other accounts, and so are names below and above it", async () => {
    const zone = `sub.d${++zones}.example`;
    await api.must("PUT", `zones/${zone}`, {});
    await api.must("DELETE", `zones/${zone}`);
    const stranger = await api.stranger();
    const refusal = async (name: string) => message(await stranger.call("PUT", `zones/${name}`, {}));
    expect(await refusal(zone)).toBe("400 zone already exists");
    expect(await refusal(`a.${zone}`)).toBe(`400 zone "a.${zone}" is below a zone of another account`);
    expect(message(await undelete(zone, stranger))).toBe("404 deleted zone not found");
    expect(await stranger.must("GET", "deletedzones")).toEqual([]);
    clock.advance(30 * day);
    await purgeDeleted(api.store, clock.now() / 1000);
    expect((await stranger.call("PUT", `zones/${zone}`, {})).status).toBe(200);
    expect(message(await undelete(zone))).toBe("404 deleted zone not found");
  });

  test("can be reused by its account, and the deleted zone then cannot be brought back", async () => {
    const { zone, path } = await zoneWithRecord();
    await api.must("DELETE", path);
    const second = await api.must("PUT", path, { ttl: 1 });
    expect(message(await undelete(zone))).toBe("400 zone already exists");
    await api.must("DELETE", path);
    const both = (await deleted()).filter((row) => row["zone"] === zone);
    expect(both).toHaveLength(2);
    const first = both.find(({ id }) => id !== second["id"])!;
    expect((await undelete(String(first["id"]))).body).toMatchObject({ ttl: 77 });
    await api.must("DELETE", `deletedzones/${second["id"]}`);
    const stranger = await api.stranger();
    expect(message(await stranger.call("PUT", path, {}))).toBe("400 zone already exists");
    expect(await api.must("GET", path)).toMatchObject({ ttl: 77 });
  });

  test("is free at once when the zone is removed for good", async () => {
    const { zone, path } = await zoneWithRecord();
    await api.must("PUT", `${path}/versions`);
    await api.must("DELETE", path);
    const { id } = (await deleted()).find((row) => row["zone"] === zone)!;
    expect(await countOf(id)).toBeGreaterThan(0);
    await api.must("DELETE", `deletedzones/${id}`);
    expect((await deleted()).filter((row) => row["zone"] === zone)).toEqual([]);
    expect((await (await api.stranger()).call("PUT", path, {})).status).toBe(200);
    await purgeDeleted(api.store, clock.now() / 1000);
    expect(await countOf(id)).toBe(0);
    expect(await api.store.db.selectFrom("deleted_zone").select("id").where("id", "=", String(id)).execute()).toEqual(
      [],
    );
  });
});

test("a zone brought back just before it is removed for good keeps its records", async () => {
  const { path } = await zoneWithRecord();
  const { id } = await api.must("GET", path);
  await api.must("DELETE", path);
  clock.advance(30 * day);
  let purged: Promise<void> | undefined;
  await api.store.transaction(async (tx) => {
    // stands for a process with a slow clock, which brings the zone back with this statement
    await tx.deleteFrom("deleted_zone").where("id", "=", String(id)).execute();
    purged = purgeDeleted(api.store, clock.now() / 1000);
    await lockAwaited(api.store);
  });
  await purged;
  expect(await countOf(id)).toBeGreaterThan(0);
});

test("feeds deleted in the meantime are not bound again", async () => {
  const { zone, path } = await zoneWithRecord();
  const source = await api.must<{ id: string }>("PUT", "data/sources", { name: zone, sourcetype: "nsone_v1" });
  const put = (label: string) =>
    api.must<{ id: string }>("PUT", `data/feeds/${source.id}`, { name: label, config: { label } });
  const [kept, gone] = [await put("kept"), await put("gone")];
  const meta = { up: { feed: kept.id }, weight: { feed: gone.id } };
  await api.must("POST", `${path}/www.${zone}/A`, { answers: [{ answer: ["192.0.2.1"], meta }] });
  await api.must("DELETE", path);
  const destinations = async () => (await api.must("GET", `data/feeds/${source.id}/${kept.id}`))["destinations"];
  expect(await destinations()).toEqual([]);
  await api.must("DELETE", `data/feeds/${source.id}/${gone.id}`);
  await undelete(zone);
  expect(await destinations()).toHaveLength(1);
  expect(await api.must("GET", `${path}/www.${zone}/A`)).toMatchObject({
    answers: [{ meta }],
    feeds: [{ source: source.id, feed: kept.id }],
  });
});

test("a key lists and brings back only zones that it may see and change", async () => {
  const { zone, path } = await zoneWithRecord();
  await api.must("DELETE", path);
  const closed = await api.limited({ dns: { zones_deny: [zone] } });
  expect((await closed.must<Fields[]>("GET", "deletedzones")).filter((row) => row["zone"] === zone)).toEqual([]);
  const partial = await api.limited({ dns: { records_deny: [{ zone, domain: `www.${zone}` }] } });
  for (const client of [closed, partial]) {
    expect((await undelete(zone, client)).status).toBe(403);
    expect((await client.call("DELETE", `deletedzones/${zone}`)).status).toBe(403);
  }
});

test("a key does not learn whether a zone that is closed to it was deleted", async () => {
  const { zone, path } = await zoneWithRecord();
  const { id } = await api.must("GET", path);
  await api.must("DELETE", path);
  const key = await api.limited({ dns: { zones_allow_by_default: false, zones_allow: [] } });
  const refusal = async (named: string) => message(await undelete(named, key)).replaceAll(named, "NAME");
  expect(await refusal(zone)).toBe(await refusal("never.example"));
  expect(await refusal(String(id))).toBe(await refusal("0".repeat(24)));
});

test("an ALIAS cannot point into a deleted zone", async () => {
  const [one, two] = [await zoneWithRecord(), await zoneWithRecord()];
  await api.must("DELETE", two.path);
  const put = await api.call("PUT", `${one.path}/${one.zone}/ALIAS`, { answers: [{ answer: [`www.${two.zone}`] }] });
  expect(put.body["code"]).toBe("not_built");
});
