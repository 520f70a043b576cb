/** Zones over HTTP: defaults, exact messages, listings, round trips, and claims of names. */
import { setTimeout as delay } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import { describe, expect, test } from "vitest";
import { type Answer, type Client, type Fields, startApi } from "../../../test/service/api.ts";
import { nextPath } from "../../../test/service/client.ts";
import { LockedNames, NameLocks } from "../write/locks.ts";

const api = await startApi();

let count = 0;
/** Waiters for the advisory lock of a zone. */
const atGates = `
  select from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where locktype = 'advisory' and not granted and datname = current_database()`;

/** A zone name that no other test has. */
const fresh = () => `zone${++count}.example`;

async function zone(fields: Fields = {}) {
  const name = fresh();
  return await api.must<Fields & { zone: string; records: Fields[] }>("PUT", `zones/${name}`, {
    zone: name,
    ...fields,
  });
}

describe("a zone created with only a name", () => {
  test("gets the defaults, with fields in the order that clients expect", async () => {
    const made = await zone();
    expect(made).toMatchObject({
      ttl: 3600,
      refresh: 43200,
      retry: 7200,
      expiry: 1209600,
      nx_ttl: 3600,
      hostmaster: `hostmaster@${made.zone}`,
      primary_master: "dns1.example.net",
      dns_servers: ["dns1.example.net", "dns2.example.net"],
      networks: [0],
      network_pools: ["p01"],
      pool: "p01",
      link: null,
      dnssec: false,
      disabled: false,
      meta: {},
      primary: { enabled: false, secondaries: [] },
      secondary: null,
      tags: {},
    });
    expect(Object.keys(made).slice(0, 18)).toEqual(
      "nx_ttl retry zone dnssec network_pools primary refresh expiry dns_servers records meta link serial ttl id hostmaster networks pool".split(
        " ",
      ),
    );
  });

  test("has an NS record with its name servers", async () => {
    const { records, zone: name } = await zone({ nx_ttl: 60 });
    expect(records).toEqual([
      {
        domain: name,
        short_answers: ["dns1.example.net", "dns2.example.net"],
        link: null,
        ttl: 60,
        tier: 1,
        type: "NS",
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        zone: name,
      },
    ]);
    expect(await api.must("GET", `zones/${name}/${name}/NS`)).toMatchObject({
      use_client_subnet: false,
      answers: [
        { answer: ["dns1.example.net"], meta: {} },
        { answer: ["dns2.example.net"], meta: {} },
      ],
    });
  });

  test("is created by PUT with status 200, and its name is in lower case", async () => {
    const name = fresh();
    const made = await api.call("PUT", `zones/${name.toUpperCase()}.`, { zone: name });
    expect(made.status).toBe(200);
    expect(made.body["zone"]).toBe(name);
  });
});

test("a zone without networks has no name servers and no NS record", async () => {
  expect(await zone({ networks: [] })).toMatchObject({
    ...{ networks: [], dns_servers: [], records: [] },
    warnings: ["networks: a zone on no network has no name servers, and no edge answers for it"],
  });
});

