/** Explain with records of a draft and assumed values of feeds: checked like writes, and never written. */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import type { Client } from "../../../../test/service/client.ts";
import type { Explanation } from "./schema.ts";

const api = await startApi();
const zone = "draft.example";
const other = "other-draft.example";
for (const name of [zone, other]) await api.must("PUT", `zones/${name}`, {});
const name = (label: string, of = zone) => `${label}.${of}`;
const addresses = (...list: string[]) => ({ answers: list.map((address) => ({ answer: [address] })) });
const put = (label: string, type: string, body: Fields) =>
  api.must("PUT", `zones/${zone}/${name(label)}/${type}`, body);
const record = (action: string, label: string, type: string, body: Fields = {}) => ({
  ...{ action, zone, domain: name(label), type },
  ...body,
});
const explain = (label: string, records: readonly Fields[], more: Fields = {}, client: Client = api) =>
  client.must<Explanation>("POST", "explain", { name: name(label), records, ...more });
const rdata = ({ answer }: Explanation) => answer.map((line) => line.split(" ").slice(4).join(" "));
const states = ({ steps }: Explanation) => steps.map(({ state }) => state);

const up = [{ filter: "up", config: {} }];
await put("www", "A", { ...addresses("192.0.2.1"), ttl: 77 });
await put("a.deep", "A", addresses("192.0.2.2"));
await put("only.below.empty", "A", addresses("192.0.2.3"));

describe("a draft is laid over the records of the store", () => {
  test("a new record answers, and the store has no trace of it", async () => {
    const everything = () =>
      Promise.all(
        ["record", "owner", "activity", "change", "zone_history", "destination"].map(async (table) => {
          const { rows } = await sql`select count(*) as count from ${sql.table(table)}`.execute(api.store.db);
          return rows[0];
        }),
      );
    const before = await everything();
    const explained = await explain("new", [record("put", "new", "A", { ...addresses("192.0.2.9"), filters: up })]);
    expect([explained.rcode, rdata(explained), states(explained)]).toEqual(["NOERROR", ["192.0.2.9"], ["answer"]]);
    expect(explained.steps[0]).toMatchObject({ record: `${name("new")} A`, answers: [{ answer: ["192.0.2.9"] }] });
    expect(await everything()).toEqual(before);
    expect((await api.call("GET", `zones/${zone}/${name("new")}/A`)).status).toBe(404);
  });

  test("put replaces a record as a whole, and update keeps the fields that it does not name", async () => {
    const replaced = await explain("www", [record("put", "www", "A", addresses("192.0.2.8"))]);
    expect(replaced.answer).toEqual([`${name("www")}. 3600 IN A 192.0.2.8`]);
    const updated = await explain("www", [record("update", "www", "A", addresses("192.0.2.8"))]);
    expect(updated.answer).toEqual([`${name("www")}. 77 IN A 192.0.2.8`]);
    expect(rdata(await explain("www", []))).toEqual(["192.0.2.1"]);
  });

  test("a deleted record is gone, and so is a name without further records below", async () => {
    expect((await explain("www", [record("delete", "www", "A")])).rcode).toBe("NXDOMAIN");
    expect((await explain("below.empty", [])).rcode).toBe("NOERROR");
    expect((await explain("below.empty", [record("delete", "only.below.empty", "A")])).rcode).toBe("NXDOMAIN");
    const moved = [
      record("delete", "only.below.empty", "A"),
      record("put", "x.below.empty", "A", addresses("192.0.2.1")),
    ];
    expect((await explain("below.empty", moved)).rcode).toBe("NOERROR");
  });

  test("a draft can be a wildcard, a chain of names, a link and a delegation", async () => {
    expect(rdata(await explain("any.wild", [record("put", "*.wild", "A", addresses("192.0.2.7"))]))).toEqual([
      "192.0.2.7",
    ]);
    const chain = [
      record("put", "first", "CNAME", { answers: [{ answer: [name("second")] }] }),
      record("put", "second", "A", addresses("192.0.2.6")),
    ];
    expect(rdata(await explain("first", chain))).toEqual([`${name("second")}.`, "192.0.2.6"]);
    const linked = [record("put", "linked", "A", { link: name("second") }), chain[1]!];
    const explained = await explain("linked", linked);
    expect([rdata(explained), explained.steps[0]?.link]).toEqual([["192.0.2.6"], name("second")]);
    expect(explained.warnings).toEqual([]);
    const cut = [record("put", "deep", "NS", { answers: [{ answer: ["ns.elsewhere.example"] }] })];
    expect(states(await explain("a.deep", cut))).toEqual(["delegation"]);
  });

  test("the records of a zone are laid over those of the zones that are linked to it", async () => {
    const linked = `linked-${zone}`;
    await api.must("PUT", `zones/${linked}`, { link: zone });
    const body = { name: `www.${linked}`, records: [record("put", "www", "A", addresses("192.0.2.5"))] };
    expect(rdata(await api.must<Explanation>("POST", "explain", body))).toEqual(["192.0.2.5"]);
  });
});

