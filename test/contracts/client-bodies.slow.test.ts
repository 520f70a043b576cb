/** Sequences of requests as unmodified clients send them, and the replies that the clients rely on. */
import { describe, expect, test } from "vitest";
import { type Answer, type Client, type Fields, startApi } from "../service/api.ts";
import { nextPath } from "../service/client.ts";

const api = await startApi();
const ddi = await startApi({ edition: "ddi" });

let count = 0;
const fresh = () => `bodies${++count}.example`;

async function zone(fields: Fields = {}, by: Client = api): Promise<string> {
  const name = fresh();
  await by.must("PUT", `zones/${name}`, { zone: name, ...fields });
  return name;
}

const outcome = ({ status, body }: Answer<Fields>) => [status, body["message"]];
const address = (...list: string[]) => ({ answers: list.map((answer) => ({ answer: [answer] })) });

describe("a record that is not found", () => {
  const absent = "nope.example/www.nope.example/A";

  test.for(["GET", "DELETE"])("%s says so, also when its zone does not exist or is deleted", async (method) => {
    expect(outcome(await api.call(method, `zones/${absent}`))).toEqual([404, "record not found"]);
    const name = await zone();
    const path = `zones/${name}/www.${name}/A`;
    expect(outcome(await api.call(method, path))).toEqual([404, "record not found"]);
    await api.must("PUT", path, address("192.0.2.1"));
    await api.must("DELETE", `zones/${name}`);
    expect(outcome(await api.call(method, path))).toEqual([404, "record not found"]);
  });

  test.for(["PUT", "POST"])("%s names the zone that does not exist", async (method) => {
    expect(outcome(await api.call(method, `zones/${absent}`, address("192.0.2.1")))).toEqual([404, "zone not found"]);
  });

  test("the zone goes first, the record after it", async () => {
    const name = await zone();
    await api.must("PUT", `zones/${name}/www.${name}/A`, address("192.0.2.1"));
    await api.must("DELETE", `zones/${name}`);
    expect(outcome(await api.call("DELETE", `zones/${name}/www.${name}/A`))).toEqual([404, "record not found"]);
    expect(outcome(await api.call("DELETE", `zones/${name}`))).toEqual([404, "zone not found"]);
  });
});

describe("permissions that this edition does not have", () => {
  const sent = {
    dns: { view_zones: true, manage_zones: false },
    security: { manage_global_2fa: true, manage_active_directory: false },
    dhcp: { manage_dhcp: false },
    service: { view_config: false },
    pulsar: { view_apps: true, limit: 7 },
  };
  const nouns = [
    ["teams", "id", {}],
    ["apikeys", "id", {}],
    ["users", "username", { email: "ann@example.com" }],
  ] as const;

  test.for(nouns)("of %s are kept and shown as they were sent", async ([noun, id, rest]) => {
    const name = `t${++count}-name`;
    const body = { name, ...(noun === "users" ? { username: name } : {}), ...rest, permissions: sent };
    const made = await api.must<Fields & { permissions: Fields }>("PUT", `account/${noun}`, body);
    expect(made.permissions).toMatchObject(sent);
    const path = `account/${noun}/${made[id]}`;
    expect((await api.must("GET", path))["permissions"]).toEqual(made.permissions);
    expect((await api.must("POST", path, { ...made, warnings: undefined }))["permissions"]).toEqual(made.permissions);
    const changed = { security: { manage_active_directory: true }, pulsar: { limit: null } };
    const after = await api.must<{ permissions: Fields }>("POST", path, { permissions: changed });
    expect(after.permissions).toMatchObject({
      security: { manage_global_2fa: true, manage_active_directory: true },
      pulsar: { view_apps: true },
    });
    expect(after.permissions["pulsar"]).not.toHaveProperty("limit");
    await api.must("DELETE", path);
  });

  test("manage_active_directory is always shown, and true when it was left out", async () => {
    for (const service of [api, ddi]) {
      const made = await service.must("PUT", "account/teams", { name: `t${++count}`, permissions: {} });
      expect(made["permissions"]).toMatchObject({ security: { manage_active_directory: true } });
    }
  });

  test("a member of teams is shown those of its teams", async () => {
    const team = await api.must("PUT", "account/teams", { name: `t${++count}`, permissions: sent });
    const made = await api.must("PUT", "account/apikeys", { name: `k${++count}`, teams: [team["id"]] });
    expect(made["permissions"]).toMatchObject(sent);
  });

  test("they grant nothing: the value does not count where the name is a right", async () => {
    const body = {
      name: `k${++count}`,
      permissions: { "": { dns: { manage_zones: true } }, dns: { manage_zones: false } },
    };
    const made = await api.must<{ key: string }>("PUT", "account/apikeys", body);
    expect((await api.client(made.key).call("PUT", `zones/${fresh()}`, {})).status).toBe(403);
  });

  test("are bounded", async () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`right${i}`, true]));
    const put = (permissions: Fields) => api.call("PUT", "account/teams", { name: `t${++count}`, permissions });
    expect((await put({ pulsar: many })).body["message"]).toMatch(/^permissions: at most 64 names/);
    expect((await put({ pulsar: { text: "x".repeat(5000) } })).body["message"]).toMatch(/^permissions: at most 64/);
    expect((await put(JSON.parse('{"__proto__": {"a": true}, "pulsar": {"__proto__": 1}}'))).status).toBe(200);
  });
});

