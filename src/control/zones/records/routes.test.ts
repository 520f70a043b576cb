/** Records over HTTP: replies equal to bodies, round trips, answer ids, and exact messages. */
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { recordsOf, rr, type Shown } from "../../../../test/service/records.ts";

const api = await startApi();
const zone = "example.com";
const { fresh, at, put } = await recordsOf(api, zone);

describe("a record with answers only", () => {
  test("gets the zone's nx_ttl as TTL, and its fields in the order that clients expect", async () => {
    const domain = fresh();
    const made = await put(domain, "A", { answers: [rr("192.0.2.1")] });
    expect(made).toMatchObject({
      domain,
      zone,
      use_client_subnet: true,
      answers: [{ answer: ["192.0.2.1"], id: expect.stringMatching(/^[0-9a-f]{24}$/) }],
      regions: {},
      meta: {},
      link: null,
      filters: [],
      ttl: 300,
      tier: 1,
      type: "A",
      networks: [0],
      feeds: [],
      tags: {},
      blocked_tags: [],
      local_tags: [],
    });
    expect(Object.keys(made).slice(0, 13)).toEqual(
      "domain zone use_client_subnet answers id regions meta link filters ttl tier type networks".split(" "),
    );
    expect(Object.keys(made.answers[0] ?? {})).toEqual(["answer", "id"]);
  });

  test("may have TTL 0", async () => {
    expect(await put(fresh(), "TXT", { answers: [rr("x")], ttl: 0 })).toMatchObject({ ttl: 0 });
  });

  test("has a name in lower case, and is found in any case", async () => {
    const domain = fresh();
    expect(await put(domain.toUpperCase(), "a", { answers: [] })).toMatchObject({ domain, type: "A" });
    expect(await api.must("GET", at(`${domain.toUpperCase()}.`, "a"))).toMatchObject({ domain });
  });

  test("may have null for every unset field", async () => {
    const body = {
      answers: null,
      ttl: null,
      filters: null,
      regions: null,
      meta: null,
      link: null,
      tags: null,
      blocked_tags: null,
    };
    expect(await put(fresh(), "A", body)).toMatchObject({
      answers: [],
      ttl: 300,
      filters: [],
      regions: {},
      meta: {},
      tags: {},
    });
  });
});

describe("the reply contains what was sent", () => {
  const bodies: [type: string, answers: (string | number)[][]][] = [
    [
      "MX",
      [
        [5, "Mail.example.org."],
        ["10", "mail2.example.org"],
      ],
    ],
    ["SRV", [["1", 2, "3", "host.example.org."]]],
    [
      "CAA",
      [
        [0, "issue", "letsencrypt.org"],
        ["0", "iodef", "mailto:a@example.org"],
      ],
    ],
    [
      "NAPTR",
      [
        [100, "10", "U", "E2U+sip", "!^.*$!sip:info@example.com!", "."],
        [100, 20, "", "", "", "other.example.org"],
      ],
    ],
    ["TXT", [['one; two "three"'], ["a", "b"], ["x".repeat(700)]]],
    ["AAAA", [["2001:DB8::1"], ["2001:db8:0:0:0:0:0:2"]]],
    ["TYPE65280", [["\\# 4 0a000001"]]],
    ["HTTPS", [["1", ".", "alpn=h2,h3 port=8443"]]],
  ];
  for (const [type, answers] of bodies) {
    test(type, async () => {
      const domain = fresh();
      const made = await put(domain, type, { answers: answers.map((answer) => ({ answer })) });
      expect(made.answers.map(({ answer }) => answer)).toEqual(answers);
      const read = await api.must<Shown>("GET", at(domain, type));
      expect(read).toEqual(made);
    });
  }

  test("metadata, regions and their order, duplicates of RDATA", async () => {
    const answers = [
      { answer: ["192.0.2.1"], meta: { weight: "10", up: 1, note: " from:a  pool:b " }, region: "us" },
      { answer: ["192.0.2.1"], meta: { asn: [64496, "64497"], loadAvg: 0.5 }, region: "eu" },
      { answer: ["192.0.2.2"], meta: {} },
    ];
    const regions = { us: { meta: { country: ["US", "CA"] } }, eu: { meta: { georegion: "EUROPE" } }, empty: {} };
    const made = await put(fresh(), "A", { answers, regions, meta: { subdivisions: { BR: ["SP"] } } });
    expect(made.answers.map(({ id: _, ...answer }) => answer)).toEqual(answers);
    expect(JSON.stringify(made["regions"])).toBe(JSON.stringify(regions));
    expect(made["meta"]).toEqual({ subdivisions: { BR: ["SP"] } });
  });

  test("regions with any name", async () => {
    const regions = JSON.parse('{"__proto__": {"meta": {"up": true}}, "constructor": {}}');
    const made = await put(fresh(), "A", { regions, answers: [{ answer: ["192.0.2.1"], region: "__proto__" }] });
    expect(JSON.stringify(made["regions"])).toBe(JSON.stringify(regions));
  });
});

