/**
 * Keys that expire, and strings that are rotated: the time for which they are valid, and secrets that are shown once.
 */
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { newId } from "../../../lib/ids.ts";

const day = 86_400_000;
const clock = fakeClock();
const api = await startApi({ clock });
const path = "account/apikeys";

interface Secret {
  readonly id: string;
  readonly key?: string;
  readonly expires_at: string;
  readonly last_access: number | null;
  readonly enabled: boolean;
}
type Key = Fields & { readonly id: string; readonly key?: string; readonly secrets: readonly Secret[] };

const create = (fields: Fields = {}, by: Client = api) => by.must<Key>("PUT", path, { name: newId(), ...fields });
const expiring = (fields: Fields = {}) => create({ expiry_duration: "30d", ...fields });
const get = (id: string) => api.must<Key>("GET", `${path}/${id}`);
const add = async (id: string, body?: Fields) =>
  (await api.must<Key>("POST", `${path}/${id}/secrets`, body)).secrets.at(-1)!;
const status = async (key: string) => (await api.client(key).call("GET", "networks")).status;
const inDays = (days: number) => new Date(clock.now() + days * day).toISOString();

describe("a key that expires", () => {
  test("has no string but a secret, whose text is shown once", async () => {
    const made = await expiring();
    expect(made).toMatchObject({ expiry_duration: "30d", last_access: null });
    expect(made).not.toHaveProperty("key");
    expect(made.secrets).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        key: expect.stringMatching(/^[A-Za-z0-9]{20,}$/),
        expires_at: inDays(30),
        last_access: null,
        enabled: true,
      },
    ]);
    const { key: text, ...shown } = made.secrets[0]!;
    const listed = (await api.must<Key[]>("GET", path)).find(({ id }) => id === made.id);
    for (const read of [listed, await get(made.id)]) expect(read).toEqual({ ...made, secrets: [shown] });
    expect((await api.call("GET", `account/activity?resource_id=${made.id}`)).text).not.toContain(text);
  });

  test("is refused like an unknown key once it has expired, also on an open connection", async () => {
    const { secrets } = await expiring({ expiry_duration: "1d" });
    const client = api.client(secrets[0]!.key!);
    expect((await client.call("GET", "networks")).status).toBe(200);
    clock.advance(day - 1000);
    expect((await client.call("GET", "networks")).status).toBe(200);
    clock.advance(1000);
    const [expired, unknown] = [await client.call("GET", "networks"), await api.client("none").call("GET", "networks")];
    expect([expired.status, expired.body["message"]]).toEqual([401, unknown.body["message"]]);
  });

  test("has a second secret besides the first, and no third", async () => {
    const made = await expiring();
    const [first, second] = [made.secrets[0]!, await add(made.id, { expiry_duration: "2d" })];
    expect(second.expires_at).toBe(inDays(2));
    expect([await status(first.key!), await status(second.key!)]).toEqual([200, 200]);
    const third = await api.call("POST", `${path}/${made.id}/secrets`, {});
    expect([third.status, third.body["message"]]).toEqual([400, expect.stringContaining("active secrets")]);
    await api.must("DELETE", `${path}/${made.id}/secrets/${first.id}`);
    expect([await status(first.key!), await status(second.key!)]).toEqual([401, 200]);
    expect((await add(made.id)).expires_at).toBe(inDays(30));
  });

  test("is disabled and enabled secret by secret, with never more than two active", async () => {
    const made = await expiring();
    const of = `${path}/${made.id}/secrets/${made.secrets[0]!.id}`;
    await api.must("POST", of, { enabled: false });
    expect(await status(made.secrets[0]!.key!)).toBe(401);
    const others = [await add(made.id), await add(made.id)];
    expect((await api.call("POST", of, { enabled: true })).status).toBe(400);
    await api.must("DELETE", `${path}/${made.id}/secrets/${others[0]!.id}`);
    await api.must("POST", of, { enabled: true });
    expect(await status(made.secrets[0]!.key!)).toBe(200);
    // the last use is stored after the reply
    await expect.poll(async () => (await get(made.id)).secrets[0]!.last_access).not.toBeNull();
    const before = await get(made.id);
    expect(await api.must("POST", of, {})).toEqual(before);
    const entries = await api.must<Fields[]>("GET", `account/activity?resource_id=${made.id}`);
    expect(entries.map(({ action }) => action)).toEqual([...Array(5).fill("update"), "create"]);
  });

  test("loses expired secrets when it gets another", async () => {
    const made = await expiring({ expiry_duration: "1d" });
    clock.advance(2 * day);
    expect((await get(made.id)).secrets).toHaveLength(1);
    const next = await add(made.id);
    expect((await get(made.id)).secrets.map(({ id }) => id)).toEqual([next.id]);
  });

  test("stores the last use of each secret, and of the key", async () => {
    const made = await expiring();
    const second = await add(made.id);
    await status(second.key!);
    await expect.poll(async () => (await get(made.id)).secrets[1]!.last_access).not.toBeNull();
    const { last_access, secrets } = await get(made.id);
    expect([last_access, secrets[0]!.last_access]).toEqual([secrets[1]!.last_access, null]);
  });

  test("cannot be the only key that manages keys", async () => {
    const stranger = await api.stranger();
    const [own] = await stranger.must<Key[]>("GET", path);
    await create({ expiry_duration: "3650d" }, stranger);
    expect((await stranger.call("DELETE", `${path}/${own!.id}`)).status).toBe(400);
  });

  test("that is sent back as it was read changes nothing; another duration applies to its later secrets", async () => {
    const made = await expiring();
    const { key: _, ...shown } = made.secrets[0]!;
    expect(await api.must("POST", `${path}/${made.id}`, made)).toEqual({ ...made, secrets: [shown] });
    expect((await api.call("POST", `${path}/${made.id}`, { expiry_duration: null })).body).toMatchObject({
      message: "expiry_duration cannot be removed: create a key without it",
    });
    await api.must("POST", `${path}/${made.id}`, { expiry_duration: "5d" });
    expect((await add(made.id)).expires_at).toBe(inDays(5));
    expect(await status(made.secrets[0]!.key!)).toBe(200);
  });

  test("is deleted with its secrets", async () => {
    const made = await expiring();
    await api.must("DELETE", `${path}/${made.id}`);
    expect(await status(made.secrets[0]!.key!)).toBe(401);
  });
});