describe("messages that clients compare", async () => {
  const taken = await zone();
  const cases: [what: string, method: string, path: string, body: unknown, status: number, message: string][] = [
    ["a zone that exists", "PUT", `zones/${taken.zone}`, {}, 400, "zone already exists"],
    ["one label", "PUT", "zones/net", {}, 400, '"net" not a valid zone'],
    ["one label", "GET", "zones/net", undefined, 400, '"net" not a valid zone'],
    ["an empty label", "PUT", "zones/a..example", {}, 400, '"a..example" not a valid zone'],
    ["a wildcard", "PUT", "zones/*.example", {}, 400, '"*.example" not a valid zone'],
    ["a missing zone", "GET", "zones/missing.example", undefined, 404, "zone not found"],
    ["a missing zone", "POST", "zones/missing.example", {}, 404, "zone not found"],
    ["a missing zone", "DELETE", "zones/missing.example", undefined, 404, "zone not found"],
    ["a missing zone", "PUT", "zones/missing.example/www.missing.example/A", { answers: [] }, 404, "zone not found"],
    ["a missing zone", "GET", "zones/missing.example/dnssec", undefined, 404, "zone not found"],
    ["missing keys", "GET", `zones/${taken.zone}/dnssec`, undefined, 404, "DNSSEC is not enabled on the zone"],
    ["a missing zone", "GET", "zones/missing.example/www.missing.example/A", undefined, 404, "record not found"],
    [
      "DNSSEC",
      "POST",
      `zones/${taken.zone}`,
      { dnssec: true },
      400,
      "DNSSEC support is not enabled for this account. Please contact support@ns1.com to enable it",
    ],
  ];
  for (const [what, method, path, body, status, message] of cases) {
    test(`${method} of ${what}: ${message}`, async () => {
      const answer = await api.call(method, path, body);
      expect(answer.body["message"]).toBe(message);
      expect(answer.status).toBe(status);
      expect(answer.body["code"]).toBeTypeOf("string");
    });
  }

  test.for([
    ["net", /at least two labels/],
    ["a..example", /empty label/],
    ["*.example", /wildcard/],
    [`${"a".repeat(64)}.example`, /63 octets/],
  ] as const)("details say why %s is not a valid zone", async ([name, reason]) => {
    const { body } = await api.call<Fields>("PUT", `zones/${name}`, {});
    expect(body["details"]).toEqual({ field: "zone", reason: expect.stringMatching(reason) });
  });

  test("DNSSEC is refused with the code not_built, whatever the fixed message says", async () => {
    const { body } = await api.call<Fields>("POST", `zones/${taken.zone}`, { dnssec: true });
    const details = { reason: expect.stringContaining("does not sign") };
    expect(body).toMatchObject({ code: "not_built", details });
    const keys = await api.call<Fields>("GET", `zones/${taken.zone}/dnssec`);
    expect(keys.body).toMatchObject({ code: "missing", details });
  });
});

describe("a body is checked field by field", () => {
  const cases: [body: Fields, message: string | RegExp][] = [
    [{ zone: "other.example" }, /zone: "other.example" differs from the zone in the path/],
    [{ ttl: -1 }, /"ttl"/],
    [{ ttl: 2 ** 31 }, /"ttl"/],
    [{ ttl: "3600" }, /"ttl"/],
    [{ refresh: 1.5 }, /"refresh"/],
    [{ hostmaster: "a b@example.com" }, /hostmaster: "a b@example.com" is not a mailbox/],
    [{ hostmaster: "root" }, /hostmaster/],
    [{ primary_master: "a..b" }, /primary_master/],
    [{ networks: [7] }, "networks: there is no network 7"],
    [{ networks: [0, 0] }, /networks: an id is repeated/],
    [{ meta: { nonsense: 1 } }, /meta.nonsense/],
    [{ tags: { "": "x" } }, /tags/],
    [{ tags: { a: 1 } }, /tags.a/],
    [{ secondary: { enabled: true, primary_ip: "ns.example" } }, "is not an IP address"],
    [{ secondary: { enabled: true } }, "secondary.primary_ip: is required"],
    [{ secondary: { enabled: true, primary_ip: "169.254.1.1" } }, "not a public address"],
    [{ secondary: { enabled: true, primary_ip: "192.0.2.1", tsig: { name: "k", hash: "md4", key: "eA==" } } }, "md4"],
    [{ secondary: { tsig: { enabled: true } } }, /secondary.tsig/],
    [{ primary: { enabled: true, secondaries: [{ ip: "192.0.2.0/24", notify: true }] } }, "cannot be notified"],
    [{ primary: { secondaries: [{ ip: "192.0.2.1", tsig_key: "none.example" }] } }, "there is no TSIG key"],
  ];
  for (const [body, message] of cases) {
    test(JSON.stringify(body), async () => {
      const name = fresh();
      const answer = await api.call("PUT", `zones/${name}`, body);
      expect(answer.status).toBe(400);
      expect(answer.body["message"]).toMatch(message);
      expect((await api.call("GET", `zones/${name}`)).status).toBe(404);
    });
  }
  for (const body of [
    { link: null, secondary: null, primary: null, networks: null, tags: null, meta: null, ttl: null },
    { link: "", secondary: {}, primary: {}, dnssec: false },
    { secondary: { enabled: false }, primary: { enabled: false, secondaries: [] } },
    { secondary: { enabled: false, tsig: { enabled: false } }, views: ["internal"], name: "other" },
    { records: [], id: "x", serial: 1, dns_servers: ["x"], pool: "x", network_pools: ["x"], unknown: {} },
  ]) {
    test(`${JSON.stringify(body)} is accepted without effect`, async () => {
      expect(await zone(body)).toMatchObject({
        link: null,
        networks: [0],
        dns_servers: ["dns1.example.net", "dns2.example.net"],
      });
    });
  }
});