test("the body of GET, sent back by POST, or by PUT after DELETE, changes nothing", async () => {
  for (const [type, body] of [
    [
      "A",
      {
        answers: [{ answer: ["192.0.2.1"], meta: { up: true }, region: "x" }],
        regions: { x: { meta: {} } },
        tags: { a: "b" },
      },
    ],
    ["MX", { answers: [rr("5", "a.example.org"), rr(6, "b.example.org.")], ttl: 17, use_client_subnet: false }],
    ["TXT", { answers: [rr("a", "b")], override_ttl: true, blocked_tags: ["x"] }],
  ] as const) {
    const domain = fresh();
    await api.numbered(await api.call("PUT", at(domain, type), body));
    const read = await api.must("GET", at(domain, type));
    const { serial } = await api.must<Fields>("GET", `zones/${zone}?records=false`);
    const posted = await api.call("POST", at(domain, type), read);
    expect([posted.status, posted.headers.get("x-fairlead-change")]).toEqual([200, null]);
    expect(posted.body).toEqual(read);
    expect(await api.must<Fields>("GET", `zones/${zone}?records=false`)).toMatchObject({ serial });
    await api.must("DELETE", at(domain, type));
    const again = await api.must<Fields>("PUT", at(domain, type), read);
    expect({ ...again, id: 0, created_at: 0, updated_at: 0 }).toEqual({ ...read, id: 0, created_at: 0, updated_at: 0 });
  }
});

describe("changing a record", () => {
  test("replaces the fields in the body and keeps the others", async () => {
    const domain = fresh();
    await put(domain, "A", { answers: [rr("192.0.2.1")], meta: { note: "x" }, ttl: 5, tags: { a: "b" } });
    const changed = await api.must<Shown>("POST", at(domain, "A"), { answers: [rr("192.0.2.2")] });
    expect(changed).toMatchObject({ meta: { note: "x" }, ttl: 5, tags: { a: "b" } });
    expect(changed.answers.map(({ answer }) => answer)).toEqual([["192.0.2.2"]]);
    expect(await api.must("POST", at(domain, "A"), { meta: {}, ttl: null })).toMatchObject({ meta: {}, ttl: 300 });
  });

  test("keeps the ids of answers in the body, and gives new ids to the others", async () => {
    const domain = fresh();
    const { answers } = await put(domain, "A", { answers: [rr("192.0.2.1"), rr("192.0.2.2")] });
    const sent = [{ ...answers[1], meta: { weight: 1 } }, rr("192.0.2.3"), { ...rr("192.0.2.4"), id: answers[1]?.id }];
    const changed = await api.must<Shown>("POST", at(domain, "A"), { answers: sent });
    const ids = changed.answers.map(({ id }) => id);
    expect(ids[0]).toBe(answers[1]?.id);
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain(answers[0]?.id);
  });

  test("keeps the ids of unchanged answers sent without ids", async () => {
    const domain = fresh();
    const { answers } = await put(domain, "A", { answers: [rr("192.0.2.1"), rr("192.0.2.2")] });
    const answer = await api.call<Shown>("POST", at(domain, "A"), { answers: [rr("192.0.2.1"), rr("192.0.2.2")] });
    expect(answer.headers.get("x-fairlead-change")).toBeNull();
    expect(answer.body.answers).toEqual(answers);
  });
});

