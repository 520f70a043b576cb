/** Rules for zones, records and tags over HTTP, with names in every spelling, and attempts to bypass the rules. */
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../test/service/api.ts";
import { newId } from "../../lib/ids.ts";

const api = await startApi({ deletionGuard: 100 });
const answers = [{ answer: ["192.0.2.1"] }];
const text = [{ answer: ["x"] }];

for (const zone of ["a.example", "sub.a.example", "b.example", "xn--mnchen-3ya.example"]) {
  await api.must("PUT", `zones/${zone}`, {});
}
for (const [zone, domain] of [
  ["a.example", "www.a.example"],
  ["b.example", "closed.b.example"],
  ["b.example", "x.closed.b.example"],
  ["b.example", "xclosed.b.example"],
  ["b.example", "www.b.example"],
]) {
  await api.must("PUT", `zones/${zone}/${domain}/A`, { answers });
}
const limited = (dns: Fields) => api.limited({ dns });
const statusOf = async (by: Client, method: string, path: string, body?: Fields) =>
  (await by.call(method, path, body)).status;

describe("an entry of zones_deny closes its zone", () => {
  test.for([
    ["A.Example.", ["zones/a.example", "zones/A.EXAMPLE", "zones/a.example."], "zones/sub.a.example"],
    ["sub.a.example", ["zones/sub.a.example"], "zones/a.example"],
    ["xn--mnchen-3ya.example", ["zones/XN--MNCHEN-3YA.example", "zones/xn--m%6echen-3ya.example"], "zones/b.example"],
    ["MÜNCHEN.example", ["zones/xn--mnchen-3ya.example", "zones/m%C3%BCnchen.example"], "zones/b.example"],
    ["\\098.example", ["zones/b.example", "zones/%5C098.example", "zones/%5Cb.example"], "zones/a.example"],
  ] as const)("%s: %j, but not %s", async ([entry, closed, open]) => {
    const client = await limited({ zones_deny: [entry] });
    for (const path of closed) expect([path, await statusOf(client, "GET", path)]).toEqual([path, 403]);
    expect(await statusOf(client, "GET", open)).toBe(200);
  });

  test("also after the zone is deleted and created again", async () => {
    const client = await limited({ zones_deny: ["again.example"] });
    for (const method of ["PUT", "DELETE", "PUT"])
      await api.must(method, "zones/again.example", method === "PUT" ? {} : undefined);
    expect(await statusOf(client, "GET", "zones/again.example")).toBe(403);
    expect((await client.must<Fields[]>("GET", "zones")).map(({ zone }) => zone)).not.toContain("again.example");
  });
});

describe("a rule for a record", () => {
  const rule = { zone: "b.example", domain: "Closed.b.example.", include_subdomains: true };
  const cases: [path: string, matched: boolean][] = [
    ["closed.b.example/A", true],
    ["CLOSED.B.example./a", true],
    ["x.closed.b.example/A", true],
    ["%5C120.closed.b.example/A", true],
    ["xclosed.b.example/A", false],
    ["www.b.example/A", false],
  ];

  test.for(cases)("matches %s: %s", async ([path, matched]) => {
    const [denied, allowed] = [await limited({ records_deny: [rule] }), await limited({ records_allow: [rule] })];
    expect(await statusOf(denied, "GET", `zones/b.example/${path}`)).toBe(matched ? 403 : 200);
    expect(await statusOf(allowed, "GET", `zones/b.example/${path}`)).toBe(matched ? 200 : 403);
    const both = await limited({ records_allow: [rule], records_deny: [rule] });
    expect(await statusOf(both, "GET", `zones/b.example/${path}`)).toBe(403);
  });

  test("covers a wildcard below the name, but no name with an escaped dot", async () => {
    const client = await limited({ records_deny: [rule] });
    const put = (domain: string) =>
      statusOf(client, "PUT", `zones/b.example/${encodeURIComponent(domain)}/TXT`, { answers: text });
    expect([await put("*.closed.b.example"), await put("y\\.closed.b.example")]).toEqual([403, 200]);
  });
});