describe("changing a zone", () => {
  test("keeps omitted fields, and null resets a field to its default", async () => {
    const { zone: name } = await zone({ ttl: 60, refresh: 61, tags: { a: "b" }, hostmaster: "me@example.org" });
    expect(await api.must("POST", `zones/${name}`, { ttl: null, retry: 62 })).toMatchObject({
      ttl: 3600,
      refresh: 61,
      retry: 62,
      tags: { a: "b" },
      hostmaster: "me@example.org",
    });
  });

  test("refuses another name", async () => {
    const { zone: name } = await zone();
    const answer = await api.call("POST", `zones/${name}`, { zone: "new.example" });
    expect(answer.status).toBe(400);
  });

  test("increases the serial once the change has its revision", async () => {
    const made = await zone();
    const answer = await api.call("POST", `zones/${made.zone}`, { disabled: true });
    const { serials } = await api.numbered(answer);
    const serial = serials[String(made["id"])];
    expect(serial).toBeGreaterThan(Number(made["serial"]));
    expect(await api.must("GET", `zones/${made.zone}`)).toMatchObject({ serial, disabled: true });
  });

  test("has no effect when the zone is sent back as it was read", async () => {
    const name = fresh();
    const fields = { tags: { a: null, b: "c" }, local_tags: ["a"], meta: { note: "x", asn: ["1"] } };
    await api.numbered(await api.call("PUT", `zones/${name}`, fields));
    const read = await api.must("GET", `zones/${name}`);
    const answer = await api.call("POST", `zones/${name}`, read);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-fairlead-change")).toBeNull();
    expect(await api.must("GET", `zones/${name}`)).toEqual(read);
  });

  test("removes the generated NS record with the last network, and restores it with a new network", async () => {
    const { zone: name } = await zone();
    expect(await api.must("POST", `zones/${name}`, { networks: [] })).toMatchObject({ records: [], dns_servers: [] });
    expect(await api.must("POST", `zones/${name}`, { networks: [0] })).toMatchObject({
      records: [{ type: "NS", short_answers: ["dns1.example.net", "dns2.example.net"] }],
    });
  });

  test("requires access to all of its records", async () => {
    const { zone: name } = await zone();
    const client = await api.limited({ dns: { records_deny: [{ zone: name, domain: `www.${name}` }] } });
    await client.must("POST", `zones/${name}`, { ttl: 61 });
    await api.must("PUT", `zones/${name}/www.${name}/A`, { answers: [{ answer: ["192.0.2.1"] }] });
    for (const body of [{ disabled: true }, { networks: [] }]) {
      const answer = await client.call("POST", `zones/${name}`, body);
      expect([answer.status, answer.body["message"]]).toEqual([
        403,
        `You do not have the permission manage_zones for the record www.${name} A`,
      ]);
    }
  });

  test("does not wait for writers of its records, but a deletion does", async () => {
    const { zone: name } = await zone();
    let deleted: Promise<Answer> | undefined;
    await api.store.transaction(async (tx) => {
      await tx.selectFrom("zone").select("id").where("zone", "=", name).forKeyShare().execute();
      await api.must("POST", `zones/${name}`, { disabled: true, networks: [] });
      deleted = api.call("DELETE", `zones/${name}`);
      await delay(100);
      expect((await api.call("GET", `zones/${name}`)).status).toBe(200);
    });
    expect((await deleted)?.status).toBe(200);
  });

  test("does not overtake a deletion that waits for a writer", async () => {
    const { zone: name } = await zone();
    const waiting = async () => (await api.store.db.executeQuery(CompiledQuery.raw(atGates))).rows.length;
    const put = (label: string) => api.call("PUT", `zones/${name}/${label}.${name}/A`, { answers: [] });
    const after: Promise<Answer>[] = [];
    await api.store.transaction(async (tx) => {
      const { account_id } = await tx.selectFrom("zone").selectAll().where("zone", "=", name).executeTakeFirstOrThrow();
      expect(await new NameLocks(new LockedNames(tx)).lock(account_id, name, [`first.${name}`])).toBeDefined();
      after.push(api.call("DELETE", `zones/${name}`));
      await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
      after.push(put("late"), api.call("POST", `zones/${name}`, { ttl: 77 }));
      await expect.poll(waiting, { timeout: 10_000 }).toBe(3);
    });
    const replies = await Promise.all(after);
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 404]);
  });

  test("does not restore an NS record that a client deleted", async () => {
    const { zone: name } = await zone();
    await api.must("DELETE", `zones/${name}/${name}/NS`);
    await api.must("POST", `zones/${name}`, { networks: [] });
    expect(await api.must("POST", `zones/${name}`, { ttl: 77 })).toMatchObject({ records: [] });
  });
});