describe("a key with a string of its own", () => {
  test("is rotated: both strings are valid until the overlap is over", async () => {
    const made = await create();
    const after = await api.must<Key>("POST", `${path}/${made.id}/rotate`, { overlap: "7d" });
    expect(after).toMatchObject({ id: made.id, secrets: [{ expires_at: inDays(7), enabled: true }] });
    expect([await status(made.key!), await status(after.key!)]).toEqual([200, 200]);
    expect(await get(made.id)).toMatchObject({ key: after.key });
    expect((await api.call("POST", `${path}/${made.id}/rotate`, {})).status).toBe(400);
    clock.advance(7 * day);
    expect([await status(made.key!), await status(after.key!)]).toEqual([401, 200]);
  });

  test("is rotated at once without an overlap, with all earlier secrets", async () => {
    const made = await create();
    const second = await api.must<Key>("POST", `${path}/${made.id}/rotate`);
    const third = await api.must<Key>("POST", `${path}/${made.id}/rotate`, { overlap: "0d" });
    expect(await Promise.all([made, second, third].map(({ key }) => status(key!)))).toEqual([401, 401, 200]);
    expect(third).not.toHaveProperty("secrets");
  });

  test("rotates itself and continues with the new string", async () => {
    const stranger = await api.stranger();
    const [own] = await stranger.must<Key[]>("GET", path);
    const { key } = await stranger.must<Key>("POST", `${path}/${own!.id}/rotate`, { overlap: "0d" });
    expect((await stranger.call("GET", path)).status).toBe(401);
    expect((await api.client(key!).call("GET", path)).status).toBe(200);
  });
});

