/** Abuse of the API: odd names, too much of everything, and listings that change while they are read. */
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../test/machine/random.ts";
import { type Fields, startApi } from "../../test/service/api.ts";
import { types } from "../dns/types.ts";

const api = await startApi();
const zone = "abuse.example";
await api.must("PUT", `zones/${zone}`, { zone });
const answers = [{ answer: ["192.0.2.1"] }];
const put = (name: string, body: Fields, type = "A") => api.call("PUT", `zones/${zone}/${name}.${zone}/${type}`, body);

describe("names of built-in object properties are ordinary names:", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"];
  /** Parsed, so that `__proto__` is a key. */
  const keyed = (name: string, value: unknown) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);

  test.for(names)("%s", async (name) => {
    const own = name.replaceAll("_", "x").toLowerCase();
    const regions = keyed(name, { meta: { up: true } });
    const tags = keyed(name, "value");
    const made = await put(own, { answers: [{ ...answers[0], region: name }], regions, tags, local_tags: [name] });
    expect(made.status).toBe(200);
    const read = await api.must<Fields>("GET", `zones/${zone}/${own}.${zone}/A`);
    expect([read["regions"], read["tags"], read["local_tags"]]).toEqual([regions, tags, [name]]);

    const { id } = await api.must<Fields>("PUT", "data/sources", { name, sourcetype: "nsone_v1", config: {} });
    const feed = await api.must<Fields>("PUT", `data/feeds/${id}`, { name, config: { label: name } });
    await api.must("POST", `feed/${id}`, keyed(name, { up: false }));
    expect(await api.must("GET", `data/feeds/${id}/${feed["id"]}`)).toMatchObject({ data: { up: false } });

    for (const [to, body] of [
      [`zones/${zone}/a.${zone}/A`, { answers, meta: keyed(name, 1) }],
      [`zones/${zone}/a.${zone}/A`, { answers, filters: [{ filter: name, config: {} }] }],
      [`zones/${zone}/a.${zone}/${name}`, { answers }],
      ["data/sources", { name, sourcetype: name, config: {} }],
    ] as const) {
      const answer = await api.call("PUT", to, body);
      expect([to, answer.status, answer.body["message"]]).toEqual([to, 400, expect.stringContaining(name)]);
    }
    for (const [nth, permissions] of [keyed(name, { manage_users: true }), { dns: keyed(name, true) }].entries()) {
      const { warnings } = await api.must<Fields>("PUT", "account/apikeys", { name: `${name}${nth}`, permissions });
      expect(JSON.stringify(warnings)).toContain(name);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe("an excess is refused with its field:", () => {
  const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
  const keys = (count: number, value: unknown) => Object.fromEntries(many(count, (n) => [`k${n}`, value]));
  const record = `zones/${zone}/much.${zone}/A`;
  const cases: [what: string, path: string, body: Fields, field: RegExp][] = [
    ["filters", record, { answers, filters: many(1000, () => ({ filter: "shuffle", config: {} })) }, /^filters/],
    ["answers", record, { answers: many(5000, () => answers[0]) }, /^answers/],
    ["regions", record, { answers, regions: keys(4000, { meta: {} }) }, /regions/],
    ["keys", record, { answers, regions: keys(10_001, {}) }, /10000 keys/],
    ["a note", record, { answers, meta: { note: "x".repeat(1_000_000) } }, /^meta\.note/],
    ["AS numbers", record, { answers, meta: { asn: many(100_000, (n) => n) } }, /^meta\.asn/],
    ["prefixes", record, { answers, meta: { ip_prefixes: many(50_000, () => "192.0.2.0/24") } }, /^meta\.ip_prefixes/],
    ["tags", record, { answers, tags: keys(5000, "x") }, /^tags/],
    ["blocked tags", record, { answers, blocked_tags: many(100_000, (n) => `t${n}`) }, /^blocked_tags/],
    [
      "secondaries",
      "zones/b.example",
      { primary: { enabled: true, secondaries: many(3000, () => ({ ip: "192.0.2.1" })) } },
      /^primary\.secondaries/,
    ],
    [
      "primaries",
      "zones/b.example",
      { secondary: { enabled: true, primary_ip: "192.0.2.1", other_ips: many(100_000, () => "192.0.2.1") } },
      /other_ips/,
    ],
    ["addresses", "account/apikeys", { name: "much", ip_whitelist: many(100_000, () => "192.0.2.1") }, /^ip_whitelist/],
    [
      "zones of a key",
      "account/apikeys",
      { name: "much", permissions: { dns: { zones_allow: many(100_000, (n) => `z${n}.example`) } } },
      /zones_allow/,
    ],
  ];
  test.for(cases)("%s", async ([, path, body, field]) => {
    const answer = await api.call("PUT", path, body);
    expect(answer.body["message"]).toMatch(field);
    expect(answer.status).toBe(400);
  });
});

test("malformed RDATA of every type is refused with the answer's position, or returned unchanged", async () => {
  const random = seededRandom(1);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const odd = [
    65_536,
    -1,
    1e3,
    1.5,
    "10",
    "1e3",
    "",
    " ",
    "-1",
    "x".repeat(256),
    "x".repeat(70_000),
    "a",
    "::1",
    "1.2.3.4",
  ]
    .concat(["\\# 4 00", "\\", '"', "(", "a..b", "*", ".", "é", "xn--a", "====", "1 2 3 4"])
    .concat([null, true, [], {}, [1]] as never[]);
  let accepted = 0;
  for (const type of Object.keys(types)) {
    for (let n = 0; n < 6; n++) {
      const answer = Array.from({ length: Math.floor(random() * 8) }, () => pick(odd));
      const { status, body } = await put(`odd${n}`, { answers: [{ answer }] }, type);
      const what = `${type} ${JSON.stringify(answer).slice(0, 200)}`;
      expect([what, [200, 400, 405].includes(status)]).toEqual([what, true]);
      if (status === 400) expect([what, body["message"]]).toEqual([what, expect.stringMatching(/answer|type/i)]);
      if (status !== 200) continue;
      expect(body).toMatchObject({ answers: [{ answer }] });
      accepted++;
    }
  }
  expect(accepted).toBeGreaterThan(0);
});

describe("a listing in pages", () => {
  test("has each untouched zone once, and nothing twice, while zones are created and deleted", async () => {
    const account = await api.stranger();
    const names = Array.from({ length: 12 }, (_, n) => `keep${String(n).padStart(2, "0")}.example`);
    for (const name of names) await account.must("PUT", `zones/${name}`, { zone: name });
    const seen: string[] = [];
    let [after, turn] = ["", 0];
    do {
      const page = await account.call<{ zone: string }[]>("GET", `zones?limit=3${after}`);
      seen.push(...page.body.map(({ zone }) => zone));
      const next = /after=([^>&]*)/.exec(page.headers.get("link") ?? "")?.[1];
      after = next === undefined ? "" : `&after=${next}`;
      turn++;
      await account.must("PUT", `zones/come${turn}.example`, { zone: `come${turn}.example` });
      await account.must("PUT", `zones/keep0${turn}-new.example`, { zone: `keep0${turn}-new.example` });
      if (turn > 1) await account.must("DELETE", `zones/come${turn - 1}.example`);
    } while (after !== "");
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((name) => names.includes(name))).toEqual(names);
  });

  test.for(["0", "-1", "1e9", "NaN", "", "1.5", "99999999999999999", "0x10"])(
    "is refused with limit=%s",
    async (limit) => {
      const answer = await api.call("GET", `zones?limit=${limit}`);
      expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining('"limit"')]);
    },
  );

  test("takes any cursor, and shows nothing of another account", async () => {
    const stranger = await api.stranger();
    for (const after of [
      "a",
      zone,
      "zz/../..",
      "%00",
      "%ff",
      "' or 1=1--",
      "x".repeat(3000),
      "🌍",
      "[]",
      "__proto__",
    ]) {
      const answer = await stranger.call(
        "GET",
        `zones?after=${after.startsWith("%") ? after : encodeURIComponent(after)}`,
      );
      expect([after, answer.status === 200 ? answer.body : answer.status]).toEqual([
        after,
        expect.toSatisfy((it) => it === 400 || it.length === 0),
      ]);
    }
  });
});

describe("repeated many times", () => {
  test("creation and deletion of a zone leave one history, and the name free", async () => {
    const path = "zones/again.example";
    let last = 0;
    for (let n = 0; n < 30; n++) {
      const { serial } = await api.must<{ serial: number }>("PUT", path, { zone: "again.example" });
      expect(serial).toBeGreaterThanOrEqual(last);
      last = serial;
      await api.must("DELETE", path);
    }
    expect((await api.call("GET", path)).status).toBe(404);
    expect((await api.call("PUT", path, { zone: "again.example" })).status).toBe(200);
  });

  test("networks that are removed and added again end unchanged", async () => {
    const path = "zones/toggled.example";
    await api.must("PUT", path, { zone: "toggled.example" });
    const state = async () => {
      const { serial, updated_at, records, ...rest } = await api.must<
        Fields & { records: { short_answers: unknown }[] }
      >("GET", path);
      return { ...rest, records: records.map(({ short_answers }) => short_answers) };
    };
    const before = await state();
    for (let n = 0; n < 20; n++) {
      await api.must("POST", path, { networks: [] });
      await api.must("POST", path, { networks: [0] });
    }
    expect(await state()).toEqual(before);
  });
});
