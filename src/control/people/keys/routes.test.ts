/** API keys over HTTP: replies, refusals, and that no request yields a right that the caller lacks. */
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { nextPath } from "../../../../test/service/client.ts";
import { newId } from "../../../lib/ids.ts";
import { masterKeys, secretsFrom } from "../../../lib/secrets.ts";

const api = await startApi();
const path = "account/apikeys";

const create = (fields: Fields = {}, by: Client = api) =>
  by.call<Fields & { id: string; key: string }>("PUT", path, { name: newId(), ...fields });

test.for([
  ["apikeys", () => ({ name: newId() })],
  ["users", () => ({ username: newId(), email: "ann@example.com" })],
  ["teams", () => ({ name: newId() })],
] as const)("all %s are listed at once, or in linked pages", async ([noun, fields]) => {
  const owner = api.client((await api.stranger()).key);
  const made: Fields[] = [];
  for (let i = 0; i < 3; i++) made.push(await owner.must("PUT", `account/${noun}`, fields()));
  const whole = await owner.call<Fields[]>("GET", `account/${noun}`);
  expect(whole.body).toEqual(expect.arrayContaining(made));
  expect(whole.headers.get("link")).toBeNull();
  const pages: Fields[][] = [];
  for (let next: string | undefined = `account/${noun}?limit=2`; next !== undefined; ) {
    const { body, headers } = await owner.call<Fields[]>("GET", next);
    pages.push(body);
    next = nextPath(headers);
  }
  // the time of the last request is written each second
  const unused = (items: Fields[]) => items.map(({ last_access: _, ...rest }) => rest);
  expect(unused(pages.flat())).toEqual(unused(whole.body));
  expect(pages.slice(0, -1).every(({ length }) => length === 2)).toBe(true);
  expect((await owner.call("GET", `account/${noun}?limit=0`)).status).toBe(400);
  expect(await owner.must("GET", `account/${noun}?after=~`)).toEqual([]);
});

describe("a key", () => {
  test("is shown with its string and all permissions of its own edition", async () => {
    const made = (await create({ name: "deploy" })).body;
    expect(made).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      key: expect.stringMatching(/^[A-Za-z0-9]{20,}$/),
      name: "deploy",
      teams: [],
      ip_whitelist: [],
      ip_whitelist_strict: false,
      last_access: null,
      permissions: { dns: { manage_zones: true, zones_allow: [] }, account: { manage_auth_keys: false } },
    });
    expect(made["permissions"]).not.toHaveProperty("service");
    expect(await api.must<Fields[]>("GET", path)).toContainEqual(made);
    expect(await api.must("GET", `${path}/${made.id}`)).toEqual(made);
  });

  test("works at once, and its last use is stored", async () => {
    const made = (await create()).body;
    expect((await api.client(made.key).call("GET", "zones")).status).toBe(200);
    await expect
      .poll(async () => (await api.must<Fields>("GET", `${path}/${made.id}`))["last_access"], { timeout: 5000 })
      .toBeTypeOf("number");
  });

  test("is refused once it is deleted, and loses rights at once", async () => {
    const made = (await create()).body;
    const client = api.client(made.key);
    expect((await client.call("GET", "zones")).status).toBe(200);
    await api.must("POST", `${path}/${made.id}`, { permissions: { dns: { view_zones: false } } });
    expect((await client.call("GET", "zones")).status).toBe(403);
    expect((await api.call("DELETE", `${path}/${made.id}`)).text).toBe("{}\n");
    expect((await client.call("GET", "zones")).status).toBe(401);
  });

  test("that is sent back as it was read changes nothing", async () => {
    const made = (await create({ permissions: { monitoring: { manage_jobs: false } } })).body;
    const entries = async () => (await api.must<Fields[]>("GET", `account/activity?resource_id=${made.id}`)).length;
    expect(await api.must("POST", `${path}/${made.id}`, made)).toEqual(made);
    expect(await entries()).toBe(1);
  });

  test("leaves no trace of its string in the activity log", async () => {
    const made = (await create()).body;
    await api.must("POST", `${path}/${made.id}`, { name: newId() });
    await api.must("DELETE", `${path}/${made.id}`);
    const log = await api.call<Fields[]>("GET", `account/activity?resource_id=${made.id}`);
    expect(log.body.map(({ action }) => action)).toEqual(["delete", "update", "create"]);
    expect(log.text).not.toContain(made.key);
  });

  test("is created once by a repeated request, and the stored reply is encrypted", async () => {
    const headers = { "Idempotency-Key": newId() };
    const body = { name: newId() };
    const one = await api.call("PUT", path, body, headers);
    const two = await api.call("PUT", path, body, headers);
    expect([two.status, two.body]).toEqual([200, one.body]);
    expect((await api.call("PUT", path, { name: newId() }, headers)).status).toBe(400);
    const kept = await api.store.db.selectFrom("idempotency").select("body").execute();
    expect(kept.some((row) => row.body.includes(String(one.body["key"])))).toBe(false);
  });
});