test("deleting a zone deletes its records, and the name is free again", async () => {
  const { zone: name } = await zone();
  await api.must("PUT", `zones/${name}/www.${name}/A`, { answers: [{ answer: ["192.0.2.1"] }] });
  const answer = await api.call("DELETE", `zones/${name}`);
  expect(answer.text).toBe("{}\n");
  expect((await api.call("GET", `zones/${name}/www.${name}/A`)).body["message"]).toBe("record not found");
  const again = await api.must<{ records: unknown[] }>("PUT", `zones/${name}`, {});
  expect(again.records).toHaveLength(1);
});

describe("listings", () => {
  test("of zones are divided into pages by name, without records", async () => {
    const made = [await zone(), await zone(), await zone()].map((one) => one.zone);
    const seen: string[] = [];
    let path: string | undefined = "zones?limit=2";
    while (path) {
      const answer: Answer<Fields[]> = await api.call("GET", path);
      expect(answer.body.length).toBeLessThanOrEqual(2);
      for (const one of answer.body) {
        expect(one).not.toHaveProperty("records");
        seen.push(String(one["zone"]));
      }
      path = nextPath(answer.headers);
    }
    expect(seen).toEqual([...new Set(seen)].sort());
    expect(seen).toEqual(expect.arrayContaining(made));
  });

  test("of records are divided into pages by name and type; each page repeats the zone", async () => {
    const { zone: name } = await zone();
    const put = ["a", "b", "*.b", "c"].flatMap((label) =>
      ["A", "TXT"].map((type) => ({
        domain: `${label}.${name}`,
        type,
        answers: [{ answer: [type === "A" ? "192.0.2.1" : "x"] }],
      })),
    );
    await api.must("POST", `zones/${name}/records`, { put });
    const whole = await api.must<{ records: Fields[] }>("GET", `zones/${name}`);
    expect(whole.records).toHaveLength(9);
    const seen: Fields[] = [];
    let path: string | undefined = `zones/${name}?limit=4`;
    while (path) {
      const answer: Answer<{ zone: string; records: Fields[] }> = await api.call("GET", path);
      expect(answer.body.zone).toBe(name);
      expect(answer.headers.get("x-total-count")).toBe("9");
      seen.push(...answer.body.records);
      path = nextPath(answer.headers);
    }
    expect(seen).toEqual(whole.records);
  });

  test("contain no names that the caller may not see, not even in the link to the next page", async () => {
    const { zone: name } = await zone();
    const put = ["a", "m-secret", "n-secret", "z"].map((label) => ({
      domain: `${label}.${name}`,
      type: "A",
      answers: [{ answer: ["192.0.2.1"] }],
    }));
    await api.must("POST", `zones/${name}/records`, { put });
    for (const label of ["a", "m-secret", "z"]) await api.must("PUT", `zones/${label}.of-${name}`, {});
    const closed = ["m-secret", "n-secret"].map((label) => ({ zone: name, domain: `${label}.${name}` }));
    const client = await api.limited({ dns: { records_deny: closed, zones_deny: [`m-secret.of-${name}`] } });
    for (const start of ["zones?limit=1", `zones/${name}?limit=1`, `zones/${name}?limit=1&expand=true`]) {
      const seen: string[] = [];
      let path: string | undefined = start;
      while (path) {
        const answer: Answer<Fields[] | { records: Fields[] }> = await client.call("GET", path);
        const items = Array.isArray(answer.body) ? answer.body : answer.body.records;
        expect(items).toHaveLength(1);
        seen.push(...items.map((item) => String(item["domain"] ?? item["zone"])));
        path = nextPath(answer.headers);
        expect(path ?? "").not.toContain("secret");
      }
      const labels = seen.filter((one) => one.endsWith(name)).map((one) => one.split(".")[0]);
      expect(labels).toEqual(expect.arrayContaining(["a", "z"]));
      expect(labels).not.toContain("m-secret");
    }
  });

  test("can omit the records, or include them in full", async () => {
    const { zone: name } = await zone();
    expect(await api.must("GET", `zones/${name}?records=False`)).not.toHaveProperty("records");
    const { records } = await api.must<{ records: Fields[] }>("GET", `zones/${name}?expand=1`);
    expect(records).toEqual([await api.must("GET", `zones/${name}/${name}/NS`)]);
  });

  test("contain the text that shell clients search for", async () => {
    const { zone: name } = await zone();
    await api.must("PUT", `zones/${name}/_acme-challenge.${name}/TXT`, {
      answers: [{ answer: ["token"] }],
      type: "TXT",
      domain: `_acme-challenge.${name}`,
      zone: name,
      ttl: 0,
    });
    expect((await api.call("GET", "zones")).text).toContain(`"zone":"${name}"`);
    const { text } = await api.call("GET", `zones/${name}`);
    expect(text).toContain('"records":');
    expect(text).toContain(`"domain":"_acme-challenge.${name}","short_answers":["token"]`);
    expect(text).toMatch(new RegExp(`"domain":"_acme-challenge.${name}",[^{]*"type":"TXT"`));
    const record = await api.call("GET", `zones/${name}/_acme-challenge.${name}/TXT`);
    expect(record.text).toMatch(new RegExp(`"domain":"_acme-challenge.${name}",.*"type":"TXT"`));
  });
});