test("every page of records is at an absolute URL", async () => {
  const name = await zone();
  const put = Array.from({ length: 5 }, (_, i) => ({ domain: `h${i}.${name}`, type: "A", ...address("192.0.2.1") }));
  await api.must("POST", `zones/${name}/records`, { put });
  const seen: unknown[] = [];
  for (let path: string | undefined = `zones/${name}?limit=2`; path !== undefined; ) {
    const page: Answer<{ records: Fields[] }> = await api.call("GET", path);
    const link = page.headers.get("link");
    if (link !== null) expect(link.startsWith(`<${api.url}/v1/zones/${name}?limit=2&after=`)).toBe(true);
    seen.push(...page.body.records.map(({ domain }) => domain));
    path = nextPath(page.headers);
  }
  expect(seen).toHaveLength(6);
});

describe("a TSIG key", () => {
  const secret = "c2VjcmV0IG9mIHRoaXJ0eS10d28gb2N0ZXRzIQ==";

  test("is shown with its final dot, wherever it is named, and found with and without", async () => {
    const made = await api.must("PUT", "tsig/Test-Key.", { algorithm: "hmac-sha256", secret, permissions: {} });
    expect(made["name"]).toBe("test-key.");
    for (const path of ["tsig/test-key", "tsig/Test-Key."])
      expect((await api.must("GET", path))["name"]).toBe("test-key.");
    expect(await api.must("GET", "tsig")).toEqual([expect.objectContaining({ name: "test-key." })]);
    expect((await api.call("PUT", "tsig/test-key", { secret })).status).toBe(409);
    const tsig = { enabled: true, hash: "hmac-sha256", name: "Test-Key.", key: secret };
    const secondary = { enabled: true, primary_ip: "192.0.2.1", tsig };
    const name = await zone({ secondary });
    const read = await api.must<{ secondary: Fields }>("GET", `zones/${name}`);
    expect(read.secondary["tsig"]).toMatchObject({ ...tsig, name: "test-key." });
    const again = await api.must<{ secondary: Fields }>("POST", `zones/${name}`, { secondary: read.secondary });
    expect(again.secondary["tsig"]).toEqual(read.secondary["tsig"]);
    await zone({ primary: { enabled: true, secondaries: [{ ip: "192.0.2.1", tsig_key: "Test-Key." }] } }).then(
      async (other) => {
        const { primary } = await api.must<{ primary: Fields }>("GET", `zones/${other}`);
        expect(primary["secondaries"]).toEqual([expect.objectContaining({ tsig_key: "test-key." })]);
        expect((await api.must("POST", `zones/${other}`, { primary }))["primary"]).toEqual(primary);
        await api.must("POST", `zones/${other}`, { primary: { enabled: false, secondaries: [] } });
      },
    );
    await api.must("POST", "tsig/test-key.", { name: "test-key", secret });
    await api.must("DELETE", "tsig/test-key.");
  });
});

