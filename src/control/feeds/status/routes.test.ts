/** The state of feeds over HTTP: values with their age, the records that they steer, and the last pushes. */
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { nextPath } from "../../../../test/service/client.ts";
import { mostKept } from "../pushes/recent-store.ts";

const start = 1_900_000_000;
const clock = fakeClock(start * 1000);
const api = await startApi({ clock });
const zone = "feeds.example";
await api.must("PUT", `zones/${zone}`, {});

async function made(config: Fields = {}, fields: Fields = {}, by: Client = api) {
  const source = String((await by.must("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" }))["id"]);
  const feed = async (label: string, more: Fields = {}) =>
    String(
      (await by.must("PUT", `data/feeds/${source}`, { name: label, config: { label, ...config }, ...more }))["id"],
    );
  return { source, first: await feed("first", fields), second: await feed("second", fields) };
}
const status = (source: string, feed: string, by: Client = api) =>
  by.must<Fields>("GET", `data/feeds/${source}/${feed}/status`);
const pushesTo = (source: string, by: Client = api) => by.must<Fields[]>("GET", `data/sources/${source}/pushes`);

describe("the values of a feed", () => {
  test("have the time of the last push, and are fallbacks once they are too old", async () => {
    const { source, first } = await made({}, { max_age: 60, fallback: { up: false, weight: 1 } });
    expect(await status(source, first)).toMatchObject({ pushed_at: null, age: null, stale: true, max_age: 60 });
    await api.must("POST", `feed/${first}`, { up: true });
    const at = Math.floor(clock.now() / 1000);
    clock.advance(59_000);
    const up = { key: "up", pushed: true, at, named: false };
    const weight = { key: "weight", value: 1, from: "fallback", pushed: null, at: null, age: null };
    expect(await status(source, first)).toMatchObject({
      ...{ id: first, source, name: "first", pushed_at: at, age: 59, stale: false },
      values: [{ ...up, value: true, from: "push", age: 59 }, weight],
    });
    clock.advance(1000);
    expect(await status(source, first)).toMatchObject({
      ...{ age: 60, stale: true },
      values: [{ ...up, value: false, from: "fallback", age: 60 }, weight],
    });
  });

  test("that pushes are merged into have the time of the push that had their key", async () => {
    const { source, first } = await made({ merge: true });
    const times: number[] = [];
    for (const table of [{ up: true, weight: 1 }, { weight: 2 }, { note: "x", weight: null }]) {
      await api.must("POST", `feed/${first}`, table);
      times.push(Math.floor(clock.now() / 1000));
      clock.advance(10_000);
    }
    const { values, pushes } = await status(source, first);
    expect(values).toMatchObject([
      { key: "up", at: times[0], age: 30 },
      { key: "note", at: times[2], age: 10 },
    ]);
    expect(pushes).toMatchObject([{ values: { note: "x", weight: null }, merged: true }, {}, {}]);
  });
});