test("only the key that sent the first request gets its stored reply", async () => {
  const headers = { "Idempotency-Key": newId() };
  const body = { name: newId() };
  const other = await api.limited({ dns: { manage_zones: false } });
  await api.call("PUT", path, body, headers);
  const replayed = await other.call("PUT", path, body, headers);
  expect([replayed.status, replayed.text.includes('"key"')]).toEqual([403, false]);
  const own = await other.call("PUT", path, { name: newId(), permissions: { dns: { manage_zones: false } } }, headers);
  expect([own.status, own.headers.get("idempotency-replayed")]).toEqual([200, null]);
});

test("a stored reply with secrets is refused when the caller's access has changed", async () => {
  const headers = { "Idempotency-Key": newId() };
  const body = { name: newId() };
  await api.call("PUT", path, body, headers);
  const { db } = api.store;
  const kept = () => db.selectFrom("idempotency").selectAll().where("key", "like", `%:${headers["Idempotency-Key"]}`);
  const { account_id, key } = await kept().executeTakeFirstOrThrow();
  const secrets = secretsFrom(masterKeys(join(api.directory, "master.key")));
  const sealed = secrets.seal(
    JSON.stringify({ mark: "of other access", body: "{}" }),
    `idempotency.body:${account_id}:${key}`,
  );
  await db.updateTable("idempotency").set({ body: sealed }).where("key", "=", key).execute();
  const again = await api.call("PUT", path, body, headers);
  expect([again.status, again.body["message"]]).toEqual([
    403,
    expect.stringContaining("because your access has changed since"),
  ]);
});

describe("requests with mistakes are refused with their message:", () => {
  const cases: [method: string, path: string, body: unknown, status: number, message: string | RegExp][] = [
    ["GET", `${path}/${newId()}`, undefined, 404, "api key not found"],
    ["POST", `${path}/${newId()}`, {}, 404, "api key not found"],
    ["DELETE", `${path}/${newId()}`, undefined, 404, "api key not found"],
    ["PUT", path, {}, 400, /"name"/],
    ["PUT", path, { name: "a" }, 400, "name must have 2 to 64 characters"],
    ["PUT", path, { name: "x".repeat(65) }, 400, "name must have 2 to 64 characters"],
    ["PUT", path, { name: "list", ip_whitelist: ["010.0.0.1"] }, 400, /ip_whitelist: "010.0.0.1"/],
    ["PUT", path, { name: "perm", permissions: { dns: { view_zones: "yes" } } }, 400, /permissions.dns.view_zones/],
  ];
  for (const [method, to, body, status, message] of cases) {
    test(`${method} ${JSON.stringify(body ?? {})}: ${message}`, async () => {
      const answer = await api.call(method, to, body);
      expect(answer.body["message"]).toMatch(message);
      expect(answer.status).toBe(status);
    });
  }
});

