/** Saved views: small settings of a user for pages. */
import { expect, test } from "vitest";
import { startApi } from "../../../../test/service/api.ts";
import { signedIn } from "../../../../test/service/browser.ts";
import { limits } from "../../kit/limits.ts";

const api = await startApi();
const { page: ann } = await signedIn(api);
const body = { name: "Failing", page: "zones", settings: { filter: "status=error", columns: ["zone", "serial"] } };

test("a user saves, lists, changes and deletes a view", async () => {
  const made = await ann.must("PUT", "views", body);
  expect(made).toMatchObject(body);
  await ann.must("PUT", "views", { ...body, page: "feeds" });
  expect(await ann.must("GET", "views?page=zones")).toEqual([made]);
  const path = `views/${made["id"]}`;
  expect(await ann.must("POST", path, { settings: { b: 1, a: 2 } })).toMatchObject({
    ...body,
    settings: { b: 1, a: 2 },
  });
  expect(Object.keys((await ann.must<{ settings: object }>("GET", path)).settings)).toEqual(["b", "a"]);
  await ann.must("DELETE", path);
  expect((await ann.call("GET", path)).status).toBe(404);
});

test("nobody else sees it", async () => {
  const { id } = await ann.must("PUT", "views", body);
  const { page: bob } = await signedIn(api);
  for (const [method, sent] of [["GET"], ["POST", { name: "theirs" }], ["DELETE"]] as const) {
    expect((await bob.call(method, `views/${id}`, sent)).status).toBe(404);
    expect((await api.call(method, `views/${id}`, sent)).status).toBe(403);
  }
  expect(await bob.must("GET", "views")).toEqual([]);
});

test("settings are small, and a user has a limited number of views while another user saves some", async () => {
  const large = await ann.call("PUT", "views", { ...body, settings: { text: "x".repeat(4096) } });
  expect([large.status, large.body["message"]]).toEqual([400, expect.stringMatching(/^settings: at most 4096 octets/)]);
  const { page, user } = await signedIn(api);
  const { account_id, id: user_id } = user;
  const row = { account_id, user_id, name: "n", page: "p", settings: "{}", created_at: 1, updated_at: 1 };
  const rows = Array.from({ length: limits.views }, (_, n) => ({ ...row, id: `${user_id} ${n}` }));
  await api.store.db.insertInto("saved_view").values(rows).execute();
  const full = await page.call("PUT", "views", body);
  expect([full.status, full.body["message"]]).toEqual([400, "you can have at most 100 saved views: delete some"]);
  await ann.must("PUT", "views", body);
});

test("a view goes with its user", async () => {
  const { page, user } = await signedIn(api);
  await page.must("PUT", "views", body);
  await api.must("DELETE", `account/users/${user.username}`);
  const left = api.store.db.selectFrom("saved_view").select("id").where("user_id", "=", user.id);
  expect(await left.execute()).toEqual([]);
});
