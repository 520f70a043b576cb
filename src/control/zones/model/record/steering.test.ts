/** Filter chains over HTTP: returned octet for octet, or refused with the field's name; and the extensions all_down and live_guard. */
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../../../test/service/api.ts";

const api = await startApi();
const zone = "example.com";
await api.must("PUT", `zones/${zone}`, { nx_ttl: 300 });

let count = 0;
const at = (type: string) => `zones/${zone}/r${++count}.${zone}/${type}`;
const serial = async () => (await api.must<Fields>("GET", `zones/${zone}?records=false`))["serial"];

/** A record's configuration as sent, without the ids and bindings that the service adds. */
const configurationOf = ({ answers, filters, regions, meta, use_client_subnet }: Fields) =>
  JSON.stringify({
    answers: (answers as Fields[]).map(({ id: _id, feeds: _feeds, ...sent }) => sent),
    ...{ filters, regions, meta, use_client_subnet },
  });

const octodns = {
  type: "CNAME",
  body: {
    answers: [
      [
        "pool1.example.net.",
        { priority: 1, weight: 12, note: "pool:iad fallback: from:eu__country", up: true, country: ["DE", "FR"] },
        "eu__country",
      ],
      [
        "pool2.example.net.",
        { priority: 2, weight: 1, note: "pool:sea", up: true, ip_prefixes: ["192.0.2.0/24"] },
        "us",
      ],
      ["pool1.example.net.", { priority: 1, weight: 12, note: "from:--default-- pool:iad", up: true }, "catchall__iad"],
    ].map(([target, meta, region]) => ({ answer: [target], meta, region })),
    filters: [
      { filter: "up", config: {} },
      { filter: "netfence_prefix", config: { remove_no_ip_prefixes: true } },
      { filter: "geofence_country", config: { remove_no_location: true } },
      { filter: "geofence_regional", config: { remove_no_georegion: true } },
      { filter: "select_first_region", config: {} },
      { filter: "priority", config: { eliminate: "1" } },
      { filter: "weighted_shuffle", config: {} },
      { filter: "select_first_n", config: { N: "1" } },
    ],
    regions: {
      us: { meta: { georegion: ["US-EAST", "US-WEST"], us_state: ["CA", "NY"] } },
      eu__country: { meta: { country: ["DE", "FR"], note: "" } },
      catchall__iad: { meta: {} },
    },
    meta: {},
    use_client_subnet: true,
  },
};

const terraform = {
  type: "A",
  body: {
    answers: [
      { answer: ["192.0.2.1"], meta: { up: "1", weight: "5.5", asn: ["64500", "64501"] }, region: "cal" },
      { answer: ["192.0.2.2"], meta: { up: false, subdivisions: { BR: ["SP", "SC"], DZ: ["01"] } }, region: "ny" },
      { answer: ["192.0.2.1"], meta: {}, region: "ny" },
    ],
    filters: [
      { filter: "up", disabled: true },
      { config: { remove_no_location: "1" }, filter: "geofence_country" },
      { filter: "geotarget_country", config: null },
      { disabled: false, filter: "sticky", config: { sticky_by_network: "true" } },
      { filter: "shed_load", config: { metric: "loadavg" }, disabled: true },
      { filter: "select_first_n", config: { N: "1", unknown: [1, "1", true, null, 9.5] } },
    ],
    regions: { ny: { meta: { us_state: ["NY"] } }, cal: { meta: { us_state: ["CA"], up: true } }, empty: {} },
    meta: { note: "managed by Terraform", up: true },
    use_client_subnet: false,
  },
};

const broadcaster = {
  type: "CNAME",
  body: {
    answers: [
      { answer: ["cdn-a.example.net"], meta: { country: ["IE"], asn: [100], weight: 50 } },
      { answer: ["cdn-b.example.net"], meta: { ip_prefixes: ["192.0.2.0/24", "2001:db8::/32"], weight: 50 } },
      { answer: ["cdn-c.example.net"], meta: { weight: 100 } },
    ],
    filters: [
      { filter: "geofence_country", config: { remove_no_location: "1" } },
      { filter: "netfence_asn", config: { remove_no_asn: "1" } },
      { filter: "netfence_prefix", config: { remove_no_ip_prefixes: "1" } },
      { filter: "weighted_shuffle", config: {} },
      { filter: "select_first_n", config: { N: "1" } },
    ],
    regions: {},
    meta: {},
    use_client_subnet: true,
  },
};