test("a name is unique, also when two requests use it at the same time", async () => {
  const name = newId();
  const answers = await Promise.all([1, 2, 3].map(() => create({ name })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect(answers.find(({ status }) => status === 400)?.body["message"]).toBe(`api key with name "${name}" exists`);
  const other = (await create()).body;
  expect((await api.call("POST", `${path}/${other.id}`, { name })).body["message"]).toContain("exists");
});

test("null is the same as an omitted field", async () => {
  const body = { teams: null, ip_whitelist: null, ip_whitelist_strict: null, permissions: null };
  expect((await create(body)).body).toMatchObject({ teams: [], ip_whitelist: [], ip_whitelist_strict: false });
});

describe("a restricted key that manages keys", async () => {
  const permissions = {
    ipam: { manage_ipam: false },
    dns: { zones_allow_by_default: false, zones_allow: ["a.example"], manage_zones: false },
  };
  const restricted = await api.limited(permissions);

  test("cannot create a key with rights that it lacks", async () => {
    const answer = await create({}, restricted);
    expect([answer.status, answer.body["message"]]).toEqual([
      403,
      "You are not allowed to modify the following permissions: manage_zones, manage_ipam, zones_allow_by_default",
    ]);
  });

  test("can create a key with its own rights, and cannot add rights by changing the key", async () => {
    const made = await create({ permissions }, restricted);
    expect(made.status).toBe(200);
    for (const [permissions, names] of [
      [{ ipam: { manage_ipam: true } }, "manage_ipam"],
      [{ dns: { manage_zones: true } }, "manage_zones"],
      [{ dns: { zones_allow: ["a.example", "b.example"] } }, "zones_allow"],
      [{ dns: { zones_allow_by_default: true } }, "zones_allow_by_default"],
      [{ account: { manage_auth_keys: true } }, "manage_auth_keys"],
    ] as const) {
      const answer = await restricted.call("POST", `${path}/${made.body.id}`, { permissions });
      expect(answer.body["message"]).toBe(`You are not allowed to modify the following permissions: ${names}`);
    }
  });

  test("neither changes nor deletes a key with more rights", async () => {
    const more = (await create()).body;
    for (const [method, body] of [
      ["POST", { name: newId() }],
      ["POST", { ip_whitelist: [], ip_whitelist_strict: true }],
      ["POST", { permissions: { data: { manage_datafeeds: false } } }],
      ["DELETE", undefined],
    ] as const) {
      const answer = await restricted.call(method, `${path}/${more.id}`, body);
      expect([answer.status, answer.body["message"]]).toEqual([
        403,
        "You are not allowed to modify the following permissions: manage_zones, manage_ipam, zones_allow_by_default",
      ]);
    }
    expect(await api.must("GET", `${path}/${more.id}`)).toEqual(more);
  });

  test("sees the strings of keys that have no more rights than itself", async () => {
    const keys = await restricted.must<Fields[]>("GET", path);
    expect(keys.some(({ key }) => key === api.key)).toBe(false);
    expect(keys.some(({ key }) => key === restricted.key)).toBe(true);
  });
});

test("the last key that manages keys stays", async () => {
  const stranger = await api.stranger();
  const [own] = await stranger.must<{ id: string }[]>("GET", path);
  const message = "the last API key with the permission manage_apikeys must stay";
  expect((await stranger.call("DELETE", `${path}/${own?.id}`)).body["message"]).toBe(message);
  const without = { permissions: { account: { manage_apikeys: false } } };
  expect((await stranger.call("POST", `${path}/${own?.id}`, without)).body["message"]).toBe(message);
  await create(without, stranger);
  expect((await stranger.call("DELETE", `${path}/${own?.id}`)).status).toBe(400);
  const other = (await create({}, stranger)).body;
  await stranger.must("DELETE", `${path}/${own?.id}`);
  expect((await api.client(other.key).call("DELETE", `${path}/${other.id}`)).body["message"]).toBe(message);
});

test("another account's keys are not found", async () => {
  const stranger = await api.stranger();
  const { id } = (await create()).body;
  for (const method of ["GET", "POST", "DELETE"]) {
    const answer = await stranger.call(method, `${path}/${id}`, method === "POST" ? {} : undefined);
    expect([answer.status, answer.body["message"]]).toEqual([404, "api key not found"]);
  }
});

describe("a key with an allow list", async () => {
  const list = ["127.0.0.0/8", "192.0.2.0/24"];
  const held = await api.limited({}, { ip_whitelist: list, ip_whitelist_strict: true });
  const own = (await held.must<(Fields & { id: string })[]>("GET", path)).find(({ key }) => key === held.key)!;

  test("creates no key that is less restricted, and does not lift its own restriction", async () => {
    for (const fields of [
      { ip_whitelist_strict: false },
      { ip_whitelist: [...list, "198.51.100.1"], ip_whitelist_strict: true },
      { ip_whitelist: ["0.0.0.0/0"], ip_whitelist_strict: true },
    ]) {
      expect((await create(fields, held)).status).toBe(403);
      expect((await held.call("POST", `${path}/${own.id}`, fields)).status).toBe(403);
    }
    expect((await create({ ip_whitelist: ["192.0.2.7"], ip_whitelist_strict: true }, held)).status).toBe(200);
    expect((await held.call("POST", `${path}/${own.id}`, { ip_whitelist: ["127.0.0.0/8"] })).status).toBe(200);
  });

  test("does not see the string of a less restricted key", async () => {
    const keys = await held.must<Fields[]>("GET", path);
    expect(keys.some(({ key }) => key === api.key)).toBe(false);
  });
});

describe("allow lists", () => {
  test("cannot lock out the key that changes them", async () => {
    const stranger = await api.stranger();
    const [own] = await stranger.must<{ id: string }[]>("GET", path);
    for (const ip_whitelist of [[], ["192.0.2.1"]]) {
      const body = { ip_whitelist, ip_whitelist_strict: true };
      const answer = await stranger.call("POST", `${path}/${own?.id}`, body);
      expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining("127.0.0.1")]);
    }
    await create({ ip_whitelist_strict: true }, stranger);
    expect((await stranger.call("DELETE", `${path}/${own?.id}`)).status).toBe(400);
    const body = { ip_whitelist: ["127.0.0.1"], ip_whitelist_strict: true };
    await stranger.must("POST", `${path}/${own?.id}`, body);
  });

  test("apply only when strict", async () => {
    const loose = (await create({ ip_whitelist: ["192.0.2.1"] })).body;
    expect((await api.client(loose.key).call("GET", "networks")).status).toBe(200);
    const strict = (await create({ ip_whitelist: ["192.0.2.1"], ip_whitelist_strict: true })).body;
    expect((await api.client(strict.key).call("GET", "networks")).status).toBe(403);
    const here = (await create({ ip_whitelist: ["127.0.0.0/8"], ip_whitelist_strict: true })).body;
    expect((await api.client(here.key).call("GET", "networks")).status).toBe(200);
    const empty = (await create({ ip_whitelist_strict: true })).body;
    expect((await api.client(empty.key).call("GET", "networks")).status).toBe(403);
  });
});

test("an account can have at most 10,000 keys", async () => {
  const stranger = await api.stranger();
  const [own] = await stranger.must<{ id: string }[]>("GET", path);
  await sql`
    insert into api_key (account_id, id, name, secret, expiry_days, permissions, ip_whitelist, ip_whitelist_strict, teams, created)
    select account_id, 'key' || n, 'key' || n, null, 1, permissions, ip_whitelist, ip_whitelist_strict, teams, created
    from api_key cross join generate_series(1, 9998) as n
    where id = ${own!.id}`.execute(api.store.db);
  expect((await create({}, stranger)).status).toBe(200);
  const { status, body } = await create({}, stranger);
  expect([status, body["message"]]).toEqual([400, "an account can have at most 10000 API keys"]);
});
