/** Abuse of keys: invalid and revoked keys, and places where keys must not appear. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { describe, type ExpectStatic, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../test/service/api.ts";
import { newId } from "../../lib/ids.ts";

const api = await startApi();
/** Another process of the service. */
const other = await startApi({ storeUrl: api.storeUrl, directory: api.directory });
const path = "account/apikeys";

type Key = Fields & { readonly id: string; readonly key: string; readonly secrets: { id: string; key: string }[] };
const create = (fields: Fields = {}) => api.must<Key>("PUT", path, { name: newId(), ...fields });
const status = async (client: Client) => (await client.call("GET", "zones")).status;
/** `own` is the test's own expect, because several tests run at once. */
const refused = (own: ExpectStatic, client: Client, as: number) =>
  own.poll(() => status(client), { timeout: 60_000 }).toBe(as);

test("all invalid keys are refused with the same message", async () => {
  const { key } = api;
  const [gone, due] = [await create(), await create({ expiry_duration: "1d" })];
  await api.must("DELETE", `${path}/${gone.id}`);
  await api.must("POST", `${path}/${due.id}/secrets/${due.secrets[0]!.id}`, { enabled: false });
  const replies = await Promise.all(
    [
      ...["", "wrong", key.slice(1), key.slice(0, -1), `${key}x`, key.toLowerCase(), "k".repeat(8192), `${key},${key}`],
      ...["\u00e4", gone.key, due.secrets[0]!.key, gone.id, "__proto__", "' or 1=1--"],
    ].map((text) => api.client(text).call("GET", "zones")),
  );
  const elsewhere = [
    api.client("").call("GET", `zones?X-SERVICE-Key=${key}&api_key=${key}`),
    api.client("").call("POST", "zones/a.example", { key, "X-SERVICE-Key": key }),
    api.client("").call("GET", "zones", undefined, { Cookie: `X-SERVICE-Key=${key}`, Authorization: `Bearer ${key}` }),
    api.client(key).call("GET", "zones", undefined, { "X-SERVICE-Key": gone.key }),
  ];
  const all = [...replies, ...(await Promise.all(elsewhere))];
  expect(new Set(all.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1);
  expect(all[0]!.status).toBe(401);
});

describe.concurrent("at another process, on open connections, a change applies within a second to a key that", () => {
  test("is deleted", async ({ expect }) => {
    const made = await create();
    const client = other.client(made.key);
    expect(await status(client)).toBe(200);
    await api.must("DELETE", `${path}/${made.id}`);
    await refused(expect, client, 401);
  });

  test("loses a right", async ({ expect }) => {
    const made = await create();
    const client = other.client(made.key);
    expect(await status(client)).toBe(200);
    await api.must("POST", `${path}/${made.id}`, { permissions: { dns: { view_zones: false } } });
    await refused(expect, client, 403);
  });

  test("is disabled, and enabled", async ({ expect }) => {
    const { id, secrets } = await create({ expiry_duration: "1d" });
    const client = other.client(secrets[0]!.key);
    expect(await status(client)).toBe(200);
    await api.must("POST", `${path}/${id}/secrets/${secrets[0]!.id}`, { enabled: false });
    await refused(expect, client, 401);
    await api.must("POST", `${path}/${id}/secrets/${secrets[0]!.id}`, { enabled: true });
    await refused(expect, client, 200);
  });

  test("is rotated without an overlap", async ({ expect }) => {
    const made = await create();
    const client = other.client(made.key);
    expect(await status(client)).toBe(200);
    const { key } = await api.must<Key>("POST", `${path}/${made.id}/rotate`, { overlap: "0d" });
    await refused(expect, client, 401);
    await refused(expect, other.client(key), 200);
  });
});

describe.each([
  ["a body that is read at once", "PUT", path, ['{"name":', '"afterlife"}']],
  [
    "a file that is read in pieces",
    "PUT",
    "import/zonefile/afterlife.example",
    ["@ SOA a. b. 1 2 3 4 5\n", "@ NS a.\n"],
  ],
] as const)("%s is refused", (_, method, to, [first, rest]) => {
  test.each([
    ["is deleted", 401, (id: string) => api.must("DELETE", `${path}/${id}`)],
    ["is restricted to other addresses", 403, (id: string) => api.must("POST", `${path}/${id}`, elsewhere)],
    ["loses its rights", 403, (id: string) => api.must("POST", `${path}/${id}`, without)],
  ] as const)("when the key %s before the request ends", async (_, status, revoke) => {
    const made = await create();
    const headers = { "X-SERVICE-Key": made.key, "Content-Type": "application/json" };
    const sending = request(`${api.url}/v1/${to}`, { method, headers });
    const answered = once(sending, "response");
    sending.write(first);
    await expect
      .poll(async () => (await api.must<Key>("GET", `${path}/${made.id}`))["last_access"])
      .toBeTypeOf("number");
    await revoke(made.id);
    sending.end(rest);
    const [answer] = (await answered) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(status);
    const names = (await api.must<Key[]>("GET", path)).map(({ name }) => name);
    expect(names).not.toContain("afterlife");
    expect((await api.call("GET", "zones/afterlife.example")).status).toBe(404);
  });
});

const elsewhere = { ip_whitelist: ["192.0.2.1"], ip_whitelist_strict: true };
const without = { permissions: { account: { manage_apikeys: false }, dns: { manage_zones: false } } };

describe("the string of a key", () => {
  test("is shown only to callers who may manage keys, and is not cached", async () => {
    const made = await create();
    const without = await api.limited({ account: { manage_apikeys: false } });
    for (const to of [path, `${path}/${made.id}`]) {
      const answer = await without.call("GET", to);
      expect([answer.status, answer.text.includes(made.key)]).toEqual([403, false]);
      expect((await api.call("GET", to)).headers.get("cache-control")).toBe("no-store");
    }
    for (const [method, to, body] of [
      ["PUT", path, { name: newId() }],
      ["POST", `${path}/${made.id}`, { name: newId() }],
      ["POST", `${path}/${made.id}/rotate`, {}],
    ] as const) {
      expect((await api.call(method, to, body)).headers.get("cache-control")).toBe("no-store");
    }
  });

  test("does not appear in searches, activity or refusals", async () => {
    const made = await create();
    const client = api.client(made.key);
    const answers = [
      await client.call("GET", `search?q=${made.key}`),
      await client.call("GET", "account/activity"),
      await client.call("POST", path, {}),
      await client.call("PUT", path, { name: "x" }),
      await client.call("PUT", "zones/-", {}),
      await client.call("GET", `zones/none.example?key=1`),
    ];
    for (const { text } of answers) expect(text).not.toContain(made.key);
  });
});