describe("claims of names", async () => {
  const stranger = await api.stranger();

  test("the name of an existing zone is taken, however it is spelt", async () => {
    const { zone: name } = await zone();
    for (const spelling of [name, name.toUpperCase(), `${name}.`]) {
      const answer = await stranger.call("PUT", `zones/${spelling}`, {});
      expect([answer.status, answer.body["message"]]).toEqual([400, "zone already exists"]);
    }
  });

  test("a zone cannot be below or above a zone of another account", async () => {
    const { zone: name } = await zone();
    expect((await stranger.call("PUT", `zones/a.b.${name}`, {})).body["message"]).toContain(
      "is below a zone of another",
    );
    await api.must("PUT", "zones/deep.sub.parent-test.com", {});
    for (const above of ["sub.parent-test.com", "parent-test.com"]) {
      expect((await stranger.call("PUT", `zones/${above}`, {})).body["message"]).toContain(
        "is above a zone of another",
      );
    }
    await stranger.must("PUT", "zones/other.parent-test.com", {});
  });

  test("a zone whose label contains a dot is not below the name after that dot", async () => {
    await stranger.must("PUT", "zones/x%5C.dotted-test.com", {});
    await stranger.must("PUT", "zones/www.x%5C.dotted-test.com", {});
    await api.must("PUT", "zones/dotted-test.com", {});
    await api.must("DELETE", "zones/dotted-test.com");
    await api.must("POST", "deletedzones/dotted-test.com/undelete");
    const within = await api.call("PUT", "zones/a.x%5C.dotted-test.com", {});
    expect(within.body["message"]).toContain("is below a zone of another");
    await api.must("PUT", "zones/a.y%5C.dotted-test.com", {});
    const around = await stranger.call("PUT", "zones/y%5C.dotted-test.com", {});
    expect(around.body["message"]).toContain("is above a zone of another");
  });

  test("an account may nest its own zones", async () => {
    const { zone: name } = await zone();
    await api.must("PUT", `zones/child.${name}`, {});
  });

  test("a zone below another of the same account's zones requires the right to write an NS record at its name", async () => {
    const { zone: name } = await zone();
    await api.must("PUT", `zones/mid.${name}`, {});
    for (const dns of [
      { zones_deny: [name] },
      { zones_allow_by_default: false, zones_allow: [`mid.${name}`, `a.mid.${name}`] },
      { records_deny: [{ zone: name, domain: `www.a.mid.${name}`, type: "A" }] },
      { records_deny: [{ zone: `mid.${name}`, type: "NS" }] },
      { records_allow: [{ zone: name, domain: `a.mid.${name}` }] },
    ]) {
      const answer = await (await api.limited({ dns })).call("PUT", `zones/a.mid.${name}`, {});
      expect([answer.status, answer.body["message"]]).toEqual([403, expect.stringContaining(`a.mid.${name} NS`)]);
    }
    const open = { records_allow: [{ zone: name, domain: `a.mid.${name}`, include_subdomains: true }] };
    await (await api.limited({ dns: open })).must("PUT", `zones/a.mid.${name}`, {});
  });

  test("public suffixes are refused", async () => {
    const answer = await stranger.call("PUT", "zones/co.uk", {});
    expect([answer.status, answer.body["message"]]).toEqual([400, '"co.uk" is a public suffix and not a valid zone']);
  });

  test("when two accounts race for a zone and a zone below it, one account wins", async () => {
    // sent again when the store was too busy
    const status = async (who: Client, method: string, path: string, body?: Fields) => {
      for (;;) {
        const answer = await who.call(method, path, body);
        if (answer.status !== 503) return answer.status;
      }
    };
    for (let round = 0; round < 10; round++) {
      const path = `zones/${fresh()}`;
      const below = path.replace("/", "/sub.");
      await Promise.all([
        status(api, "PUT", path, {}),
        status(stranger, "PUT", below, {}),
        status(stranger, "PUT", path, {}),
      ]);
      const own = await status(api, "GET", path);
      const others = [await status(stranger, "GET", below), await status(stranger, "GET", path)];
      expect([own === 200, others.includes(200)].filter(Boolean)).toEqual([true]);
    }
  });

  test("a zone of another account looks like a missing one", async () => {
    const { zone: name } = await zone();
    for (const [method, path, body] of [
      ["GET", `zones/${name}`, undefined],
      ["POST", `zones/${name}`, { ttl: 1 }],
      ["DELETE", `zones/${name}`, undefined],
      ["GET", `zones/${name}/${name}/NS`, undefined],
      ["PUT", `zones/${name}/www.${name}/A`, { answers: [{ answer: ["192.0.2.1"] }] }],
      ["POST", `zones/${name}/records`, { remove: [{ domain: name, type: "NS" }] }],
    ] as const) {
      const foreign = await stranger.call(method, path, body);
      const elsewhere = body && JSON.parse(JSON.stringify(body).replaceAll(name, "never.example"));
      const never = await stranger.call(method, path.replaceAll(name, "never.example"), elsewhere);
      expect(foreign.status).toBe(404);
      expect(foreign.text.replaceAll(name, "never.example")).toBe(never.text);
    }
    expect((await api.call("GET", `zones/${name}`)).status).toBe(200);
  });
});