describe("the records that a feed steers", async () => {
  const { source, first, second } = await made();
  const answer = (last: number, meta: Fields = {}) => ({ answer: [`192.0.2.${last}`], meta });
  await api.must("PUT", `zones/${zone}/a.${zone}/A`, {
    answers: [answer(1, { up: { feed: first }, weight: { feed: second } }), answer(2), answer(3, { up: true })],
    regions: { eu: { meta: { priority: { feed: first } } }, us: {} },
    meta: { note: { feed: first } },
  });
  await api.must("PUT", `zones/${zone}/b.${zone}/A`, { answers: [answer(4, { up: { feed: first } })] });

  test("are listed with the answers, regions and keys", async () => {
    const { steers } = await status(source, first);
    expect(steers).toEqual([
      {
        ...{ zone, domain: `a.${zone}`, type: "A", id: expect.any(String), keys: ["note"] },
        answers: [{ id: expect.any(String), answer: ["192.0.2.1"], keys: ["up"] }],
        regions: [{ name: "eu", keys: ["priority"] }],
      },
      expect.objectContaining({ domain: `b.${zone}`, keys: [], regions: [] }),
    ]);
    expect((await status(source, second))["steers"]).toMatchObject([
      { domain: `a.${zone}`, keys: [], answers: [{ keys: ["weight"] }], regions: [] },
    ]);
  });

  test("come in pages", async () => {
    const page = await api.call("GET", `data/feeds/${source}/${first}/status?limit=1`);
    expect(page.body["steers"]).toMatchObject([{ domain: `a.${zone}` }]);
    const next = await api.call("GET", nextPath(page.headers)!);
    expect(next.body["steers"]).toMatchObject([{ domain: `b.${zone}` }]);
    expect(nextPath(next.headers)).toBeUndefined();
  });

  test("are only those that the caller may see", async () => {
    const data = { manage_datafeeds: true };
    const rule = { type: "A", domain: `b.${zone}`, zone, include_subdomains: false };
    const blind = await api.limited({ data, dns: { view_zones: false } });
    const limited = await api.limited({ data, dns: { view_zones: true, records_deny: [rule] } });
    const domains = async (by: Client) =>
      ((await status(source, first, by))["steers"] as Fields[]).map(({ domain }) => domain);
    expect(await domains(blind)).toEqual([]);
    expect(await domains(limited)).toEqual([`a.${zone}`]);
    const other = await api.limited({ data: { manage_datafeeds: false, manage_datasources: false } });
    expect((await other.call("GET", `data/feeds/${source}/${first}/status`)).status).toBe(403);
    expect((await other.call("GET", `data/sources/${source}/pushes`)).status).toBe(403);
  });

  test("are not listed any more once they are gone", async () => {
    await api.must("DELETE", `zones/${zone}/b.${zone}/A`);
    expect((await status(source, first))["steers"]).toMatchObject([{ domain: `a.${zone}` }]);
  });
});

describe("the last pushes", () => {
  test("are listed with their results, by source and by feed", async () => {
    const { source, first, second } = await made();
    await api.must("POST", `feed/${source}`, { first: { up: true } });
    await api.must("POST", `feed/${source}`, { up: false });
    await api.must("POST", `feed/${source}`, { first: { up: true }, second: { up: false } });
    expect((await api.call("POST", `feed/${source}`, { up: "perhaps" })).status).toBe(400);
    expect((await api.call("POST", `feed/${source}`, { third: { up: true } })).status).toBe(400);
    const refused = { result: "refused", feeds: 0, merged: false, octets: 0 };
    const stored = { result: "stored", merged: false, at: clock.now() / 1000 };
    expect(await pushesTo(source)).toEqual(
      [
        { ...refused, at: clock.now() / 1000, message: expect.stringContaining('"third"') },
        { ...refused, at: clock.now() / 1000, message: expect.stringContaining("up") },
        { ...stored, feeds: 2, octets: 23 },
        { ...stored, feeds: 2, octets: 24, values: { up: false } },
        { ...stored, feeds: 1, octets: 11, values: { up: true } },
      ].map((push) => ({ ...push, octets: expect.any(Number) })),
    );
    expect((await status(source, first))["pushes"]).toMatchObject([
      { values: { up: true } },
      { values: { up: false } },
      { values: { up: true } },
    ]);
    expect((await status(source, second))["pushes"]).toMatchObject([
      { values: { up: false } },
      { values: { up: false } },
    ]);
  });

  test("are limited in number, and large values are left out", async () => {
    const { source, first } = await made();
    for (let n = 0; n < mostKept + 5; n++) await api.must("POST", `feed/${first}`, { weight: n });
    await api.must("POST", `feed/${first}`, { more: "x".repeat(1000) });
    const pushes = (await status(source, first))["pushes"] as Fields[];
    expect(pushes).toHaveLength(mostKept);
    expect(pushes[0]).toMatchObject({ octets: 1011 });
    expect(pushes[0]).not.toHaveProperty("values");
    expect(pushes[1]).toMatchObject({ values: { weight: mostKept + 4 } });
  });

  test("of another account are as if they did not exist", async () => {
    const { source, first } = await made();
    const other = await api.stranger();
    expect((await other.call("GET", `data/sources/${source}/pushes`)).body["message"]).toBe("source not found");
    expect((await other.call("GET", `data/feeds/${source}/${first}/status`)).body["message"]).toBe("source not found");
  });
});