describe("the following is refused:", async () => {
  const [plain, due] = [await create(), await expiring()];
  const cases: [what: string, method: string, to: string, body: Fields | undefined, status: number, message: RegExp][] =
    [
      ...["30", "0d", "-1d", "1.5d", "30 d", "1w", "3651d", "99999d", "0x1d", "٣d"].map(
        (expiry_duration): [string, string, string, Fields, number, RegExp] => [
          `the duration "${expiry_duration}"`,
          ...([
            "PUT",
            path,
            { name: newId(), expiry_duration },
            400,
            /^expiry_duration must be a number of days/,
          ] as const),
        ],
      ),
      ["a duration that is a number", "PUT", path, { name: newId(), expiry_duration: 30 }, 400, /expiry_duration/],
      [
        "an expiry for a key with a string of its own",
        "POST",
        `${path}/${plain.id}`,
        { expiry_duration: "1d" },
        400,
        /only be set when the key is created/,
      ],
      ["a secret for a key with a string of its own", "POST", `${path}/${plain.id}/secrets`, {}, 400, /rotate it/],
      ["the rotation of a key that expires", "POST", `${path}/${due.id}/rotate`, {}, 400, /^the key expires/],
      [
        "an overlap that is not in days",
        "POST",
        `${path}/${plain.id}/rotate`,
        { overlap: "1h" },
        400,
        /^overlap must be/,
      ],
      ["a secret for an unknown key", "POST", `${path}/${newId()}/secrets`, {}, 404, /^api key not found$/],
      ["a change of an unknown secret", "POST", `${path}/${due.id}/secrets/${newId()}`, {}, 404, /^secret not found$/],
      [
        "the deletion of another key's secret",
        "DELETE",
        `${path}/${plain.id}/secrets/${due.secrets[0]!.id}`,
        undefined,
        404,
        / not found$/,
      ],
    ];
  test.for(cases)("%s", async ([, method, to, body, status, message]) => {
    const answer = await api.call(method, to, body);
    expect(answer.body["message"]).toMatch(message);
    expect(answer.status).toBe(status);
  });

  test("changes that yield a key with more rights than the caller, and another account's keys", async () => {
    const limited = await api.limited({ dns: { manage_zones: false } });
    const held = await api.limited({}, { ip_whitelist: ["127.0.0.1"], ip_whitelist_strict: true });
    for (const [method, to] of [
      ["POST", `${plain.id}/rotate`],
      ["POST", `${due.id}/secrets`],
      ["POST", `${due.id}/secrets/${due.secrets[0]!.id}`],
      ["DELETE", `${due.id}/secrets/${due.secrets[0]!.id}`],
    ] as const) {
      const body = method === "POST" ? {} : undefined;
      expect((await limited.call(method, `${path}/${to}`, body)).status).toBe(403);
      expect((await (await api.stranger()).call(method, `${path}/${to}`, body)).status).toBe(404);
      if (!to.includes("/secrets/")) expect((await held.call(method, `${path}/${to}`, body)).status).toBe(403);
    }
  });

  test("enabling a secret of a key that admits more addresses than the caller, but not disabling it", async () => {
    const held = await api.limited({}, { ip_whitelist: ["127.0.0.1"], ip_whitelist_strict: true });
    const [wide, own] = [await expiring(), await expiring({ ip_whitelist: ["127.0.0.1"], ip_whitelist_strict: true })];
    const set = async ({ id, secrets }: Key, enabled: boolean | null) =>
      (await held.call("POST", `${path}/${id}/secrets/${secrets[0]!.id}`, { enabled })).status;
    for (const key of [wide, own]) expect(await set(key, false)).toBe(200);
    expect([await set(wide, true), await set(wide, null), await set(own, true)]).toEqual([403, 403, 200]);
    expect(await status(wide.secrets[0]!.key!)).toBe(401);
  });
});
