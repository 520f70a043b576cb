/** Primaries and secondaries of zones: their settings, and conversion between primary and secondary zones. */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../../../test/service/api.ts";
import { makeSelfSigned } from "../../../../net/tls/self-signed.ts";
import { limits } from "../../../kit/limits.ts";

const api = await startApi();
const primary_ip = "127.0.0.1";
const secondary = { enabled: true, primary_ip, primary_port: 1 };

test("a new secondary zone is pending and empty, and refuses records", async () => {
  const made = await api.must<Fields>("PUT", "zones/second.example", { secondary });
  expect(made["records"]).toEqual([]);
  expect(made["secondary"]).toMatchObject({
    ...secondary,
    ...{
      other_ips: [],
      other_ports: [],
      status: "pending",
      error: null,
      last_xfr: 0,
      last_try: 0,
      expired: true,
      tsig: null,
      tls: null,
    },
  });
  const answer = await api.call("PUT", "zones/second.example/a.second.example/A", {
    answers: [{ answer: ["192.0.2.1"] }],
  });
  expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining("is secondary")]);
});

test("settings that change as a zone becomes secondary give the zone a new serial", async () => {
  const zone = "settings.example";
  await api.numbered(await api.call("PUT", `zones/${zone}`, {}));
  const serialAfter = async (body: Fields) => {
    await api.numbered(await api.call("POST", `zones/${zone}`, body));
    return Number((await api.must("GET", `zones/${zone}`))["serial"]);
  };
  const first = await serialAfter({ ttl: 60 });
  expect(await serialAfter({ secondary })).toBe(first);
  const ours = await serialAfter({ secondary: null });
  expect(await serialAfter({ secondary, ttl: 70 })).toBeGreaterThan(ours);
});

test("a client can send back what it reads", async () => {
  const tsig = { enabled: true, hash: "hmac-sha256", name: "k.example", key: "c2VjcmV0", signed_notifies: true };
  const made = await api.must("PUT", "zones/echo.example", {
    secondary: { ...secondary, other_ips: ["127.0.0.2"], tsig },
  });
  const { serial } = made;
  const again = await api.must<Fields>("POST", "zones/echo.example", made);
  expect(again["secondary"]).toMatchObject({ other_ips: ["127.0.0.2"], tsig: { ...tsig, name: "k.example." } });
  expect(again["serial"]).toBe(serial);
  const reader = await api.limited({ dns: { manage_zones: false } });
  expect((await reader.call("GET", "zones/echo.example")).text).not.toContain("c2VjcmV0");
  expect((await api.call("GET", "account/activity")).text).not.toContain("c2VjcmV0");
});

const tsig = { enabled: true, hash: "hmac-sha256", name: "k.example", key: "c2VjcmV0", signed_notifies: false };

test("replies with a zone's key are stored sealed and not cached", async () => {
  const headers = { "Idempotency-Key": "sealed" };
  const put = () => api.call("PUT", "zones/sealed.example", { secondary: { ...secondary, tsig } }, headers);
  const first = await put();
  expect(first.headers.get("cache-control")).toBe("no-store");
  expect(first.text).toContain(tsig.key);
  const kept = api.store.db.selectFrom("idempotency").select("body").where("key", "like", "%:sealed");
  expect((await kept.executeTakeFirstOrThrow()).body).not.toContain(tsig.key);
  expect((await put()).text).toBe(first.text);
  // replies without secrets are stored unsealed
  const plain = { body: first.text };
  await api.store.db.updateTable("idempotency").set(plain).where("key", "like", "%:sealed").execute();
  expect((await put()).text).toBe(first.text);
  for (const path of ["zones/sealed.example", "zones", "search?q=sealed.example&type=zone&expand=true"]) {
    const { text, headers } = await api.call("GET", path);
    expect([path, text.includes(tsig.key), headers.get("cache-control")]).toEqual([path, true, "no-store"]);
  }
});

test.each(["hash", "name", "key"])("a key's %s that is not text is refused", async (field) => {
  const sent: unknown[] = [{ toString: 1 }, { toString: null, valueOf: null }, [{ toString: 1 }], 1, true];
  for (const value of sent) {
    const body = { secondary: { ...secondary, tsig: { ...tsig, [field]: value } } };
    const { status, body: reply } = await api.call("PUT", "zones/text.example", body);
    expect([status, reply["message"]]).toEqual([400, `secondary.tsig.${field}: must be text`]);
  }
});