describe.each([
  ["a chain from octoDNS", octodns],
  ["a chain from Terraform", terraform],
  ["a broadcaster's chain of fences", broadcaster],
])("%s", (_says, { type, body }) => {
  test("is returned octet for octet by PUT and GET", async () => {
    const path = at(type);
    expect(configurationOf(await api.must("PUT", path, body))).toBe(configurationOf(body));
    const { text, body: got } = await api.call("GET", path);
    expect(configurationOf(got)).toBe(configurationOf(body));
    expect(text).toContain(`"filters":${JSON.stringify(body.filters)}`);
    expect(text).toContain(`"regions":${JSON.stringify(body.regions)}`);
  });

  test("changes nothing when it is sent back, and neither does the original body", async () => {
    const path = at(type);
    await api.numbered(await api.call("PUT", path, body));
    const before = await serial();
    for (const back of [(await api.call("GET", path)).body, body]) {
      const posted = await api.call("POST", path, back);
      expect([posted.status, posted.headers.get("x-fairlead-change")]).toEqual([200, null]);
    }
    expect(await serial()).toBe(before);
  });

  test("is the same after it is deleted and sent back by PUT", async () => {
    const path = at(type);
    const made = await api.must("PUT", path, body);
    await api.must("DELETE", path);
    expect(configurationOf(await api.must("PUT", path, made))).toBe(configurationOf(body));
  });
});

describe("the tier", () => {
  test.each([
    [1, []],
    [2, ["up", "weighted_shuffle"]],
    [3, ["up", "geofence_country", "select_first_n"]],
  ])("is %d for %j", async (tier, filters) => {
    const path = at("A");
    const body = { answers: [], filters: filters.map((filter) => ({ filter, config: {} })) };
    expect(await api.must("PUT", path, body)).toMatchObject({ tier });
    const { records } = await api.must<{ records: Fields[] }>("GET", `zones/${zone}`);
    expect(records.find(({ domain }) => domain === path.split("/")[2])).toMatchObject({ tier });
  });

  test("includes disabled filters, and falls when the chain is removed", async () => {
    const path = at("A");
    const filters = [{ filter: "netfence_asn", disabled: true }];
    expect(await api.must("PUT", path, { answers: [], filters })).toMatchObject({ tier: 3 });
    expect(await api.must("POST", path, { ttl: 5 })).toMatchObject({ tier: 3, filters });
    expect(await api.must("POST", path, { filters: null })).toMatchObject({ tier: 1, filters: [] });
  });
});