test("subdivisions are codes with or without their country, also codes that ISO has withdrawn", async () => {
  const name = await zone();
  const subdivisions = { BR: ["SC", "SP"], DZ: ["01"], NO: ["NO-01", "NO-11"], SG: ["SG-03"] };
  const body = { answers: [{ answer: ["192.0.2.1"], meta: { subdivisions } }], meta: { subdivisions } };
  const made = await api.must("PUT", `zones/${name}/${name}/A`, body);
  expect(made).toMatchObject(body);
  expect(await api.must("GET", `zones/${name}/${name}/A`)).toMatchObject(body);
  for (const wrong of [{ BR: ["NO-03"] }, { BR: ["LONG"] }, { XX: ["01"] }, { BR: "SP" }]) {
    expect((await api.call("POST", `zones/${name}/${name}/A`, { meta: { subdivisions: wrong } })).status).toBe(400);
  }
});

describe("secondary and primary settings", () => {
  const sent = {
    enabled: true,
    primary_ip: "192.0.2.1",
    primary_port: 53,
    other_ips: ["198.51.100.240/28"],
    other_ports: [53],
    other_notify_only: [true],
    other_networks: [0],
    primary_network: 0,
  };

  test("servers that only notify may be prefixes; all fields are shown as sent, and survive being sent back", async () => {
    const name = await zone({ secondary: sent });
    const { secondary } = await api.must<{ secondary: Fields }>("GET", `zones/${name}`);
    expect(secondary).toMatchObject(sent);
    const again = await api.must("POST", `zones/${name}`, { secondary });
    expect(again["secondary"]).toMatchObject(sent);
    const fewer = await api.must("POST", `zones/${name}`, { secondary: { other_notify_only: null, other_ips: [] } });
    expect(fewer["secondary"]).not.toHaveProperty("other_notify_only");
  });

  test.for([[undefined], [[false]], [[]], [[true], ["nowhere"]]] as const)("prefix %#", async ([only, ips]) => {
    const { other_notify_only: _, ...rest } = sent;
    const body = { ...rest, ...(ips ? { other_ips: ips } : {}), ...(only ? { other_notify_only: only } : {}) };
    const answer = await api.call("PUT", `zones/${fresh()}`, { secondary: body });
    expect(answer.body["message"]).toMatch(/^secondary.other_ips: .* is not an IP address$/);
  });

  test("a secondary keeps the fields that only clients know", async () => {
    const secondary = { ip: "192.0.2.1", port: 53, notify: false, networks: [0], network: 0, id: "abc" };
    const name = await zone({ primary: { enabled: true, secondaries: [secondary] } });
    const { primary } = await api.must<{ primary: Fields }>("GET", `zones/${name}`);
    expect(primary).toEqual({ enabled: true, secondaries: [secondary] });
    const again = await api.call("POST", `zones/${name}`, { primary });
    expect([again.status, again.body["primary"], again.headers.get("x-fairlead-change")]).toEqual([200, primary, null]);
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`f${i}`, i]));
    for (const more of [many, { note: "x".repeat(1100) }]) {
      const body = { primary: { secondaries: [{ ...secondary, ...more }] } };
      expect((await api.call("POST", `zones/${name}`, body)).body["message"]).toMatch(/secondaries\[0\]: at most 16/);
    }
  });
});