describe("exact messages", async () => {
  await put("there.example.com", "A", { answers: [rr("192.0.2.1")] });
  const cases: [method: string, path: string, body: unknown, status: number, message: string | RegExp][] = [
    ["GET", at("not.example.com", "A"), undefined, 404, "record not found"],
    ["POST", at("not.example.com", "A"), {}, 404, "record not found"],
    ["DELETE", at("not.example.com", "A"), undefined, 404, "record not found"],
    ["PUT", at("there.example.com", "A"), { answers: [] }, 400, "record already exists"],
    ["PUT", at("x.example.com", "DNSKEY"), { answers: [] }, 405, "Operation on DNSSEC record is not allowed"],
    ["DELETE", at(zone, "RRSIG"), undefined, 405, "Operation on DNSSEC record is not allowed"],
    ["PUT", at("x.example.com", "FOO"), { answers: [] }, 400, 'record type "FOO" is not known'],
    ["PUT", at("x.example.com", "SOA"), { answers: [] }, 400, /SOA/],
    [
      ...(["PUT", at("x.example.com", "A"), { answers: ["192.0.2.7"] }, 400] as const),
      /field "answers\[0\]" must be an object such as \{"answer":\["192.0.2.1"\]\}$/,
    ],
    [
      ...(["PUT", at("x.example.com", "A"), { answers: [{ answer: "192.0.2.7" }] }, 400] as const),
      /field "answers\[0\].answer" must be an array such as \["192.0.2.1"\]$/,
    ],
    [
      ...(["PUT", at("x.example.com", "A"), { answers: "192.0.2.7" }, 400] as const),
      /field "answers" must be an array such as \[\{"answer":\["192.0.2.1"\]\}\] or null$/,
    ],
    ["PUT", at("x.example.com", "ANY"), { answers: [] }, 400, /ANY/],
    ["PUT", at("x.example.com", "TYPE251"), { answers: [] }, 400, /TYPE251/],
    [
      "PUT",
      at("x.example.com", "URLFWD"),
      { answers: [] },
      400,
      /^records of type URLFWD \(TYPE65399\) are not built yet/,
    ],
    [
      "PUT",
      at("x.example.com", "REDIRECT"),
      { answers: [] },
      400,
      /^records of type REDIRECT \(TYPE65400\) are not built yet/,
    ],
    ["PUT", at("www.example.org", "A"), { answers: [] }, 400, /domain "www.example.org" is not in the zone/],
    ["PUT", at("www", "A"), { answers: [] }, 400, /domain "www" is not in the zone (\S+): write www\.\1$/],
    ["PUT", at("notexample.com", "A"), { answers: [] }, 400, /is not in the zone/],
    ["PUT", at("a..example.com", "A"), { answers: [] }, 400, /empty label/],
    ["PUT", at("x.example.com", "A"), '{"answers": [{"answer": }]}', 400, /JSON/],
    ["PUT", at("x.example.com", "A"), { answers: [rr("192.0.2.256")] }, 400, /answers\[0\].*A.*192.0.2.256/],
    ["PUT", at("x.example.com", "A"), { answers: [rr("2001:db8::1")] }, 400, /answers\[0\]/],
    ["PUT", at("x.example.com", "MX"), { answers: [rr(65536, "a.example.com")] }, 400, /preference/],
    ["PUT", at("x.example.com", "MX"), { answers: [rr("a.example.com")] }, 400, /answers\[0\]/],
    ["PUT", at("x.example.com", "A"), { answers: ["192.0.2.1"] }, 400, /answers\[0\]/],
    ["PUT", at("x.example.com", "A"), { answers: [{}] }, 400, /answers\[0\].answer/],
    [
      "PUT",
      at("x.example.com", "A"),
      { answers: [{ answer: ["192.0.2.1"], region: "x" }] },
      400,
      /answers\[0\].region/,
    ],
    ["PUT", at("x.example.com", "A"), { answers: [], regions: { x: 1 } }, 400, /regions.x/],
    ["PUT", at("x.example.com", "A"), { answers: [], regions: { x: { meta: { y: 1 } } } }, 400, /regions.x.meta.y/],
    [
      "PUT",
      at("x.example.com", "A"),
      { answers: [], meta: { up: { feed: "1" } } },
      400,
      'meta.up: there is no feed "1"',
    ],
    [
      "PUT",
      at("x.example.com", "A"),
      { answers: [], filters: [{ filter: "down" }] },
      400,
      'filters[0].filter: filter "down" is not known',
    ],
    ["PUT", at("x.example.com", "A"), { answers: [], ttl: "5" }, 400, /"ttl"/],
    [
      "PUT",
      at("x.example.com", "A"),
      { answers: Array.from({ length: 101 }, () => rr("192.0.2.1")) },
      400,
      /at most 100/,
    ],
    [
      "PUT",
      at("x.example.com", "TXT"),
      { answers: Array.from({ length: 100 }, () => rr("x".repeat(700))) },
      400,
      /60000/,
    ],
    [
      "PUT",
      at("x.example.com", "CNAME"),
      { answers: [rr("a.example.com"), rr("b.example.com")] },
      400,
      /only with filters/,
    ],
    ["PUT", at("x.example.com", "RESINFO"), { answers: [rr("a"), rr("b")] }, 400, /only with filters/],
    ["PUT", at("x.example.com", "ALIAS"), { answers: [rr("a.elsewhere.org")] }, 400, /outside the zones served here/],
  ];
  for (const [method, path, body, status, message] of cases) {
    test(`${method} ${path} ${JSON.stringify(body)?.slice(0, 60)}`, async () => {
      const answer = await api.call(method, path, body);
      expect(answer.body["message"]).toMatch(message);
      expect(answer.status).toBe(status);
    });
  }
});