describe("refused", () => {
  const cases: [says: string, type: string, filters: unknown, message: string][] = [
    ["an unknown filter", "A", [{ filter: "up" }, { filter: "down" }], 'filters[1].filter: filter "down" is not known'],
    [
      "a name that objects inherit",
      "A",
      [{ filter: "constructor" }],
      'filters[0].filter: filter "constructor" is not known',
    ],
    [
      "a filter that only another edition has",
      "A",
      [{ filter: "dhcp" }],
      'filters[0].filter: filter "dhcp" is not known',
    ],
    [
      "a filter for another record type",
      "AAAA",
      [{ filter: "ipv4_prefix_shuffle" }],
      'filters[0].filter: "ipv4_prefix_shuffle" is for records of type A, not AAAA',
    ],
    [
      "a count that is not a number",
      "A",
      [{ filter: "select_first_n", config: { N: "many" } }],
      "filters[0].config.N must be a whole number of at least 1",
    ],
    [
      "a count of 0",
      "A",
      [{ filter: "select_first_n", config: { N: 0 } }],
      "filters[0].config.N must be a whole number of at least 1",
    ],
    [
      "a flag that is not true or false",
      "A",
      [{ filter: "sticky", config: { sticky_by_network: "yes" } }],
      "filters[0].config.sticky_by_network must be true or false, 1 or 0",
    ],
    ["a missing metric", "A", [{ filter: "shed_load", config: {} }], "filters[0].config.metric is required"],
    [
      "an unknown metric",
      "A",
      [{ filter: "shed_load", config: { metric: "weight" } }],
      'filters[0].config.metric must be one of "loadavg", "loadAvg", "connections", "requests"',
    ],
    [
      "a value of disabled that is not a flag",
      "A",
      [{ filter: "up", disabled: "no" }],
      "filters[0].disabled must be true or false",
    ],
    ["a chain that is too long", "A", Array(65).fill({ filter: "up" }), "filters: at most 64 filters per record"],
  ];
  test.each(cases)("%s", async (_, type, filters, message) => {
    const answer = await api.call("PUT", at(type), { answers: [], filters });
    expect([answer.status, answer.body["message"]]).toEqual([400, message]);
  });

  const many = <T>(count: number, of: (i: number) => T) => Array.from({ length: count }, (_, i) => of(i));
  const withMeta = (meta: object) => ({ answers: [{ answer: ["192.0.2.1"], meta }] });
  test.each([
    ["101 answers", { answers: many(101, (i) => ({ answer: [`192.0.2.${i}`] })) }, "at most 100"],
    ["9000 answers", { answers: many(9000, () => ({ answer: ["192.0.2.1"] })) }, "at most 100"],
    [
      "9990 regions",
      { answers: [], regions: Object.fromEntries(many(9990, (i) => [`region${i}`, {}])) },
      "regions: at most 500 per record",
    ],
    [
      "a chain of 1000",
      { answers: [], filters: many(1000, () => ({ filter: "up" })) },
      "filters: at most 64 filters per record",
    ],
    ["a note of a megabyte", withMeta({ note: "x".repeat(1 << 20) }), "meta.note must be text of up to 256 characters"],
    [
      "metadata of a megabyte",
      withMeta({ additional_metadata: [{ text: "x".repeat(1 << 20) }] }),
      "up to 4096 octets of JSON",
    ],
    [
      "100,000 AS numbers",
      withMeta({ asn: many(100_000, (i) => i + 1) }),
      "meta.asn must be an array of up to 1000 elements",
    ],
    [
      "100,000 prefixes",
      withMeta({ ip_prefixes: many(100_000, () => "192.0.2.0/24") }),
      "meta.ip_prefixes must be an array of up to 1000 elements",
    ],
  ])("%s, beyond the limits of a record", async (_what, body, message) => {
    const path = at("A");
    const answer = await api.call("PUT", path, body);
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining(message)]);
    expect((await api.call("GET", path)).status).toBe(404);
  });

  test.each([
    ["a filter without its name", [{ config: {} }], "filters"],
    ["a name alone", ["up"], "filters"],
    ["a configuration that is not an object", [{ filter: "up", config: [] }], "config"],
    ["a value that is not a list", { filter: "up" }, "filters"],
  ])("%s", async (_says, filters, field) => {
    const answer = await api.call("PUT", at("A"), { answers: [], filters });
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining(field)]);
  });

  test("a region of an answer that is not in regions", async () => {
    const answers = [{ answer: ["192.0.2.1"], region: "eu" }];
    const answer = await api.call("PUT", at("A"), { answers, regions: { us: {} }, filters: [{ filter: "up" }] });
    expect([answer.status, answer.body["message"]]).toEqual([400, 'answers[0].region: "eu" is not in regions']);
  });
});