describe("a zone that is no longer secondary", () => {
  const secondary = { enabled: true, primary_ip: "192.0.2.1" };

  test.for([[{ enabled: false }], [null]])("by %j: says so with all fields, which can be sent back", async ([end]) => {
    const name = await zone({ secondary });
    const ended = await api.must<{ secondary: Fields }>("POST", `zones/${name}`, { secondary: end });
    const shown = {
      enabled: false,
      primary_ip: null,
      primary_port: 53,
      other_ips: [],
      other_ports: [],
      expired: false,
    };
    expect(ended.secondary).toMatchObject({ ...shown, status: "pending", error: null, last_xfr: 0, last_try: 0 });
    const again = await api.call("POST", `zones/${name}`, { secondary: ended.secondary });
    expect([again.body["secondary"], again.headers.get("x-fairlead-change")]).toEqual([ended.secondary, null]);
    expect((await api.must("GET", `zones/${name}`))["secondary"]).toEqual(ended.secondary);
    const back = await api.must<{ secondary: Fields }>("POST", `zones/${name}`, { secondary });
    expect(back.secondary).toMatchObject(secondary);
    await api.must("POST", `zones/${name}`, { secondary: { enabled: false } });
    await api.must("DELETE", `zones/${name}`);
    await api.must("POST", `deletedzones/${name}/undelete`);
    expect((await api.must("GET", `zones/${name}`))["secondary"]).toEqual(ended.secondary);
  });

  test("one that never was has null", async () => {
    const name = await zone({ secondary: { enabled: false } });
    const again = await api.must("POST", `zones/${name}`, { secondary: { enabled: false } });
    expect(again["secondary"]).toBeNull();
  });
});

describe("override_ttl", () => {
  test("is null until somebody sets it, and again after null", async () => {
    const name = await zone();
    const path = `zones/${name}/www.${name}/A`;
    const shown = async (method: string, fields: Fields) =>
      (await api.must(method, path, { ...address("192.0.2.1"), ...fields }))["override_ttl"];
    expect(await shown("PUT", {})).toBeNull();
    expect((await api.must("GET", path))["override_ttl"]).toBeNull();
    expect(await shown("POST", { override_ttl: false })).toBe(false);
    expect(await shown("POST", {})).toBe(false);
    expect(await shown("POST", { override_ttl: null })).toBeNull();
    expect(await shown("POST", { override_ttl: true })).toBe(true);
    const linked = await api.must("PUT", `zones/${name}/link.${name}/A`, { link: `www.${name}`, override_ttl: null });
    expect(linked["override_ttl"]).toBeNull();
  });

  test("is null in a zone from a file", async () => {
    const name = fresh();
    await api.must("PUT", `import/zonefile/${name}`, "@ 300 SOA ns host 1 2 3 4 5\nwww 300 A 192.0.2.1\n");
    expect((await api.must("GET", `zones/${name}/www.${name}/A`))["override_ttl"]).toBeNull();
  });
});

describe("versions of a zone", () => {
  interface Version {
    readonly id: number;
    readonly active: boolean;
  }

  test("that nobody saved can be deleted: they are no longer listed, and the history stays", async () => {
    const name = await zone();
    const path = `zones/${name}/www.${name}/A`;
    for (const [method, last] of [
      ["PUT", 1],
      ["POST", 2],
      ["POST", 3],
    ] as const) {
      await api.numbered(await api.call(method, path, address(`192.0.2.${last}`)));
    }
    const listed = () => api.must<Version[]>("GET", `zones/${name}/versions`);
    const all = await listed();
    const [newest, gone] = all as [Version, Version];
    expect(await api.must("DELETE", `zones/${name}/versions/${gone.id}`)).toEqual({});
    expect(await listed()).toEqual(all.filter(({ id }) => id !== gone.id));
    for (const method of ["GET", "DELETE"]) {
      expect(outcome(await api.call(method, `zones/${name}/versions/${gone.id}`))).toEqual([404, "version not found"]);
    }
    expect(await api.must("GET", `${path}?version=${gone.id}`)).toMatchObject(address("192.0.2.2"));
    expect((await api.call("DELETE", `zones/${name}/versions/${newest.id}`)).status).toBe(400);
  });

  test("that are saved and inactive are deleted as well", async () => {
    const name = await zone();
    const saved = await api.must<Version>("PUT", `zones/${name}/versions?force=true`, { name: "one" });
    await api.numbered(await api.call("PUT", `zones/${name}/www.${name}/A`, address("192.0.2.1")));
    await api.must("DELETE", `zones/${name}/versions/${saved.id}`);
    expect(await api.must<Version[]>("GET", `zones/${name}/versions`)).toEqual([
      expect.objectContaining({ active: true }),
    ]);
  });
});

