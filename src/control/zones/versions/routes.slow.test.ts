/** Versions of zones: each change creates one, and each can be read, compared and restored. */
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { trimHistory } from "../history/trim-store.ts";

interface Version extends Fields {
  readonly id: number;
  readonly created_at: number;
  readonly active: boolean;
}

const clock = fakeClock();
const api = await startApi({ clock });
let zones = 0;
const answers = (...addresses: string[]) => addresses.map((address) => ({ answer: [address] }));

/** Makes a write ten seconds after the last one, and waits for its version. */
async function write(method: string, path: string, body?: unknown) {
  clock.advance(10_000);
  const answer = await api.call<Fields>(method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  if (answer.headers.has("x-fairlead-change")) await api.numbered(answer);
  return answer.body;
}

/** A zone with changed settings and a record at www that was created, changed and deleted. */
async function zoneWithHistory() {
  const zone = `h${++zones}.example`;
  const www = `zones/${zone}/www.${zone}/A`;
  await write("PUT", `zones/${zone}`, { ttl: 100 });
  const record = await write("PUT", www, { answers: answers("192.0.2.1"), ttl: 5 });
  await write("POST", www, { answers: answers("192.0.2.2") });
  await write("POST", `zones/${zone}`, { ttl: 200 });
  await write("DELETE", www);
  const versions = (await api.must<Version[]>("GET", `zones/${zone}/versions`)).toReversed();
  return { zone, www, record, versions, path: `zones/${zone}` };
}

const addressesIn = (record: Fields) => (record["answers"] as { answer: string[] }[]).map(({ answer }) => answer[0]);
const shown = ({ records }: Fields) => (records as Fields[]).map(({ domain, type }) => `${domain} ${type}`);

test("each change is a version with its author, action and time", async () => {
  const { zone, versions, path } = await zoneWithHistory();
  expect(versions.map(({ action, removed, added }) => [action, removed, added])).toEqual([
    ["dns_zone create", 0, 2],
    ["record create", 0, 1],
    ["record update", 1, 1],
    ["dns_zone update", 1, 1],
    ["record delete", 1, 0],
  ]);
  const last = versions.at(-1)!;
  expect(last).toMatchObject({ zone, active: true, saved: false, name: "", restored: null, user: { type: "apikey" } });
  expect(last.id).toBe((await api.must("GET", path))["serial"]);
  expect(versions.map(({ created_at }, i) => created_at - versions[0]!.created_at - i * 10)).toEqual([0, 0, 0, 0, 0]);
  expect(await api.must("GET", `${path}/versions/${versions[1]!.id}`)).toEqual(versions[1]);
});

test("a listing is divided into pages", async () => {
  const { versions, path } = await zoneWithHistory();
  const first = await api.call<Version[]>("GET", `${path}/versions?limit=2`);
  expect(first.body.map(({ id }) => id)).toEqual([versions[4]!.id, versions[3]!.id]);
  expect(first.headers.get("link")).toContain("after=");
  const rest = await api.must<Version[]>("GET", `${path}/versions?limit=5&after=${first.body[1]!.id}`);
  expect(rest.map(({ id }) => id)).toEqual(
    versions
      .slice(0, 3)
      .toReversed()
      .map(({ id }) => id),
  );
});

describe("a zone and its records can be read", () => {
  test("in a version", async () => {
    const { zone, www, versions, path, record } = await zoneWithHistory();
    const at = (i: number) => `version=${versions[i]!.id}`;
    expect(await api.must("GET", `${www}?${at(1)}`)).toEqual(record);
    expect(addressesIn(await api.must("GET", `${www}?${at(3)}`))).toEqual(["192.0.2.2"]);
    for (const i of [0, 4]) expect(await api.call("GET", `${www}?${at(i)}`)).toMatchObject({ status: 404 });
    const old = await api.call("GET", `${path}?${at(2)}&expand=true`);
    expect(old.body).toMatchObject({ ttl: 100, serial: versions[2]!.id });
    expect([shown(old.body), old.headers.get("x-total-count")]).toEqual([[`${zone} NS`, `www.${zone} A`], "2"]);
    expect(shown(await api.must("GET", `${path}?${at(0)}`))).toEqual([`${zone} NS`]);
    expect(await api.must("GET", `${path}?${at(3)}&records=false`)).toMatchObject({ ttl: 200 });
  });

  test("at a time", async () => {
    const { www, versions, path } = await zoneWithHistory();
    const time = versions[1]!.created_at;
    expect(addressesIn(await api.must("GET", `${www}?at=${time + 9}`))).toEqual(["192.0.2.1"]);
    const written = new Date((time + 10) * 1000).toISOString();
    expect(addressesIn(await api.must("GET", `${www}?at=${written}`))).toEqual(["192.0.2.2"]);
    const early = await api.call("GET", `${path}?at=${versions[0]!.created_at - 1}`);
    expect([early.status, early.text]).toEqual([404, expect.stringMatching(/ begins \S+, dns_zone create by /)]);
    const both = await api.call("GET", `${path}?at=1&version=1`);
    expect([both.status, (await api.call("GET", `${path}?at=yesterday`)).status]).toEqual([400, 400]);
    expect((await api.call("GET", `${path}?version=12345`)).status).toBe(404);
  });

  test("page by page", async () => {
    const { zone, path } = await zoneWithHistory();
    const put = Array.from({ length: 30 }, (_, i) => ({
      domain: `${String.fromCharCode(97 + (i % 26))}${i}.${zone}`,
      type: "A",
      answers: answers("192.0.2.1"),
    }));
    await write("POST", `${path}/records`, { put });
    const [{ id } = { id: 0 }] = await api.must<Version[]>("GET", `${path}/versions?limit=1`);
    const whole = shown(await api.must("GET", path));
    await write("POST", `${path}/records`, {
      put: [{ ...put[0], ttl: 9 }, ...["0", "k", "z"].map((label) => ({ ...put[0], domain: `${label}.${zone}` }))],
      remove: put.slice(10, 20),
    });
    const found: string[] = [];
    for (let after = ""; ; ) {
      const page = await api.call("GET", `${path}?version=${id}&limit=7${after}`);
      found.push(...shown(page.body));
      expect(page.headers.get("x-total-count")).toBe(String(whole.length));
      if (!page.headers.has("link")) break;
      after = `&after=${encodeURIComponent(found.at(-1)!.replace(" ", "/"))}`;
    }
    expect(found).toEqual(whole);
  });
});

test("two versions can be compared, in both directions", async () => {
  const { zone, versions, path } = await zoneWithHistory();
  const [first, , third] = versions.map(({ id }) => id);
  const diff = (query: string) => api.must<Fields & { records: Fields[] }>("GET", `${path}/diff${query}`);
  const forward = await diff(`?from=${first}&to=${third}`);
  expect(forward).toMatchObject({ zone, from: first, to: third, settings: null });
  expect(forward.records).toMatchObject([
    { domain: `www.${zone}`, type: "A", before: null, after: { answers: [{ answer: ["192.0.2.2"] }] } },
  ]);
  const back = await diff(`?from=${third}&to=${first}`);
  expect(back.records).toMatchObject([{ before: { answers: [{ answer: ["192.0.2.2"] }] }, after: null }]);
  expect(await diff(`?from=${third}`)).toMatchObject({
    settings: { before: { ttl: 100 }, after: { ttl: 200 } },
    records: [{ after: null }],
  });
  expect(await diff("")).toMatchObject({ to: versions[4]!.id, from: versions[3]!.id, records: [{ after: null }] });
  expect((await diff(`?to=${first}`)).records.map(({ type }) => type)).toEqual(["NS"]);
});

describe("restoring", () => {
  test("a zone creates one new version equal to the old one", async () => {
    const { zone, www, versions, path, record } = await zoneWithHistory();
    const { id } = versions[1]!;
    const restored = await write("POST", `${path}/versions/${id}/activate`);
    expect(restored).toMatchObject({ id, active: true });
    const now = await api.must<Version[]>("GET", `${path}/versions`);
    expect(now[0]).toMatchObject({
      action: "dns_zone_version activate",
      restored: id,
      active: true,
      removed: 1,
      added: 2,
    });
    expect(now.filter(({ active }) => active).map((version) => version.id)).toEqual([now[0]!.id, id]);
    expect(await api.must("GET", path)).toMatchObject({ ttl: 100, serial: now[0]!.id });
    const again = await api.must("GET", www);
    expect({ ...again, updated_at: 0 }).toEqual({ ...record, updated_at: 0 });
    expect(await api.must("GET", `${path}/diff?from=${id}`)).toMatchObject({ settings: null, records: [] });
    const repeated = await api.call("POST", `${path}/versions/${id}/activate`);
    expect([repeated.status, repeated.headers.get("x-fairlead-change")]).toEqual([200, null]);
    expect(zone).toBe(now[0]!["zone"]);
  });

  test("a record works by version and by time", async () => {
    const { www, versions, record } = await zoneWithHistory();
    const restored = await write("POST", `${www}/restore`, { version: versions[1]!.id });
    expect({ ...restored, updated_at: 0 }).toEqual({ ...record, updated_at: 0 });
    expect(addressesIn(await write("POST", `${www}/restore`, { at: `${versions[2]!.created_at}` }))).toEqual([
      "192.0.2.2",
    ]);
    const statuses = [];
    for (const body of [{ version: versions[0]!.id }, {}, { version: 1 }]) {
      statuses.push((await api.call("POST", `${www}/restore`, body)).status);
    }
    expect(statuses).toEqual([404, 400, 404]);
  });

  test("a CNAME is refused at a name with other records", async () => {
    const { zone, www } = await zoneWithHistory();
    const alias = www.replace(/A$/, "CNAME");
    await write("PUT", alias, { answers: answers(`a.${zone}`) });
    const [{ id } = { id: 0 }] = await api.must<Version[]>("GET", `zones/${zone}/versions?limit=1`);
    await write("DELETE", alias);
    await write("PUT", www, { answers: answers("192.0.2.1") });
    expect((await api.call("POST", `${alias}/restore`, { version: id })).status).toBe(400);
  });

  test("does not bind deleted feeds again", async () => {
    const { zone, path } = await zoneWithHistory();
    const source = await api.must<{ id: string }>("PUT", "data/sources", { name: zone, sourcetype: "nsone_v1" });
    const feeds = `data/feeds/${source.id}`;
    const [one, two] = await Promise.all(
      ["1", "2"].map((label) => api.must<{ id: string }>("PUT", feeds, { name: label, config: { label } })),
    );
    const meta = { up: { feed: one!.id }, weight: { feed: two!.id } };
    const fed = `${path}/fed.${zone}/A`;
    const before = await write("PUT", fed, { answers: [{ ...answers("192.0.2.1")[0], meta }] });
    await write("DELETE", fed);
    await api.must("DELETE", `${feeds}/${two!.id}`);
    const { created_at } = (await api.must<Version[]>("GET", `${path}/versions?limit=2`))[1]!;
    const after = await write("POST", `${fed}/restore`, { at: String(created_at) });
    expect((after["answers"] as Fields[])[0]!["meta"]).toEqual((before["answers"] as Fields[])[0]!["meta"]);
    expect(after["feeds"]).toEqual([{ source: source.id, feed: one!.id }]);
  });

  test("requires the right to every changed record", async () => {
    const { zone, www, versions, path } = await zoneWithHistory();
    const narrow = await api.limited({ dns: { records_deny: [{ zone, domain: `www.${zone}` }] } });
    const statuses = [];
    const body = { version: versions[1]!.id };
    for (const [method, at, sent] of [
      ["POST", `${path}/versions/${body.version}/activate`, undefined],
      ["POST", `${www}/restore`, body],
      ["GET", `${www}?version=${body.version}`, undefined],
    ] as const) {
      statuses.push((await narrow.call(method, at, sent)).status);
    }
    expect(statuses).toEqual([403, 403, 403]);
    expect(shown(await narrow.must("GET", `${path}?version=${versions[1]!.id}`))).toEqual([`${zone} NS`]);
    expect(await narrow.must("GET", `${path}/diff`)).toMatchObject({ records: [] });
    const stranger = await api.stranger();
    for (const at of [`${path}/versions`, `${path}/versions/${versions[1]!.id}`, `${path}/diff`, `${path}?at=1`]) {
      expect((await stranger.call("GET", at)).body["message"]).toBe("zone not found");
    }
  });
});

describe("a saved version", () => {
  test("has a name, and is kept when older history is removed", async () => {
    const { path, www } = await zoneWithHistory();
    const saved = await api.must<Version>("PUT", `${path}/versions`, { name: "before the move" });
    expect(saved).toMatchObject({ name: "before the move", saved: true, active: true });
    await write("PUT", www, { answers: answers("192.0.2.9") });
    await write("POST", www, { answers: answers("192.0.2.10") });
    expect(await api.must("GET", `${path}/versions?saved=true`)).toMatchObject([{ id: saved.id }]);
    await trimHistory(api.store.db, clock.now() / 1000 + 1);
    const left = await api.must<Version[]>("GET", `${path}/versions`);
    expect(left.map(({ action }) => action)).toEqual(["record update", "record create", "record delete"]);
    expect((await api.call("GET", `${www}?version=${saved.id}`)).status).toBe(404);
    expect(addressesIn(await api.must("GET", `${www}?version=${left[1]!.id}`))).toEqual(["192.0.2.9"]);
    await api.must("DELETE", `${path}/versions/${saved.id}`);
    expect((await api.call("DELETE", `${path}/versions/${saved.id}`)).status).toBe(404);
    await trimHistory(api.store.db, clock.now() / 1000 + 1);
    expect(await api.must("GET", `${path}/versions`)).toMatchObject([{ action: "record update" }]);
  });

  test("includes the latest write", async () => {
    const { www, path } = await zoneWithHistory();
    for (let n = 0; n < 5; n++) {
      await api.must(n === 0 ? "PUT" : "POST", www, { answers: answers(`192.0.2.${20 + n}`) });
      const { id } = await api.must<Version>("PUT", `${path}/versions`);
      expect(addressesIn(await api.must("GET", `${www}?version=${id}`))).toEqual([`192.0.2.${20 + n}`]);
    }
  });
});

test("an import is one version", async () => {
  const zone = `h${++zones}.example`;
  const lines = ["@ 60 SOA ns.example. admin.example. 1 2 3 4 5", "a 60 A 192.0.2.1", "b 60 A 192.0.2.2"];
  await write("PUT", `import/zonefile/${zone}`, `${lines.join("\n")}\n`);
  await write("DELETE", `zones/${zone}/a.${zone}/A`);
  const versions = await api.must<Version[]>("GET", `zones/${zone}/versions`);
  expect(versions.map(({ action }) => action)).toEqual(["record delete", "zonefile create"]);
  expect(shown(await api.must("GET", `zones/${zone}?version=${versions[1]!.id}`))).toEqual(
    ["a", "b"]
      .map((label) => `${label}.${zone} A`)
      .concat(`${zone} NS`)
      .sort(),
  );
});