test("a zone's key is shown only to callers who may change the zone", async () => {
  await api.must("PUT", "zones/shown.example", { secondary: { ...secondary, tsig } });
  const partial = await api.limited({ dns: { records_allow: [{ zone: "shown.example", domain: "w.shown.example" }] } });
  const { text } = await partial.call("GET", "zones/shown.example");
  expect(text).toContain(tsig.name);
  expect(text).not.toContain(tsig.key);
});

test("a secondary zone that becomes primary has an NS record with its own name servers, and accepts records", async () => {
  await api.must("PUT", "zones/back.example", { secondary });
  const made = await api.must<Fields>("POST", "zones/back.example", { secondary: { enabled: false } });
  expect(made).toMatchObject({ secondary: { enabled: false }, primary_master: "dns1.example.net" });
  expect(made["records"]).toMatchObject([{ type: "NS", short_answers: ["dns1.example.net", "dns2.example.net"] }]);
  await api.must("PUT", "zones/back.example/a.back.example/A", { answers: [{ answer: ["192.0.2.1"] }] });
});

test("a primary zone becomes secondary and keeps its records until the first transfer", async () => {
  await api.must("PUT", "zones/there.example", {});
  const made = await api.must<Fields>("POST", "zones/there.example", { secondary });
  expect(made["secondary"]).toMatchObject({ enabled: true, expired: false });
  expect(made["records"]).toHaveLength(1);
});

test("a zone that never was secondary accepts enabled false and an empty tsig", async () => {
  await api.must("PUT", "zones/never.example", {
    secondary: { enabled: false },
    primary: { enabled: false, secondaries: [] },
  });
  await api.must("POST", "zones/never.example", { secondary: { enabled: false, tsig: { enabled: false } } });
  expect((await api.call("POST", "zones/never.example?refresh=true")).status).toBe(400);
});

test("secondaries are stored as sent, with defaults", async () => {
  const secondaries = [
    { ip: "192.0.2.1", notify: true },
    { ip: "2001:db8::/32" },
    { ip: "192.0.2.9", port: 5353, networks: [0], tls_only: true },
  ];
  const made = await api.must<Fields>("PUT", "zones/out.example", { primary: { enabled: true, secondaries } });
  expect(made["primary"]).toEqual({
    enabled: true,
    secondaries: [
      { ip: "192.0.2.1", port: 53, notify: true, networks: [] },
      { ip: "2001:db8::/32", port: 53, notify: false, networks: [] },
      { ip: "192.0.2.9", port: 5353, notify: false, networks: [0], tls_only: true },
    ],
  });
});

test("a secondary must be in networks that the zone is on", async () => {
  const primary = { enabled: true, secondaries: [{ ip: "192.0.2.1", networks: [0] }] };
  const refused = async (method: string, body: object) =>
    (await api.call(method, "zones/nets.example", body)).body["message"];
  const other = { ...primary, secondaries: [{ ip: "192.0.2.1", networks: [0, 3] }] };
  const message = "primary.secondaries[0].networks: the zone nets.example is not on network";
  expect(await refused("PUT", { primary: other })).toBe(`${message} 3`);
  await api.must("PUT", "zones/nets.example", { primary });
  expect(await refused("POST", { networks: [] })).toBe(`${message} 0`);
  await api.must("POST", "zones/nets.example", { networks: [], primary: { secondaries: [] } });
});