describe("a CNAME record with several targets", () => {
  const answers = [{ answer: ["a.example.net"] }, { answer: ["b.example.net"] }];

  test("needs an enabled filter", async () => {
    const refused = {
      status: 400,
      body: { message: "answers: a CNAME record can have several answers only with filters" },
    };
    expect(await api.call("PUT", at("CNAME"), { answers })).toMatchObject(refused);
    const filters = [{ filter: "shuffle", config: {} }];
    expect(await api.call("PUT", at("CNAME"), { answers, filters: [{ ...filters[0], disabled: "1" }] })).toMatchObject(
      refused,
    );
    const path = at("CNAME");
    await api.must("PUT", path, { answers, filters });
    expect(await api.call("POST", path, { filters: [] })).toMatchObject(refused);
    expect(await api.must("POST", `${path}/answers`, { add: [{ answer: ["c.example.net"] }] })).toMatchObject({
      filters,
    });
  });
});

describe("all_down and live_guard", () => {
  const body = {
    answers: [{ answer: ["192.0.2.1"], region: "spare" }],
    regions: { spare: {} },
    filters: [{ filter: "up" }],
  };

  test("are shown when set, kept when left out, and unset by null", async () => {
    const path = at("A");
    const plain = await api.must("PUT", path, body);
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(["all_down"]));
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(["live_guard"]));
    const set = { all_down: { policy: "group", group: "spare" }, live_guard: 0.5 };
    expect(await api.must("POST", path, set)).toMatchObject({ ...body, ...set });
    expect(await api.must("POST", path, { ttl: 7 })).toMatchObject(set);
    expect(await api.must("GET", path)).toMatchObject({ ...set, ttl: 7 });
    const { body: back } = await api.call("GET", path);
    expect((await api.call("POST", path, back)).headers.get("x-fairlead-change")).toBeNull();
    await api.must("POST", path, { all_down: null, live_guard: null });
    expect(Object.keys(await api.must("GET", path))).toEqual(Object.keys(plain));
  });

  test.each(["serve_all", "last_healthy", "nothing"])("the policy %s needs no other field", async (policy) => {
    expect(await api.must("PUT", at("A"), { ...body, all_down: { policy } })).toMatchObject({ all_down: { policy } });
  });

  test.each([
    [{ all_down: { policy: "group" } }, "all_down.group is required"],
    [{ all_down: { policy: "group", group: "none" } }, 'all_down.group: "none" is not in regions'],
    [{ all_down: { policy: "nothing", group: "spare" } }, 'all_down.group requires the policy "group"'],
    [{ all_down: { policy: "pray" } }, expect.stringContaining("all_down")],
    [{ all_down: "serve_all" }, expect.stringContaining("all_down")],
    [{ live_guard: 1.5 }, expect.stringContaining("live_guard")],
    [{ live_guard: "0.5" }, expect.stringContaining("live_guard")],
  ])("refused: %j", async (fields, message) => {
    const answer = await api.call("PUT", at("A"), { ...body, ...fields });
    expect([answer.status, answer.body["message"]]).toEqual([400, message]);
  });

  test("a group cannot be removed while the policy names it", async () => {
    const path = at("A");
    await api.must("PUT", path, { ...body, answers: [], all_down: { policy: "group", group: "spare" } });
    expect(await api.call("POST", path, { regions: {} })).toMatchObject({ status: 400 });
  });

  test("a bulk write that leaves them out unsets them", async () => {
    const domain = `bulk.${zone}`;
    const full = { domain, type: "A", ...body, all_down: { policy: "nothing" }, live_guard: 1 };
    await api.must("POST", `zones/${zone}/records`, { put: [full] });
    const { records } = await api.must<{ records: Fields[] }>("POST", `zones/${zone}/records`, {
      put: [{ domain, type: "A", answers: [] }],
    });
    expect(records[0]).toMatchObject({ filters: [], tier: 1 });
    expect(Object.keys(records[0]!)).not.toContain("all_down");
  });

  test("reach the edges", async () => {
    const path = at("A");
    const set = { all_down: { policy: "nothing" }, live_guard: 0.25, filters: [{ filter: "up", config: {} }] };
    const answer = await api.call("PUT", path, { ...body, ...set });
    const change = await api.store.db
      .selectFrom("change")
      .select("body")
      .where("id", "=", answer.headers.get("x-fairlead-change")!)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(change.body)).toMatchObject({ changes: [{ kind: "record", record: set }] });
  });
});