describe("a draft is checked like a change set", () => {
  const bad = { answers: [{ answer: ["192.0.2.1"] }, { answer: ["not an address"] }] };
  const chain = { ...addresses("192.0.2.1"), filters: [{ filter: "select_first_n", config: { N: 0 } }] };
  const drafts: readonly (readonly [what: string, ...Fields[]])[] = [
    ["a wrong answer", record("put", "x", "A", bad)],
    ["a wrong filter", record("put", "x", "A", chain)],
    ["unknown metadata", record("put", "x", "A", { ...addresses("192.0.2.1"), meta: { nope: 1 } })],
    [
      "a feed that does not exist",
      record("put", "x", "A", { ...addresses("192.0.2.1"), meta: { up: { feed: "no" } } }),
    ],
    ["an unknown type", record("put", "x", "NOPE")],
    ["a SOA record", record("put", "x", "SOA")],
    ["a CNAME beside another record", record("put", "www", "CNAME", { answers: [{ answer: ["a.example"] }] })],
    ["a missing record", record("update", "missing", "A", addresses("192.0.2.1"))],
    ["an existing record", record("create", "www", "A", addresses("192.0.2.1"))],
    ["a missing record to delete", record("put", "y", "A", addresses("192.0.2.1")), record("delete", "missing", "A")],
    ["a missing zone", { ...record("put", "x", "A", addresses("192.0.2.1")), zone: "missing.example" }],
    [
      "a name outside the zone",
      { ...record("put", "x", "A", addresses("192.0.2.1")), domain: "www.elsewhere.example" },
    ],
    ["the same record twice", record("put", "x", "A", addresses("192.0.2.1")), record("delete", "x", "A")],
    ["a link to itself", record("put", "x", "A", { link: name("x") })],
    ["an unknown action", record("change", "x", "A", {})],
  ];
  test.each(drafts)("%s", async (_, ...records) => {
    const written = await api.call("PUT", "changesets?dry_run=true", { records });
    const explained = await api.call("POST", "explain", { name: name("www"), records });
    expect(explained.status).not.toBe(200);
    const outcome = ({ status, body }: typeof written) => [status, body["message"], body["code"], body["details"]];
    expect(outcome(explained)).toEqual(outcome(written));
  });

  test("names the record and the field", async () => {
    const { body } = await api.call("POST", "explain", { name: name("www"), records: [record("put", "x", "A", bad)] });
    expect(body["message"]).toMatch(/^records\[0\] x\.draft\.example A: answers\[1\]: /);
    expect(body["details"]).toMatchObject({ field: "records[0].answers[1].address" });
  });

  test("has at most 100 records and 1 MiB", async () => {
    const records = Array.from({ length: 101 }, (_, i) => record("put", `n${i}`, "A", addresses("192.0.2.1")));
    expect((await api.call("POST", "explain", { name: name("www"), records })).body["message"]).toMatch(/records/);
    const large = { name: name("www"), records: records.slice(0, 1), editor: "x".repeat(1024 * 1024) };
    expect((await api.call("POST", "explain", large)).status).toBe(413);
  });
});

