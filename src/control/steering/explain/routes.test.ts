/** Explain gives the same answers as packets get, and the reasons. */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import type { Explanation } from "./schema.ts";

const api = await startApi();
const zone = "explain.example";
await api.must("PUT", `zones/${zone}`, {});
const put = (label: string, type: string, body: Fields) =>
  api.must("PUT", `zones/${zone}/${label === "@" ? zone : `${label}.${zone}`}/${type}`, body);
const answers = (...list: string[]) => ({ answers: list.map((answer) => ({ answer: answer.split(" ") })) });
const explain = (label: string, more: Fields = {}) =>
  api.must<Explanation>("POST", "explain", { name: label === "@" ? zone : `${label}.${zone}`, ...more });
const refused = async (body: Fields) => (await api.call("POST", "explain", body)).body["message"];

await put("www", "A", answers("192.0.2.1", "192.0.2.2"));
await put("alias", "CNAME", answers(`www.${zone}`));
await put("*.wild", "TXT", answers("anything"));
await put("*", "HINFO", { answers: [{ answer: ["any", "where"] }] });
await put("deep.below", "A", answers("192.0.2.3"));
await put("sub", "NS", answers(`ns.sub.${zone}`));
await put("ns.sub", "A", answers("192.0.2.4"));
await put("mail", "MX", answers(`10 www.${zone}`));

describe("states of a lookup", () => {
  const cases: readonly [label: string, type: string, rcode: string, states: string[], answer: string[]][] = [
    ["www", "A", "NOERROR", ["answer"], ["192.0.2.1", "192.0.2.2"]],
    ["WWW", "A", "NOERROR", ["answer"], ["192.0.2.1", "192.0.2.2"]],
    ["www", "TXT", "NOERROR", ["nodata"], []],
    ["alias", "A", "NOERROR", ["cname", "answer"], [`www.${zone}.`, "192.0.2.1", "192.0.2.2"]],
    ["a.b.wild", "TXT", "NOERROR", ["answer"], ['"anything"']],
    ["below", "A", "NOERROR", ["nodata"], []],
    ["a.below", "A", "NXDOMAIN", ["nxdomain"], []],
    ["any.name", "HINFO", "NOERROR", ["answer"], ['"any" "where"']],
    ["nothing", "A", "NOERROR", ["nodata"], []],
    ["x.sub", "A", "NOERROR", ["delegation"], []],
    ["@", "NS", "NOERROR", ["answer"], ["dns1.example.net.", "dns2.example.net."]],
  ];
  test.each(cases)("%s %s is %s", async (label, type, rcode, states, answer) => {
    const explained = await explain(label, { type });
    expect(explained.rcode).toBe(rcode);
    expect(explained.steps.map(({ state }) => state)).toEqual(states);
    expect(explained.answer.map((line) => line.split(" ").slice(4).join(" "))).toEqual(answer);
  });

  test("the client is that of documentation, and without geo files no client is located", async () => {
    expect((await explain("www")).client).toMatchObject({ address: "192.0.2.1", has_geo_files: false });
  });

  test("the addresses of hosts named in an answer are included", async () => {
    const { additional, authority } = await explain("mail", { type: "MX" });
    expect(additional).toHaveLength(2);
    expect(authority).toEqual([]);
    expect((await explain("x.sub")).additional).toEqual([`ns.sub.${zone}. 3600 IN A 192.0.2.4`]);
  });
});

