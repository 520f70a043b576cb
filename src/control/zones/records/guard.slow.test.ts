/** Deletions of a large share, in one request or in many, require a confirmation. */
import { expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { type Answer, type Fields, startApi } from "../../../../test/service/api.ts";

const clock = fakeClock();
const api = await startApi({ clock });
const answers = [{ answer: ["192.0.2.1"] }];
let zones = 0;

async function zoneOf(count: number) {
  const zone = `g${++zones}.example`;
  const names = Array.from({ length: count }, (_, i) => ({ domain: `r${i}.${zone}`, type: "A" }));
  await api.must("PUT", `zones/${zone}`, {});
  await api.must("POST", `zones/${zone}/records`, { put: names.map((name) => ({ ...name, answers })) });
  return { zone, names, path: `zones/${zone}/records` };
}

const outcome = ({ status, body }: Answer) => [status, body["message"]];

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

test("deleting records one by one within ten minutes requires a confirmation", async () => {
  const { zone, names, path } = await zoneOf(119);
  const remove = ({ domain }: { domain: string }, query = "") =>
    api.call<Fields>("DELETE", `zones/${zone}/${domain}/A${query}`);
  await api.must("POST", path, { remove: names.slice(0, 99) });
  expect((await remove(names[99]!)).status).toBe(200);
  expect(outcome(await remove(names[100]!))).toEqual([
    409,
    `this deletes 101 of 120 records of the zone ${zone}, 100 of them in the last ten minutes; to confirm, send confirm_deletions=true`,
  ]);
  expect((await remove(names[100]!, "?confirm_deletions=true")).status).toBe(200);
  expect((await remove(names[101]!)).status).toBe(409);
  clock.advance(600_000);
  expect((await remove(names[101]!)).status).toBe(200);
});

test("restoring a version without most records, or a change set that deletes them, requires a confirmation", async () => {
  const { zone, names, path } = await zoneOf(1);
  const { id } = await api.must("PUT", `zones/${zone}/versions`);
  const put = Array.from({ length: 200 }, (_, i) => ({ domain: `n${i}.${zone}`, type: "A", answers }));
  await api.must("POST", path, { put });
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

test("deleting many of an account's zones, one by one or together, requires a confirmation", async () => {
  const stranger = await api.stranger();
  const names = Array.from({ length: 30 }, (_, i) => `many${i}.example`);
  await stranger.must("PUT", "changesets", { zones: names.map((zone) => ({ action: "create", zone })) });
  const remove = (some: readonly string[], query = "") =>
    stranger.call<Fields>("PUT", `changesets${query}`, { zones: some.map((zone) => ({ action: "delete", zone })) });
  expect(outcome(await remove(names.slice(0, 11)))).toEqual([
    409,
    "this deletes 11 of 30 zones of the account; to confirm, send confirm_deletions=true",
  ]);
  for (const zone of names.slice(0, 10)) await stranger.must("DELETE", `zones/${zone}`);
  expect((await stranger.call("DELETE", `zones/${names[10]}`)).status).toBe(409);
  expect((await remove(names.slice(10), "?confirm_deletions=true")).status).toBe(200);
});

test("created records and zones offset deleted ones", async () => {
  const { zone, names, path } = await zoneOf(90);
  const [remove, put] = [names, names.map((name) => ({ ...name, answers }))];
  await api.must("POST", path, { remove });
  await api.must("POST", path, { put });
  await api.must("POST", path, { remove });
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
