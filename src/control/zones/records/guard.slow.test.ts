/** Deletions of a large share require a confirmation: in one request, and in sessions also one by one. */
import { expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { type Answer, type Fields, startApi } from "../../../../test/service/api.ts";
import { signedIn } from "../../../../test/service/browser.ts";

const clock = fakeClock(Date.now());
const api = await startApi({ clock });
// before the clock is advanced: the invitation is made by the real clock
const { page } = await signedIn(api);
const answers = [{ answer: ["192.0.2.1"] }];
let zones = 0;

/** A zone with this many A records and its NS record, all older than the guard's window. */
async function zoneOf(count: number) {
  const zone = `g${++zones}.example`;
  const names = Array.from({ length: count }, (_, i) => ({ domain: `r${i}.${zone}`, type: "A" }));
  await api.must("PUT", `zones/${zone}`, {});
  await api.must("POST", `zones/${zone}/records`, { put: names.map((name) => ({ ...name, answers })) });
  clock.advance(600_000);
  return { zone, names, path: `zones/${zone}/records` };
}

const outcome = ({ status, body }: Answer) => [status, body["message"]];

test("a session, and a key that wants it, needs a confirmation to delete records one by one", async () => {
  for (const client of [page, await api.limited({}, { deletion_guard: "single" })]) {
    const { zone, names, path } = await zoneOf(119);
    const at = ({ domain }: { domain: string }) => `zones/${zone}/${domain}/A`;
    const remove = (name: { domain: string }, query = "") => client.call<Fields>("DELETE", `${at(name)}${query}`);
    await client.must("POST", path, { remove: names.slice(0, 99) });
    expect((await remove(names[99]!)).status).toBe(200);
    const message = (part: string) => `${part}; to confirm, send confirm_deletions=true`;
    expect(outcome(await remove(names[100]!))).toEqual([
      409,
      message(`this deletes 101 of 120 records of the zone ${zone}, 100 of them in the last ten minutes`),
    ]);
    const last = await client.call<Fields>("POST", `${at(names[100]!)}/answers`, { remove: answers });
    expect([last.status, (await api.call("GET", at(names[100]!))).status]).toEqual([409, 200]);
    expect((await remove(names[100]!, "?confirm_deletions=true")).status).toBe(200);
    expect((await remove(names[101]!)).status).toBe(409);
    clock.advance(600_000);
    expect((await remove(names[101]!)).status).toBe(200);
  }
});

test("deleting many records of a zone in one request requires a confirmation", async () => {
  const { zone, names, path } = await zoneOf(399);
  expect(outcome(await api.call("POST", path, { remove: names.slice(0, 121) }))).toEqual([
    409,
    `this deletes 121 of 400 records of the zone ${zone}; to confirm, send confirm_deletions=true`,
  ]);
  expect((await api.call("POST", path, { remove: names.slice(0, 120) })).status).toBe(200);
  clock.advance(600_000);
  expect((await api.call("POST", `${path}?confirm_deletions=true`, { remove: names.slice(120) })).status).toBe(200);
});

test("a key deletes all zones and records one by one, and what it deletes does not count against one request", async () => {
  const { zone, names, path } = await zoneOf(250);
  for (const { domain } of names.slice(0, 150)) await api.must("DELETE", `zones/${zone}/${domain}/A`);
  await api.must("POST", path, { remove: names.slice(150, 151) });
  await api.must("POST", path, { remove: names.slice(151) });
  const stranger = await api.stranger();
  const all = Array.from({ length: 30 }, (_, i) => `single${i}.example`);
  await stranger.must("PUT", "changesets", { zones: all.map((name) => ({ action: "create", zone: name })) });
  clock.advance(600_000);
  for (const name of all) await stranger.must("DELETE", `zones/${name}`);
});

test("an account or a key can guard single deletions, or no deletion", async () => {
  const account = await api.stranger();
  const all = Array.from({ length: 60 }, (_, i) => `scope${i}.example`);
  await account.must("PUT", "changesets", { zones: all.map((name) => ({ action: "create", zone: name })) });
  clock.advance(600_000);
  const set = (deletion_guard: unknown) => account.call("POST", "account/settings", { deletion_guard });
  const removal = (client: typeof account) => client.call<Fields>("DELETE", `zones/${all.pop()}`);
  expect((await set("some")).body["message"]).toContain("deletion_guard");
  expect((await set("single")).body["deletion_guard"]).toBe("single");
  for (let n = 0; n < 18; n++) expect((await removal(account)).status).toBe(200);
  expect((await removal(account)).status).toBe(409);
  const key = await account.must("PUT", "account/apikeys", { name: "cleaner", deletion_guard: "off" });
  expect(key).toMatchObject({ deletion_guard: "off" });
  expect((await removal(api.client(String(key["key"])))).status).toBe(200);
  expect((await set("off")).status).toBe(200);
  expect((await removal(account)).status).toBe(200);
  const reset = await set(null);
  expect([reset.status, reset.body["deletion_guard"]]).toEqual([200, undefined]);
  const many = { zones: all.splice(0, 20).map((name) => ({ action: "delete", zone: name })) };
  expect((await account.call("PUT", "changesets", many)).status).toBe(409);
  const id = String(key["id"]);
  expect(await account.must("POST", `account/apikeys/${id}`, { deletion_guard: null })).not.toHaveProperty(
    "deletion_guard",
  );
});

test("--deletion-guard PERCENT/single guards single deletions by keys", async () => {
  const strict = await startApi({ clock, deletionGuard: 0, guardsSingle: true });
  const all = Array.from({ length: 12 }, (_, i) => `strict${i}.example`);
  for (const name of all) await strict.must("PUT", `zones/${name}`, {});
  clock.advance(600_000);
  for (const name of all.slice(0, 10)) await strict.must("DELETE", `zones/${name}`);
  expect((await strict.call("DELETE", `zones/${all[10]}`)).status).toBe(409);
});

test("things that were created within ten minutes can be deleted", async () => {
  const { zone, names, path } = await zoneOf(10);
  const put = Array.from({ length: 200 }, (_, i) => ({ domain: `new${i}.${zone}`, type: "A", answers }));
  const remove = [...put, ...names].map(({ domain, type }) => ({ domain, type }));
  await api.must("POST", path, { put });
  await api.must("POST", path, { remove });
});

test("restoring a version without most records, or a change set that deletes them, requires a confirmation", async () => {
  const { zone, names, path } = await zoneOf(1);
  const { id } = await api.must("PUT", `zones/${zone}/versions`);
  const put = Array.from({ length: 200 }, (_, i) => ({ domain: `n${i}.${zone}`, type: "A", answers }));
  await api.must("POST", path, { put });
  clock.advance(600_000);
  const records = put.slice(0, 150).map(({ domain, type }) => ({ action: "delete", zone, domain, type }));
  for (const [method, at, body] of [
    ["POST", `zones/${zone}/versions/${id}/activate`, undefined],
    ["PUT", "changesets", { records }],
  ] as const) {
    expect((await api.call(method, at, body)).status).toBe(409);
  }
  expect((await api.call("PUT", "changesets?confirm_deletions=true", { records })).status).toBe(200);
  expect(names).toHaveLength(1);
});

test("deleting many of an account's zones together requires a confirmation", async () => {
  const stranger = await api.stranger();
  const names = Array.from({ length: 30 }, (_, i) => `many${i}.example`);
  await stranger.must("PUT", "changesets", { zones: names.map((zone) => ({ action: "create", zone })) });
  clock.advance(600_000);
  const remove = (some: readonly string[], query = "") =>
    stranger.call<Fields>("PUT", `changesets${query}`, { zones: some.map((zone) => ({ action: "delete", zone })) });
  expect(outcome(await remove(names.slice(0, 11)))).toEqual([
    409,
    "this deletes 11 of 30 zones of the account; to confirm, send confirm_deletions=true",
  ]);
  expect((await remove(names.slice(0, 6))).status).toBe(200);
  expect(outcome(await remove(names.slice(6, 12)))).toEqual([
    409,
    "this deletes 12 of 30 zones of the account, 6 of them in the last ten minutes; to confirm, send confirm_deletions=true",
  ]);
  expect((await remove(names.slice(6), "?confirm_deletions=true")).status).toBe(200);
});

test("created records and zones offset deleted ones", async () => {
  const { zone, names, path } = await zoneOf(150);
  const [remove, put] = [names.slice(0, 90), names.slice(0, 90).map((name) => ({ ...name, answers }))];
  await api.must("POST", path, { remove });
  await api.must("POST", path, { put });
  await api.must("POST", path, { remove: names.slice(90) });
  const one = `zones/${zone}/challenge.${zone}/A`;
  for (let n = 0; n < 15; n++) {
    await api.must("PUT", one, { answers });
    await api.must("DELETE", one);
  }
  const stranger = await api.stranger();
  for (let n = 0; n < 13; n++) {
    await stranger.must("PUT", "zones/again.example", {});
    await stranger.must("DELETE", "zones/again.example");
  }
});

test("a refused deletion is not counted", async () => {
  const { zone, names, path } = await zoneOf(110);
  const remove = [...names.slice(0, 90), { domain: `none.${zone}`, type: "A" }];
  for (let n = 0; n < 3; n++) expect((await api.call("POST", path, { remove })).status).toBe(404);
  expect((await api.call("POST", path, { remove: names.slice(0, 90) })).status).toBe(200);
});