describe("a steered record", () => {
  test("shows the answers before and after each filter, and the values that the filter read", async () => {
    const made = await put("geo", "A", {
      answers: [
        { answer: ["198.51.100.1"], meta: { country: ["DE"], up: true } },
        { answer: ["198.51.100.2"], meta: { country: ["US"], up: true } },
        { answer: ["198.51.100.3"], meta: { up: false } },
      ],
      filters: [
        { filter: "up", config: {} },
        { filter: "geofence_country", config: { remove_no_location: true } },
        { filter: "select_first_n", config: { N: "1" } },
      ],
    });
    const explained = await explain("geo", { location: { country: "DE" }, subnet: "203.0.113.0/24" });
    expect(explained.answer).toEqual([`geo.${zone}. 3600 IN A 198.51.100.1`]);
    expect(explained.ecs).toEqual({ subnet: "203.0.113.0/24", scope: 32 });
    const [step] = explained.steps;
    expect(step).toMatchObject({ record: `geo.${zone} A`, hidden: false, zone });
    expect(step?.answers).toMatchObject((made["answers"] as Fields[]).map(({ id }) => ({ id })));
    expect(step?.filters.map(({ filter, before, after }) => [filter, before, after])).toEqual([
      ["up", [0, 1, 2], [0, 1]],
      ["geofence_country", [0, 1], [0]],
      ["select_first_n", [0], [0]],
    ]);
    const read = step?.filters[1]?.facts.find(({ fact }) => fact === "country");
    expect(read).toEqual({ fact: "country", value: "DE", bits: 32 });
    expect(step?.filters[0]?.values).toContainEqual(
      expect.objectContaining({ answer: 2, key: "up", value: false, source: "answer", feed: null }),
    );
  });

  test("draws the requested number of times, and lists answers by country", async () => {
    await put("weighted", "A", {
      answers: [1, 2, 3].map((n) => ({ answer: [`198.51.100.${n}`], meta: { weight: n } })),
      filters: [
        { filter: "weighted_shuffle", config: {} },
        { filter: "select_first_n", config: { N: 1 } },
      ],
    });
    const { draws } = await explain("weighted", { draws: 6000 });
    expect(draws?.map(({ answer }) => answer)).toEqual([["198.51.100.3"], ["198.51.100.2"], ["198.51.100.1"]]);
    expect(draws?.reduce((sum, { count }) => sum + count, 0)).toBe(6000);
    expect(draws?.[0]?.share).toBeCloseTo(0.5, 1);
    const { matrix } = await explain("geo", { matrix: true });
    expect(matrix?.["US"]).toEqual([{ answer: ["198.51.100.2"], count: 1, share: 1 }]);
    expect(Object.keys(matrix ?? {}).length).toBeGreaterThan(240);
  });

  test("shows the values of its feeds, and their age", async () => {
    const source = await api.must<{ id: string }>("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" });
    const feed = await api.must<{ id: string }>("PUT", `data/feeds/${source.id}`, {
      name: "f",
      config: { label: "f" },
    });
    await put("fed", "A", {
      answers: [
        { answer: ["198.51.100.1"], meta: { up: { feed: feed.id } } },
        { answer: ["198.51.100.2"], meta: { up: true } },
      ],
      filters: [{ filter: "up", config: {} }],
    });
    await api.must("POST", `feed/${source.id}`, { f: { up: true } });
    const up = await explain("fed", { time: Date.now() / 1000 + 60 });
    expect(up.answer).toHaveLength(2);
    const read = up.steps[0]?.filters[0]?.values.find(({ answer }) => answer === 0);
    expect(read).toMatchObject({ key: "up", value: true, source: "answer", feed: feed.id });
    expect(read?.age).toBeGreaterThan(50);
    await api.must("POST", `feed/${source.id}`, { f: { up: false } });
    expect((await explain("fed")).answer).toEqual([`fed.${zone}. 3600 IN A 198.51.100.2`]);
  });
});

test("another account's zone and closed records are not explained", async () => {
  const stranger = await api.stranger();
  expect((await stranger.call("POST", "explain", { name: `www.${zone}` })).status).toBe(404);
  await stranger.must("PUT", "zones/stranger.example", {});
  await stranger.must("PUT", `zones/stranger.example/www.stranger.example/CNAME`, {
    answers: [{ answer: [`geo.${zone}`] }],
  });
  const through = await stranger.must<Explanation>("POST", "explain", {
    name: "www.stranger.example",
    location: { country: "DE" },
  });
  expect(through.answer).toHaveLength(2);
  expect(through.steps[1]).toMatchObject({ hidden: true, answers: [], filters: [], zone: null, record: null });
  const limited = await api.limited({
    dns: { view_zones: true, records_deny: [{ zone, domain: `geo.${zone}`, type: "A" }] },
  });
  expect((await limited.call("POST", "explain", { name: `geo.${zone}` })).status).toBe(403);
  expect((await limited.call("POST", "explain", { name: `www.${zone}` })).status).toBe(200);
});