describe("a draft gives nobody more than a write and a read", () => {
  const secret = name("secret", other);
  const address = "203.0.113.77";

  test("a record that the caller may not write is refused like its write", async () => {
    const records = [record("put", "www", "A", addresses("192.0.2.1"))];
    const rule = { zone, domain: name("www"), type: "A" };
    const keys = [
      await api.limited({ dns: { view_zones: true, manage_zones: false } }),
      await api.limited({ dns: { view_zones: true, manage_zones: true, records_deny: [rule] } }),
      await api.limited({
        dns: { view_zones: true, manage_zones: true, zones_allow_by_default: false, zones_allow: [other] },
      }),
    ];
    for (const key of keys) {
      const written = await key.call("PUT", "changesets?dry_run=true", { records });
      const explained = await key.call("POST", "explain", { name: name("x", other), records });
      // a change set of a key without the right is refused before its records are read
      const reason = ({ body }: typeof written) => String(body["message"]).replace(/^records\[0\] \S+ A: /, "");
      expect([explained.status, reason(explained)]).toEqual([403, reason(written)]);
    }
  });

  test("a record that the caller may not see stays hidden behind records of a draft", async () => {
    await api.must("PUT", `zones/${other}/${secret}/A`, addresses(address));
    const rules = [{ zone: other, domain: secret, type: "A" }];
    const key = await api.limited({ dns: { view_zones: true, manage_zones: true, records_deny: rules } });
    const to = [record("put", "alias", "CNAME", { answers: [{ answer: [secret] }] })];
    const through = await key.call<Explanation>("POST", "explain", { name: name("alias"), records: to, draws: 2 });
    expect([through.status, through.text]).toEqual([200, expect.not.stringContaining(address)]);
    expect(through.body.steps.map(({ hidden }) => hidden)).toEqual([false, true]);
    for (const body of [{ link: secret }, { answers: [{ answer: [secret] }] }]) {
      const type = "link" in body ? "A" : "ALIAS";
      const records = [record("put", "alias", type, body)];
      const reply = await key.call("POST", "explain", { name: name("alias"), records });
      expect([reply.status, reply.text]).toEqual([403, expect.not.stringContaining(address)]);
    }
  });

  test("another account's zone is like none", async () => {
    const stranger = await api.stranger();
    await stranger.must("PUT", "zones/stranger-draft.example", {});
    const records = [record("put", "www", "A", addresses("192.0.2.1"))];
    const refusal = await stranger.call("POST", "explain", { name: "www.stranger-draft.example", records });
    expect([refusal.status, refusal.body["message"]]).toEqual([404, expect.stringContaining("zone not found")]);
  });
});