describe("a key denied one record of a zone cannot reach it", async () => {
  const zone = "guarded.example";
  const secret = `secret.${zone}`;
  await api.must("PUT", `zones/${zone}`, {});
  await api.must("PUT", `zones/${zone}/${secret}/A`, { answers });
  await api.must("PUT", `zones/${zone}/www.${zone}/A`, { answers });
  const { id } = await api.must("PUT", `zones/${zone}/versions`, { name: "saved" });
  await api.must("POST", `zones/${zone}/${secret}/A`, { ttl: 77 });
  const client = await limited({ records_deny: [{ zone, domain: secret }] });
  const record = { zone, domain: secret, type: "A" };
  const ways: [what: string, method: string, path: string, body?: Fields][] = [
    ["deleting the zone", "DELETE", `zones/${zone}`],
    ["changing the zone", "POST", `zones/${zone}`, { ttl: 1 }],
    ["making the zone secondary", "POST", `zones/${zone}`, { secondary: { enabled: true, primary_ip: "192.0.2.9" } }],
    ["activating a version", "POST", `zones/${zone}/versions/${id}/activate`],
    ["a link to it", "PUT", `zones/b.example/l.b.example/A`, { link: secret }],
    ["a delegation over it", "PUT", `zones/${zone}/${secret}/NS`, { answers: [{ answer: ["ns.example."] }] }],
    ["a DNAME above it", "PUT", `zones/${zone}/${zone}/DNAME`, { answers: [{ answer: ["b.example."] }] }],
    ["a zone at its name", "PUT", `zones/${secret}`, {}],
    ["many records at once", "POST", `zones/${zone}/records`, { put: [{ ...record, answers }] }],
    ["a change set", "PUT", "changesets", { records: [{ action: "delete", ...record }] }],
    ["a change set of zones", "PUT", "changesets", { zones: [{ action: "delete", zone }] }],
    ["a dry run", "PUT", "changesets?dry_run=true", { records: [{ action: "put", ...record, answers }] }],
    ["statistics", "GET", `stats/usage/${zone}/${secret}/A`],
    ["explain", "POST", "explain", { name: secret, type: "A" }],
    ["restoring it", "POST", `zones/${zone}/${secret}/A/restore`, { version: Number(id) }],
    ["its answers", "POST", `zones/${zone}/${secret}/A/answers`, { add: [{ answer: ["192.0.2.2"] }] }],
  ];
  test.for(ways)("by %s", async ([, method, path, body]) => {
    expect(await statusOf(client, method, path, body)).toBe(403);
  });

  test("by any listing, search, comparison, statistics or export", async () => {
    for (const path of [
      `zones/${zone}`,
      `zones/${zone}?records=true&expand=true`,
      "search?q=secret&type=all",
      "search?q=192.0.2.1&type=answers&expand=true",
      `search/zone/${zone}?q=*`,
      `zones/${zone}/diff`,
      `zones/${zone}/lint`,
      `zones/${zone}/transfer`,
      `export/zonefile/${zone}`,
      "stats/usage?expand=true",
      `stats/usage/${zone}?expand=true`,
      "account/activity?limit=5000&resource_type=record",
      "account/activity?limit=5000&resource_type=dns_zone",
    ]) {
      const answer = await client.call("GET", path);
      expect([path, answer.status, answer.text.includes("secret")]).toEqual([path, 200, false]);
    }
    const usage = async (by: Client) => (await by.must<Fields[]>("GET", `stats/usage/${zone}`))[0]?.["records"];
    expect([await usage(api), await usage(client)]).toEqual([3, 2]);
  });
});