test("the catalogue of filters has the description that clients know", async () => {
  const types = await api.must<{ up: Fields }>("GET", "filtertypes");
  expect(types.up["shortdesc"]).toBe('Removes "down" answers');
});

describe("many records in one call", () => {
  const records = (name: string, number: number) =>
    Array.from({ length: number }, (_, i) => ({
      domain: `h${i}.${name}`,
      type: "A",
      ttl: 300,
      ...address("192.0.2.1"),
    }));

  test("3,000 are written, and deleted with the same call", async () => {
    const name = await zone();
    await api.must("POST", `zones/${name}/records`, { put: records(name, 3000) });
    expect((await api.call("GET", `zones/${name}`)).headers.get("x-total-count")).toBe("3001");
    await api.must("DELETE", `zones/${name}`);
  });

  test("the limit is one of records", async () => {
    const name = await zone();
    const answer = await api.call("POST", `zones/${name}/records`, { put: records(name, 5001) });
    expect(outcome(answer)).toEqual([400, "put and remove: at most 5000 records per call, not 5001"]);
  });
});

describe("views and names of zones", () => {
  test.for([{ views: ["v1"] }, { views: "v1" }, { name: "other" }])("%j: managed warns", async (fields) => {
    const [field] = Object.keys(fields);
    for (const method of ["PUT", "POST"]) {
      const name = method === "PUT" ? fresh() : await zone();
      const answer = await api.call(method, `zones/${name}`, { zone: name, ...fields });
      expect([answer.status, answer.body["warnings"]]).toEqual([
        200,
        [expect.stringMatching(`^${field}: has no effect: .* exist only in edition ddi$`)],
      ]);
      expect(answer.headers.get("warning")).toMatch(new RegExp(`^299 - "${field}: has no effect`));
      expect((await ddi.call("PUT", `zones/${name}`, fields)).body["code"]).toBe("not_built");
    }
  });

  test("empty forms, and the zone's own name, pass without a warning", async () => {
    for (const service of [api, ddi]) {
      const name = fresh();
      for (const fields of [
        { views: [], name: "" },
        { views: "", name: null },
        { views: null, name: `${name}.` },
      ]) {
        const method = (await service.call("GET", `zones/${name}`)).status === 200 ? "POST" : "PUT";
        const made = await service.must(method, `zones/${name}`, fields);
        expect(made).not.toHaveProperty("warnings");
      }
    }
  });
});

