/** The cells of feeds: edges get only keys that records name, and an account has a limit of its own. */
import { expect, test } from "vitest";
import { type Api, type Client, type Fields, startApi } from "../../../test/service/api.ts";
import type { LiveValue } from "../../sync/live.ts";

const api = await startApi();
const zone = "example.com";
await api.must("PUT", `zones/${zone}`, { zone });

/** A source of the client with one feed for each label. */
async function source(by: Client, ...labels: string[]): Promise<{ id: string; feeds: string[] }> {
  const { id } = await by.must("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" });
  const made = labels.map((label) => by.must("PUT", `data/feeds/${id}`, { name: "f", config: { label } }));
  return { id: String(id), feeds: (await Promise.all(made)).map((feed) => String(feed["id"])) };
}

/** The states of a feed that edges have received, oldest first. */
async function published({ store }: Api, feed_id: string): Promise<LiveValue["data"][]> {
  const rows = await store.db.selectFrom("live_change").select("body").orderBy("revision").execute();
  const values = rows.flatMap(({ body }): LiveValue[] => JSON.parse(body).values);
  return values.filter((value) => value.feed_id === feed_id).map(({ data }) => data);
}

const named = (name: string, meta: Fields) =>
  api.must("PUT", `zones/${zone}/${name}.${zone}/A`, { answers: [{ answer: ["192.0.2.1"], meta }] });

test("edges get the keys of a feed that records name, each with the first record that names it", async () => {
  const { id, feeds } = await source(api, "a");
  const [feed = ""] = feeds;
  const meaningless = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`key${n}`, n]));
  const pushed = { ...meaningless, up: false, weight: 3, loadAvg: 0.5 };
  await api.must("POST", `feed/${id}`, pushed);
  expect(await published(api, feed)).toEqual([]);
  expect((await api.must("GET", `data/feeds/${id}/${feed}`))["data"]).toEqual(pushed);
  await named("one", { up: { feed } });
  expect(await published(api, feed)).toEqual([{ up: false }]);
  await named("two", { up: { feed } });
  expect(await published(api, feed)).toHaveLength(1);
  await named("three", { loadavg: { feed } });
  expect((await published(api, feed)).at(-1)).toEqual({ up: false, loadAvg: 0.5 });
  await api.must("POST", `feed/${id}`, { up: true, key1: 1, weight: 4 });
  await expect.poll(async () => (await published(api, feed)).at(-1)).toEqual({ up: true });
});

test("a fallback is published with the record that names its key", async () => {
  const { id, feeds } = await source(api, "a");
  const [feed = ""] = feeds;
  await api.must("POST", `data/feeds/${id}/${feed}`, { fallback: { up: false, other: 1 } });
  await named("fallback", { up: { feed } });
  const bodies = await api.store.db.selectFrom("live_change").select("body").orderBy("revision").execute();
  const last: LiveValue[] = JSON.parse(bodies.at(-1)!.body).values;
  expect(last).toMatchObject([{ feed_id: feed, data: {}, fallback: { up: false } }]);
  expect(last[0]!.fallback).toEqual({ up: false });
});

/** A value of many cells. */
const ip_prefixes = Array.from({ length: 1000 }, (_, n) => `100.${100 + (n >> 8)}.${100 + (n & 127)}.0/24`);

test("only a push that would exceed the account's cells is refused, with the account and its limit", async () => {
  const stranger = await api.stranger();
  const labels = Array.from({ length: 180 }, (_, n) => `f${n}`);
  const { id, feeds } = await source(stranger, ...labels);
  const tables = (from: number, to: number) =>
    Object.fromEntries(labels.slice(from, to).map((label) => [label, { ip_prefixes, up: true }]));
  await stranger.must("POST", `feed/${id}`, tables(0, 50));
  await stranger.must("POST", `feed/${id}`, tables(50, 100));
  await stranger.must("POST", `feed/${id}`, tables(100, 150));
  // each of the two would fit: together they do not, and one is stored
  const both = await Promise.all(
    [150, 165].map((from) => stranger.call("POST", `feed/${id}`, tables(from, from + 15))),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 507]);
  const refused = both.find(({ status }) => status === 507)!;
  expect(refused.body["message"]).toMatch(/account [0-9a-f]+ would exceed its limit of 50000/);
  expect(refused.body["details"]).toEqual({ account: expect.any(String), limit: 50_000 });
  const empty = both[0] === refused ? feeds[150]! : feeds[165]!;
  // keys that records cannot name take no cells, and a push that takes no more cells than before is always stored
  await stranger.must("POST", `feed/${empty}`, { meaningless: ip_prefixes });
  await stranger.must("POST", `feed/${feeds[0]}`, { ip_prefixes: ip_prefixes.toReversed(), up: false });
  const at = feeds.indexOf(empty);
  const statuses: number[] = [];
  for (const feed of feeds.slice(at, at + 4)) {
    statuses.push((await stranger.call("POST", `data/feeds/${id}/${feed}`, { fallback: { ip_prefixes } })).status);
  }
  expect(statuses).toEqual([200, 200, 507, 507]);
  // a deleted feed gives its cells back
  await stranger.must("DELETE", `data/feeds/${id}/${feeds[0]}`);
  await stranger.must("POST", `feed/${empty}`, { up: true });
  // other accounts are not concerned, and the first account has no limit of its own
  const victim = await source(api, "a");
  await api.must("POST", `feed/${victim.id}`, { up: false });
});

test("the sum of an account's cells follows pushes, settings and deletions", async () => {
  const { db } = api.store;
  const sums = async () => {
    const kept = await db.selectFrom("account_cells").select(["account_id", "cells"]).where("cells", "<>", 0).execute();
    const counted = await db
      .selectFrom("feed")
      .select(["account_id", ({ fn }) => fn.sum<string>("cells").as("cells")])
      .groupBy("account_id")
      .execute();
    const mapOf = (rows: readonly { account_id: string; cells: number | string }[]) =>
      new Map(rows.map(({ account_id, cells }) => [account_id, Number(cells)]));
    return [mapOf(kept), mapOf(counted.filter(({ cells }) => Number(cells) > 0))];
  };
  const { id, feeds } = await source(api, "a", "b");
  await api.must("POST", `feed/${id}`, { up: true, note: "x".repeat(200), other: 1 });
  const [feed] = await db.selectFrom("feed").select("cells").where("id", "=", feeds[0]!).execute();
  expect(feed).toEqual({ cells: 1 + 4 });
  await api.must("POST", `data/feeds/${id}/${feeds[0]}`, { fallback: { up: false } });
  await api.must("DELETE", `data/feeds/${id}/${feeds[1]}`);
  const [kept, counted] = await sums();
  expect(kept).toEqual(counted);
});