describe("assumed values of feeds", async () => {
  const { id: source } = await api.must<{ id: string }>("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" });
  const feedOf = async (label: string, more: Fields = {}) =>
    (await api.must<{ id: string }>("PUT", `data/feeds/${source}`, { name: label, config: { label }, ...more })).id;
  const [one, two] = [await feedOf("one"), await feedOf("two", { max_age: 3600, fallback: { up: true } })];
  await api.must("POST", `feed/${source}`, { one: { up: true, weight: 3 }, two: { up: false, weight: 5 } });
  const filters = [...up, { filter: "weighted_shuffle", config: {} }];
  const meta = (feed: string) => ({ up: { feed }, weight: { feed } });
  await put("fed", "A", {
    filters,
    answers: [
      { answer: ["198.51.100.1"], meta: meta(one) },
      { answer: ["198.51.100.2"], meta: meta(two) },
    ],
  });
  const fed = (feeds: Fields, more: Fields = {}) => explain("fed", [], { feeds, ...more });
  const valuesOf = ({ steps }: Explanation) =>
    steps[0]!.filters.flatMap(({ values }) =>
      values.map(({ answer, key, value, origin }) => [answer, key, value, origin]),
    );

  test("apply in this answer only, and the steps say which values are assumed", async () => {
    const explained = await fed({ [one]: { up: false }, [two]: { up: true } });
    expect(rdata(explained)).toEqual(["198.51.100.2"]);
    expect(valuesOf(explained)).toEqual([
      [0, "up", false, "assumed"],
      [1, "up", true, "assumed"],
    ]);
    expect(explained.steps[0]?.filters[0]).toMatchObject({ left: [{ answer: 0, reason: "up is not true" }] });
    expect(rdata(await fed({}))).toEqual(["198.51.100.1"]);
    expect(await api.must("GET", `data/feeds/${source}/${one}`)).toMatchObject({ data: { up: true, weight: 3 } });
  });

  test("leave other keys as they are, with their ages", async () => {
    const explained = await fed({ [two]: { up: true } }, { time: Date.now() / 1000 + 30 });
    const weights = explained.steps[0]!.filters[1]!.values;
    expect(weights.map(({ value, origin }) => [value, origin])).toEqual([
      [3, "pushed"],
      [5, "pushed"],
    ]);
    for (const { age } of weights) expect(age).toBeGreaterThan(25);
  });

  test("with null, a key has no pushed value", async () => {
    const explained = await fed({ [one]: { up: null } });
    expect(explained.steps[0]?.filters[0]).toMatchObject({ left: [], all_down: "keep" });
    expect(valuesOf(explained).slice(0, 2)).toEqual([
      [0, "up", null, "assumed"],
      [1, "up", false, "pushed"],
    ]);
  });

  test("do not make values valid that have expired", async () => {
    const explained = await fed({ [two]: { weight: 9 } }, { time: Date.now() / 1000 + 7200 });
    expect(valuesOf(explained)).toContainEqual([1, "up", true, "fallback"]);
    expect(valuesOf(explained)).toContainEqual([1, "weight", 9, "assumed"]);
  });

  test("apply to records of a draft", async () => {
    const answers = [
      { answer: ["198.51.100.3"], meta: { up: { feed: one } } },
      { answer: ["198.51.100.4"], meta: { up: true } },
    ];
    const explained = await explain("drafted", [record("put", "drafted", "A", { answers, filters: up })], {
      feeds: { [one]: { up: false } },
    });
    expect(rdata(explained)).toEqual(["198.51.100.4"]);
  });

  test("are refused for feeds that do not exist, that are of others, or that the caller may not view", async () => {
    const stranger = await api.stranger();
    await stranger.must("PUT", "zones/feeds-draft.example", {});
    const refusal = async (client: Client, feeds: Fields, asked = name("fed")) => {
      const { status, body } = await client.call("POST", "explain", { name: asked, feeds });
      return [status, body["message"]];
    };
    const none = (feed: string) => [400, `feeds.${feed}: there is no feed "${feed}"`];
    expect(await refusal(api, { nothing: { up: true } })).toEqual(none("nothing"));
    expect(await refusal(stranger, { [one]: { up: true } }, "www.feeds-draft.example")).toEqual(none(one));
    const key = await api.limited({
      dns: { view_zones: true },
      data: { manage_datafeeds: false, manage_datasources: false },
    });
    expect(await refusal(key, { [one]: { up: true } })).toEqual([403, expect.stringMatching(/manage_datafeeds/)]);
    expect((await refusal(key, {}))[0]).toBe(200);
    expect(await refusal(api, { [one]: { up: "maybe" } })).toEqual([
      400,
      expect.stringMatching(/^feeds\..*\.up must be/),
    ]);
  });
});