describe("fields and parameters that are not known", () => {
  test("are ignored with a warning in the reply and its header", async () => {
    const name = await zone();
    const cases = [
      ["POST", `zones/${name}`, { network: [0], view: "x" }, ["network: ", "view: "]],
      ["PUT", `zones/${name}/${name}/A`, { ...address("192.0.2.1"), region: "x", name: "@" }, ["region: ", "name: "]],
      ["DELETE", `zones/${name}/${name}/A?foo=1`, undefined, ['query parameter "foo": ']],
      ["GET", `zones/${name}?foo=1`, undefined, ['query parameter "foo": ']],
    ] as const;
    for (const [method, path, body, fields] of cases) {
      const answer = await api.call(method, path, body);
      const warnings = fields.map((field) =>
        expect.stringMatching(new RegExp(`^${field}is not known and has no effect`)),
      );
      expect([answer.status, answer.body["warnings"]]).toEqual([200, warnings]);
      expect(answer.headers.get("warning")?.match(/299 - "/g)).toHaveLength(fields.length);
    }
  });

  test("in a list or table only in the header", async () => {
    for (const path of ["account/activity?foo=1", "filtertypes?foo=1"]) {
      const plain = await api.call("GET", path.replace("?foo=1", ""));
      const answer = await api.call("GET", path);
      expect([answer.status, answer.text]).toEqual([200, plain.text]);
      expect(answer.headers.get("warning")).toMatch(/^299 - "query parameter \\"foo\\": is not known/);
    }
  });

  test("do not change the entity tag", async () => {
    const name = await zone();
    const path = `zones/${name}/${name}/A`;
    await api.must("PUT", path, address("192.0.2.1"));
    const tag = (await api.call("GET", `${path}?foo=1`)).headers.get("etag")!;
    expect((await api.call("POST", path, { ttl: 60, tttl: 1 }, { "If-Match": tag })).status).toBe(200);
  });

  test("are refused for callers that say strict", async () => {
    const name = await zone();
    for (const [method, path, body, field] of [
      ["POST", `zones/${name}?strict=true`, { view: "x" }, "view"],
      ["POST", `zones/${name}?strict=1`, { network: [0] }, "network"],
      ["GET", `zones/${name}?foo=1&strict=true`, undefined, "foo"],
    ] as const) {
      const answer = await api.call(method, path, body);
      expect([answer.status, answer.body["details"]]).toEqual([400, { field }]);
    }
    expect((await api.call("POST", `zones/${name}?strict=maybe`, {})).status).toBe(400);
    // what was read may be sent back
    await api.must("POST", `zones/${name}?strict=true`, await api.must("GET", `zones/${name}`));
  });

  test("a repeated request with an Idempotency-Key gets the same warnings", async () => {
    const name = await zone();
    const send = () => api.call("POST", `zones/${name}`, { ttll: 1 }, { "Idempotency-Key": name });
    const first = await send();
    const again = await send();
    expect([again.text, again.headers.get("warning")]).toEqual([first.text, first.headers.get("warning")]);
    expect(first.headers.get("warning")).toMatch(/^299/);
  });

  test.for([
    ["apikeys", { permision: {} }, "permision"],
    ["apikeys", { permissions: { dns: { manage_zone: false } } }, "permissions.dns.manage_zone"],
    ["teams", { permissions: { dsn: {} } }, "permissions.dsn"],
    ["teams", { ip_whitelists: [] }, "ip_whitelists"],
    [
      "users",
      { permissions: { dns: { records_deny: [{ domian: "a.example" }] } } },
      "permissions.dns.records_deny[0].domian",
    ],
    ["whitelist", { valeus: ["192.0.2.1"] }, "valeus"],
  ] as const)("in %s %j they are in the activity log too", async ([noun, fields, field]) => {
    const name = `w${++count}-name`;
    const own = noun === "users" ? { username: name, email: "ann@example.com" } : {};
    const made = await api.must<Fields>("PUT", `account/${noun}`, { name, ...own, ...fields });
    const warning = [expect.stringMatching(new RegExp(`^${field.replace(/[[\].]/g, "\\$&")}: is not known`))];
    expect(made["warnings"]).toEqual(warning);
    const id = String(made[noun === "users" ? "username" : "id"]);
    // a change that changes nothing leaves an entry as well
    expect((await api.must("POST", `account/${noun}/${id}`, fields))["warnings"]).toEqual(warning);
    const entries = await api.must<{ action: string; resource: Fields }[]>(
      "GET",
      `account/activity?resource_id=${made["id"]}`,
    );
    expect(entries.map(({ action, resource }) => [action, resource["warnings"]])).toEqual([
      ["update", warning],
      ["create", warning],
    ]);
  });
});