test("a record that the caller may not see is in no part of the answer, however it is reached", async () => {
  const own = `own-${zone}`;
  await api.must("PUT", `zones/${own}`, {});
  await api.must("PUT", `zones/linked-${zone}`, { link: zone });
  const put = (name: string, type: string, body: object) =>
    api.must("PUT", `zones/${own}/${name}.${own}/${type}`, body);
  const [secret, address] = [`secret.${zone}`, "203.0.113.77"];
  await api.must("PUT", `zones/${zone}/${secret}/A`, { answers: [{ answer: [address] }] });
  await api.must("PUT", `zones/${zone}/*.wild.${zone}/A`, { answers: [{ answer: [address] }] });
  await put("alias", "CNAME", { answers: [{ answer: [secret] }] });
  await put("flat", "ALIAS", { answers: [{ answer: [secret] }] });
  await put("far", "ALIAS", { answers: [{ answer: [`alias.${own}`] }] });
  await put("linked", "A", { link: secret });
  await put("wild", "CNAME", { answers: [{ answer: [`a.wild.${zone}`] }] });
  await put("zone", "CNAME", { answers: [{ answer: [`secret.linked-${zone}`] }] });
  await put("mail", "MX", { answers: [{ answer: [10, secret] }] });
  const rules = [secret, `*.wild.${zone}`].map((domain) => ({ zone, domain, type: "A" }));
  const limited = await api.limited({ dns: { view_zones: true, records_deny: rules } });
  const closed = await api.limited({ dns: { view_zones: true, zones_allow_by_default: true, zones_deny: [zone] } });
  for (const name of ["alias", "flat", "far", "linked", "wild", "zone", "mail"]) {
    const body = { name: `${name}.${own}`, type: name === "mail" ? "MX" : "A", draws: 2 };
    expect((await api.call("POST", "explain", body)).text).toContain(address);
    for (const key of [limited, closed]) {
      const reply = await key.call<Explanation>("POST", "explain", body);
      expect([reply.status, reply.text]).toEqual([200, expect.not.stringContaining(address)]);
    }
  }
  const { steps, answer } = await limited.must<Explanation>("POST", "explain", { name: `alias.${own}` });
  expect(steps.map(({ hidden }) => hidden)).toEqual([false, true]);
  expect(answer).toEqual([`alias.${own}. 3600 IN CNAME ${secret}.`]);
});

test("a name outside the account's zones is refused without a look at zones and records of others", async () => {
  const stranger = await api.stranger();
  await stranger.must("PUT", "zones/other.example", { networks: [] });
  await stranger.must("PUT", "zones/other.example/www.other.example/A", answers("192.0.2.1"));
  const names = ["www.other.example", "not.other.example", "www.nothing.example"];
  const refusals = await api.store.transaction(async (tx) => {
    await sql`lock table zone_claim, record, owner in access exclusive mode`.execute(tx);
    return await Promise.all(names.map((name) => api.call("POST", "explain", { name })));
  });
  expect(refusals.map(({ status, body }) => [status, body["message"]])).toEqual(
    names.map(() => [404, "zone not found"]),
  );
});

test("a key that is limited to a zone does not learn which others the account has", async () => {
  await api.must("PUT", "zones/closed.example", {});
  const key = await api.limited({ dns: { view_zones: true, zones_allow_by_default: false, zones_allow: [zone] } });
  const refusal = async (name: string) => {
    const { status, body } = await key.call("POST", "explain", { name });
    return [status, String(body["message"]).replace(name, "NAME")];
  };
  expect(await refusal("www.closed.example")).toEqual(await refusal("www.nothing.example"));
  expect((await refusal("www.closed.example"))[0]).toBe(403);
});

test("every field may be null", async () => {
  const location = { country: null, subdivision: null, georegion: null, latitude: null, longitude: null, asn: null };
  const nothing = { type: null, client: null, subnet: null, time: null, seed: null, draws: null, matrix: null };
  expect((await explain("www", { location, ...nothing })).answer).toHaveLength(2);
});

test("invalid questions are refused, and the message names the field", async () => {
  expect(await refused({ name: `www.${zone}`, client: "x" })).toMatch(/^client: x is not an address/);
  expect(await refused({ name: `www.${zone}`, subnet: "192.0.2.0/33" })).toMatch(/^subnet:/);
  expect(await refused({ name: `www.${zone}`, location: { country: "zz" } })).toMatch(/^location.country: "zz" is not/);
  expect(await refused({ name: `www.${zone}`, type: "NOPE" })).toMatch(/record type/);
  expect(await refused({ name: `www.${zone}`, matrix: true, draws: 1000 })).toMatch(/^draws:/);
});
