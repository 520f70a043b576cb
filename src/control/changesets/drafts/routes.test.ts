/** Drafts: change sets that a user has begun. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { type Browser, type Invited, signedIn } from "../../../../test/service/browser.ts";
import { masterKeys, secretsFrom } from "../../../lib/secrets.ts";
import { rotate } from "../../../storage/secrets/sealed.ts";
import { limits } from "../../kit/limits.ts";
import { draftDays } from "./schema.ts";
import { trimDrafts } from "./store.ts";

const api = await startApi();
const secrets = secretsFrom(masterKeys(join(api.directory, "master.key")));
const { db } = api.store;
const { page: ann } = await signedIn(api);

const record = (domain: string, text = "v=spf1 -all") => ({
  ...{ action: "put", zone: "drafted.example", domain, type: "TXT", ttl: 60 },
  answers: [{ answer: [text] }],
});
const writes = { zones: [{ action: "update", zone: "other.example", ttl: 7 }], records: [record("drafted.example")] };
const stored = (id: unknown) => db.selectFrom("draft").selectAll().where("id", "=", String(id)).executeTakeFirst();

test("a user makes, lists, reads, changes and deletes a draft", async () => {
  const made = await ann.must("PUT", "drafts", { name: "Mail", ...writes });
  const { id, created_at } = made;
  const head = { id, name: "Mail", zone_names: ["drafted.example", "other.example"], writes: 2, created_at };
  const times = { updated_at: created_at, expires_at: Number(created_at) + draftDays * 86_400 };
  expect(made).toEqual({ ...head, ...times, ...writes, expect: [] });
  expect(await ann.must("GET", "drafts")).toEqual([{ ...head, ...times }]);
  expect(await ann.must("GET", `drafts/${id}`)).toEqual(made);
  const from = [{ zone: "drafted.example", serial: 7 }];
  const changed = await ann.must("POST", `drafts/${id}`, { name: "Post", zones: null, expect: from });
  expect(changed).toMatchObject({ id, name: "Post", zones: [], records: writes.records, expect: from, writes: 1 });
  await ann.must("DELETE", `drafts/${id}`);
  expect(await ann.must("GET", "drafts")).toEqual([]);
  expect((await ann.call("GET", `drafts/${id}`)).status).toBe(404);
});

test("a draft is a body of a change set, and shows a conflict when it is applied", async () => {
  const zone = "drafted.example";
  const { serials } = await api.numbered(await api.call("PUT", `zones/${zone}`, {}));
  const from = [{ zone, serial: Object.values(serials)[0]! }];
  const { id } = await ann.must("PUT", "drafts", { name: "d", records: [record(zone)], expect: from });
  const apply = async () => {
    const { zones, records, expect } = await ann.must("GET", `drafts/${id}`);
    return await ann.call("PUT", "changesets", { zones, records, expect });
  };
  expect((await apply()).status).toBe(200);
  expect(await api.must("GET", `zones/${zone}/${zone}/TXT`)).toMatchObject({ answers: [{ answer: ["v=spf1 -all"] }] });
  await expect.poll(async () => (await apply()).status).toBe(412);
});

test("of two pages that change a draft, the later one is told", async () => {
  const { id } = await ann.must("PUT", "drafts", { name: "two" });
  const etag = (await ann.call("GET", `drafts/${id}`)).headers.get("etag") ?? "";
  const save = (name: string) => ann.call("POST", `drafts/${id}`, { name }, { "If-Match": etag });
  expect((await save("first")).status).toBe(200);
  expect((await save("second")).status).toBe(412);
});

test("nobody but the user has the draft: no key, and no other user of the account", async () => {
  const { id } = await ann.must("PUT", "drafts", { name: "mine" });
  const { page: bob } = await signedIn(api);
  for (const [method, path, body] of [
    ["GET", `drafts/${id}`],
    ["POST", `drafts/${id}`, { name: "theirs" }],
    ["DELETE", `drafts/${id}`],
  ] as const) {
    expect((await bob.call(method, path, body)).status).toBe(404);
    expect(await api.call(method, path, body)).toMatchObject({
      status: 403,
      body: { message: "drafts belong to users: sign in; an API key has none" },
    });
  }
  expect(await bob.must("GET", "drafts")).toEqual([]);
  expect((await api.call("GET", "drafts")).status).toBe(403);
  expect((await api.call("PUT", "drafts", { name: "of a key" })).status).toBe(403);
});

test("a user who may not manage zones can read and delete drafts only", async () => {
  const { page } = await signedIn(api, { permissions: { dns: { view_zones: true, manage_zones: false } } });
  expect((await page.call("PUT", "drafts", { name: "no" })).status).toBe(403);
  expect(await page.must("GET", "drafts")).toEqual([]);
});

test("the writes are sealed, and move to another master key", async () => {
  const { id } = await ann.must("PUT", "drafts", { name: "secret", records: [record("drafted.example", "hidden")] });
  const before = await stored(id);
  expect(JSON.stringify(before)).not.toContain("hidden");
  await rotate(api.store, secrets);
  expect((await stored(id))?.content).not.toBe(before?.content);
  expect(await ann.must("GET", `drafts/${id}`)).toMatchObject({ records: [{ answers: [{ answer: ["hidden"] }] }] });
});

test("a draft is in no activity entry, and is no change", async () => {
  const entries = () => db.selectFrom("activity").select("id").execute();
  const before = (await entries()).length;
  const answer = await ann.call("PUT", "drafts", { name: "quiet", ...writes });
  expect(answer.headers.get("x-fairlead-change")).toBeNull();
  expect((await entries()).length).toBe(before);
});

describe("limits", () => {
  /** Rows of a user that count as so many octets together. */
  async function fill({ account_id, id: user_id }: Invited, count: number, octets: number) {
    const common = { account_id, user_id, name: "", zones: "[]", writes: 0, octets: Math.floor(octets / count) };
    const times = { created_at: 1, updated_at: 2 ** 31 };
    const rows = Array.from({ length: count }, (_, n) => ({ ...common, ...times, id: `${user_id} ${n}`, content: "" }));
    await db.insertInto("draft").values(rows).execute();
  }
  const mebi = 1024 * 1024;
  const make = async (page: Browser, fields: Fields = {}) => {
    const { status, body } = await page.call("PUT", "drafts", { name: "one more", ...fields });
    return status === 200 ? "made" : body["message"];
  };

  test("a user has a limited number of drafts, and another user makes some meanwhile", async () => {
    const { page, user } = await signedIn(api);
    await fill(user, limits.drafts, 0);
    expect(await make(page)).toBe(`you can have at most ${limits.drafts} drafts: delete some`);
    const { page: other } = await signedIn(api);
    expect(await make(other)).toBe("made");
  });

  test("a user has a limited size of drafts, and another user makes some meanwhile", async () => {
    const { page, user } = await signedIn(api);
    await fill(user, 1, limits.draftMegabytes * mebi - 2000);
    expect(await make(page)).toBe("made");
    expect(await make(page)).toBe("your drafts can have at most 8 MiB together: delete some");
    const { page: other } = await signedIn(api);
    expect(await make(other)).toBe("made");
  });

  test("the users of an account have a limited size of drafts, and another account makes some meanwhile", async () => {
    await api.stranger();
    const [account] = await db.selectFrom("account").select("id").orderBy("created").execute();
    const crowd = await Promise.all([1, 2].map(() => signedIn(api, { account_id: account!.id })));
    await fill(crowd[0]!.user, 1, limits.accountDraftMegabytes * mebi);
    expect(await make(crowd[1]!.page)).toMatch(/^the drafts of all users of the account can have at most 64 MiB/);
    expect(await make(ann)).toBe("made");
  });

  test("a body that is too large is refused", async () => {
    const records = [record("drafted.example", "x".repeat(2 * mebi))];
    expect((await ann.call("PUT", "drafts", { name: "large", records })).status).toBe(413);
  });
});

test("a draft goes 30 days after its last change", async () => {
  const { id } = await ann.must("PUT", "drafts", { name: "old" });
  const { updated_at } = (await stored(id))!;
  await trimDrafts(db, updated_at);
  expect(await stored(id)).toBeDefined();
  await trimDrafts(db, updated_at + 1);
  expect(await stored(id)).toBeUndefined();
});

test("a draft goes with its user", async () => {
  const { page, user: gone } = await signedIn(api);
  const { id } = await page.must("PUT", "drafts", { name: "gone" });
  await api.must("DELETE", `account/users/${gone.username}`);
  expect(await stored(id)).toBeUndefined();
});