describe("a primary over TLS", () => {
  const pin = Buffer.alloc(32, 1).toString("base64");
  const { cert } = makeSelfSigned({ names: ["ns.example"], from: new Date(0), to: new Date(1e12) });
  const over = (tls: object, rest: object = {}) => ({ secondary: { enabled: true, primary_ip, tls, ...rest } });
  const secondaryAfter = async (method: string, body: object) =>
    (await api.must<{ secondary: Fields }>(method, "zones/tls.example", body)).secondary;
  const full = {
    ...{ enabled: true, profile: "strict", auth_domain_name: "ns.example", ca: cert },
    ...{ other_auth_domain_names: ["b.example"], spki_pins: [pin] },
  };

  test("has port 853 by default, and omitted fields keep their value", async () => {
    const made = await secondaryAfter("PUT", over({ ...full, auth_domain_name: "NS.example." }));
    expect(made).toMatchObject({ primary_port: 853, tls: full });
    const same = await secondaryAfter("POST", { secondary: made });
    expect(same).toEqual(made);
    const other = await secondaryAfter("POST", { secondary: { primary_port: 8853, tls: { ca: null } } });
    expect(other).toMatchObject({ primary_port: 8853, tls: { ...full, ca: null } });
    expect(await secondaryAfter("POST", { secondary: { tls: null } })).toMatchObject({ primary_port: 53, tls: null });
    const lax = await secondaryAfter("POST", { secondary: { tls: { profile: "opportunistic" } } });
    expect(lax).toMatchObject({ primary_port: 853, tls: { profile: "opportunistic", auth_domain_name: null } });
  });

  test.each<[string, object]>([
    ["secondary.tls: profile strict requires auth_domain_name or spki_pins", { enabled: true }],
    ["secondary.tls.profile: must be", { profile: "lax" }],
    ["secondary.tls.enabled: must be", { ...full, enabled: 1 }],
    ['secondary.tls.auth_domain_name: "192.0.2.1" is not a host name', { auth_domain_name: "192.0.2.1" }],
    ["secondary.tls.auth_domain_name: is required", { ca: cert, spki_pins: [pin] }],
    ['secondary.tls.spki_pins: "abc" is not a SHA-256', { spki_pins: ["abc"] }],
    ["secondary.tls.ca: must be PEM certificates", { ...full, ca: "no" }],
    ["secondary.tls.ca: contains an invalid certificate", { ...full, ca: cert.replace(/\nMI/, "\nAA") }],
    ["secondary.tls.ca: must be PEM certificates", { ...full, ca: `${cert}${" ".repeat(65_536)}` }],
  ])("is refused: %s", async (message, tls) => {
    const answer = await api.call("PUT", "zones/no.example", over(tls));
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining(message)]);
  });
});

test("a preview of a transfer has all answers of steered records, and no ALIAS", async () => {
  await api.must("PUT", "zones/flat.example", {});
  const answers = [
    { answer: ["192.0.2.1"], meta: { up: false } },
    { answer: ["192.0.2.2"] },
    { answer: ["192.0.2.1"] },
  ];
  await api.must("PUT", "zones/flat.example/w.flat.example/A", { answers, filters: [{ filter: "up", config: {} }] });
  await api.must("PUT", "zones/flat.example/x.flat.example/ALIAS", { answers: [{ answer: ["w.flat.example"] }] });
  expect((await api.must<Fields[]>("GET", "zones/flat.example/transfer")).slice(1)).toEqual([
    {
      ...{ domain: "w.flat.example", type: "A", flattening: "unsteered" },
      records: ["w.flat.example. 3600 IN A 192.0.2.1", "w.flat.example. 3600 IN A 192.0.2.2"],
    },
    { domain: "x.flat.example", type: "ALIAS", flattening: "left out", records: [] },
  ]);
  await api.must("PUT", "zones/linked-flat.example", { link: "flat.example" });
  expect((await api.must<Fields[]>("GET", "zones/linked-flat.example/transfer")).slice(1)).toEqual([
    {
      ...{ domain: "w.linked-flat.example", type: "A", flattening: "unsteered" },
      records: ["w.linked-flat.example. 3600 IN A 192.0.2.1", "w.linked-flat.example. 3600 IN A 192.0.2.2"],
    },
    { domain: "x.linked-flat.example", type: "ALIAS", flattening: "left out", records: [] },
  ]);
});

test("the zones of an account have a limited number of partners together, links included", async () => {
  const own = await api.stranger();
  const primary = { enabled: true, secondaries: [{ ip: "192.0.2.1" }] };
  await own.must("PUT", "zones/many-partners.example", { primary });
  await sql`update zone set "primary" = json_build_object('enabled', true, 'secondaries', (
      select json_agg(json_build_object('ip', '192.0.2.1', 'port', 53, 'notify', false, 'networks', '[]'::json))
      from generate_series(1, ${limits.partners - 1}::integer)))
    where zone = 'many-partners.example'`.execute(api.store.db);
  await own.must("PUT", "zones/last-partner.example", { primary });
  const refusal = {
    status: 400,
    body: { message: expect.stringContaining("at most 50000 secondaries and primaries") },
  };
  expect(await own.call("PUT", "zones/too-many.example", { primary })).toMatchObject(refusal);
  expect(
    await own.call("PUT", "zones/too-many.example", { secondary: { ...secondary, primary_ip: "9.9.9.9" } }),
  ).toMatchObject(refusal);
  expect(await own.call("PUT", "zones/too-many.example", { link: "last-partner.example" })).toMatchObject(refusal);
  await own.must("PUT", "zones/too-many.example", {});
  expect(await own.call("POST", "zones/too-many.example", { primary })).toMatchObject(refusal);
  await own.must("POST", "zones/last-partner.example", { primary: null });
  await own.must("POST", "zones/too-many.example", { primary });
});