describe('a tag that begins with "auth:"', () => {
  const spellings = [
    ...["auth:x", "Auth:x", " auth:x", "\tauth:x", "auth：x", "ａｕｔｈ:x", "𝐚𝐮𝐭𝐡:x", "ⓐuth:x", "\u00a0auth:x"],
    ...["\u200bauth:x", "au\u00adth:x", "\ufeffauth:x", "auth\u2060:x"],
  ];
  const tagless: [what: string, right: Fields][] = [
    ["manage_auth_tags alone", {}],
    ["manage_auth_keys alone", { manage_auth_tags: false, manage_auth_keys: true }],
  ];

  test.for(tagless)("cannot be set, changed or removed with %s, in any spelling", async ([, account]) => {
    const client = await api.limited({ account });
    for (const name of spellings) {
      const tags = { [name]: "1" };
      const zone = `${newId()}.example`;
      for (const [method, path, body] of [
        ["PUT", `zones/${zone}`, { tags }],
        ["POST", "zones/a.example", { tags }],
        ["PUT", `zones/a.example/${newId()}.a.example/A`, { answers, tags }],
        ["POST", "zones/a.example/www.a.example/A", { tags }],
        ["POST", "zones/a.example/records", { put: [{ domain: "www.a.example", type: "A", answers, tags }] }],
        ["PUT", "changesets", { zones: [{ action: "create", zone, tags }] }],
      ] as const) {
        expect([name, path, await statusOf(client, method, path, body)]).toEqual([name, path, 403]);
      }
    }
  });

  test("is kept when other fields change, and can be removed only with both rights", async () => {
    const [one, both] = [await api.limited({}), await api.limited({ account: { manage_auth_keys: true } })];
    const path = "zones/a.example/tagged.a.example/A";
    await both.must("PUT", path, { answers, tags: { "auth:x": "1" } });
    expect(await one.must("POST", path, { ttl: 7 })).toMatchObject({ tags: { "auth:x": "1" } });
    expect(await statusOf(one, "POST", path, { tags: {} })).toBe(403);
    const { id } = await api.must("PUT", "zones/a.example/versions", {});
    expect(await both.must("POST", path, { tags: {} })).toMatchObject({ tags: {} });
    expect(await statusOf(one, "POST", `${path}/restore`, { version: Number(id) })).toBe(403);
    expect(await statusOf(both, "POST", `${path}/restore`, { version: Number(id) })).toBe(200);
  });

  test("is not guarded if other text precedes the prefix", async () => {
    const client = await api.limited({});
    const tags = { "xauth:x": "1", auth: "1", auth_x: "1" };
    expect(await statusOf(client, "PUT", "zones/a.example/free.a.example/A", { answers, tags })).toBe(200);
  });
});

describe("with two teams, one that may read a zone and one that may change another zone", async () => {
  const team = async (dns: Fields) =>
    (await api.must("PUT", "account/teams", { name: newId(), permissions: { dns } }))["id"];
  const reader = await team({ zones_allow_by_default: false, zones_allow: ["a.example"], manage_zones: false });
  const writer = await team({ zones_allow_by_default: false, zones_allow: ["b.example"], view_zones: false });
  const made = await api.must("PUT", "account/apikeys", { name: newId(), teams: [reader, writer] });
  const client = api.client(String(made["key"]));

  test("listings, search and statistics contain only the readable zone", async () => {
    for (const path of ["zones", "search?q=example&type=all", "stats/usage?expand=true"]) {
      const answer = await client.call("GET", path);
      expect([path, answer.status, answer.text.includes("b.example")]).toEqual([path, 200, false]);
    }
    expect((await client.must<Fields[]>("GET", "zones")).map(({ zone }) => zone)).toEqual(["a.example"]);
    for (const path of ["zones/b.example", "export/zonefile/b.example", "stats/usage/b.example"]) {
      expect([path, await statusOf(client, "GET", path)]).toEqual([path, 403]);
    }
  });

  test("changes reach only the writable zone", async () => {
    for (const [method, path, body] of [
      ["PUT", "zones/ZONE/t.ZONE/TXT", { answers: text }],
      ["POST", "zones/ZONE", { ttl: 99 }],
      ["POST", "zones/ZONE/records", { remove: [{ domain: "t.ZONE", type: "TXT" }] }],
      [
        "PUT",
        "changesets",
        { records: [{ action: "put", zone: "ZONE", domain: "c.ZONE", type: "TXT", answers: text }] },
      ],
      ["PUT", "import/zonefile/new.ZONE", undefined],
    ] as const) {
      const at = (zone: string) =>
        statusOf(
          client,
          method,
          path.replaceAll("ZONE", zone),
          body && JSON.parse(JSON.stringify(body).replaceAll("ZONE", zone)),
        );
      expect([path, await at("a.example")]).toEqual([path, 403]);
      expect([path, await at("b.example")]).toEqual([path, path.startsWith("import") ? 403 : 200]);
    }
  });

  test("tags that begin with auth: require both rights for the zone", async () => {
    const auth = await api.must("PUT", "account/teams", {
      name: newId(),
      permissions: {
        account: { manage_auth_keys: true },
        dns: { zones_allow_by_default: false, zones_allow: ["a.example"] },
      },
    });
    const key = await api.must("PUT", "account/apikeys", { name: newId(), teams: [writer, auth["id"]] });
    const both = api.client(String(key["key"]));
    const put = (zone: string) =>
      statusOf(both, "PUT", `zones/${zone}/auth.${zone}/A`, { answers, tags: { "auth:x": "1" } });
    expect([await put("a.example"), await put("b.example")]).toEqual([200, 403]);
  });
});
