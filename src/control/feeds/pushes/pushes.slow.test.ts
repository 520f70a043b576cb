/** Pushes over HTTP: the values they store, the stream of live values, and many pushes at once. */
import { describe, expect, test } from "vitest";
import { atEnd } from "../../../../test/machine/at-end.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { LiveMirror } from "../../../../test/service/feeds.ts";
import { silent } from "../../../../test/store/store.ts";
import { systemClock } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import type { LiveValue } from "../../../sync/live.ts";
import { followLivePostgres } from "../../../sync/postgres/live.ts";
import { Pushes } from "./pushes.ts";
import { RecentPushes } from "./recent.ts";

const api = await startApi();
const { id: account_id } = await api.store.db.selectFrom("account").select("id").executeTakeFirstOrThrow();

/** A source with feeds of these labels, in this order. */
async function source(...labels: string[]) {
  const made = await api.must("PUT", "data/sources", { name: newId(), sourcetype: "nsone_v1" });
  const id = String(made["id"]);
  const feeds: string[] = [];
  for (const label of labels) feeds.push(await feed(id, { config: { label } }));
  return { id, feeds };
}

/** A feed whose keys are published as if a record named them. */
async function feed(source_id: string, fields: Fields): Promise<string> {
  const id = String((await api.must("PUT", `data/feeds/${source_id}`, { name: "f", ...fields }))["id"]);
  await api.store.db
    .updateTable("feed")
    .set({ named: ["up", "weight"] })
    .where("id", "=", id)
    .execute();
  return id;
}

/** More feeds of the same source with the same label. */
async function insertMore(like: string, count: number): Promise<string[]> {
  const row = await api.store.db.selectFrom("feed").selectAll().where("id", "=", like).executeTakeFirstOrThrow();
  const { cells: _, ...fields } = { ...row, config: "{}", data: "{}", fallback: null };
  const more = Array.from({ length: count }, () => ({ ...fields, id: newId() }));
  await api.store.db.insertInto("feed").values(more).execute();
  return more.map(({ id }) => id);
}

const push = (id: string, payload: unknown) => api.call("POST", `feed/${id}`, payload);
const shown = async (id: string) => (await api.must<Fields[]>("GET", `data/feeds/${id}`)).map((one) => one["data"]);

/** All values in the stream, oldest first. */
async function live(): Promise<LiveValue[]> {
  const rows = await api.store.db.selectFrom("live_change").select("body").orderBy("revision").execute();
  return rows.flatMap(({ body }) => JSON.parse(body).values);
}
const liveOf = async (feed_id: string) => (await live()).filter((value) => value.feed_id === feed_id);

/** Another process, which ends before it publishes deferred values. */
const recent = new RecentPushes({ store: api.store, clock: systemClock, log: silent });
atEnd(() => recent.close());
const ended = new Pushes({
  ...{ store: api.store, clock: systemClock, recent },
  deferred: { isQuiet: () => false, published: () => {}, add: () => {} },
});
const notes = () => api.store.db.selectFrom("deferred_feeds").select("id").execute();

describe("a merging push", () => {
  const merge = (id: string, payload: unknown) => push(`${id}?merge=true`, payload);

  test("keeps the values of keys that it does not have, and removes keys with null", async () => {
    const { id } = await source("a", "b");
    await push(id, { up: true, weight: 1, note: "x" });
    await merge(id, { weight: 2, a: { up: false }, b: { note: null } });
    expect(await shown(id)).toEqual([
      { up: false, weight: 2, note: "x" },
      { up: true, weight: 2 },
    ]);
    await merge(id, { weight: null, a: { weight: 7 } });
    expect(await shown(id)).toEqual([{ up: false, note: "x", weight: 7 }, { up: true }]);
    await push(id, { weight: 3 });
    expect(await shown(id)).toEqual([{ weight: 3 }, { weight: 3 }]);
  });

  test("treats both spellings of a key as one", async () => {
    const { id } = await source("a");
    await push(id, { loadavg: 1, up: true });
    await merge(id, { loadAvg: 2 });
    expect(await shown(id)).toEqual([{ up: true, loadAvg: 2 }]);
  });

  test("is the rule of a feed with merge in its configuration, unless the push says otherwise", async () => {
    const { id, feeds } = await source("a", "b");
    await push(id, { up: true });
    await api.must("POST", `data/feeds/${id}/${feeds[0]}`, { config: { label: "a", merge: true } });
    await push(id, { weight: 1 });
    expect(await shown(id)).toEqual([{ up: true, weight: 1 }, { weight: 1 }]);
    await push(`${id}?merge=false`, { weight: 2 });
    expect(await shown(id)).toEqual([{ weight: 2 }, { weight: 2 }]);
    await api.must("POST", `data/feeds/${id}/${feeds[0]}`, { config: { label: "a" } });
    await push(id, { up: false });
    expect(await shown(id)).toEqual([{ up: false }, { up: false }]);
  });

  test("at the same moment as others loses none of them", async () => {
    const { id } = await source("a");
    await push(id, { up: true });
    const keys = ["weight", "priority", "cost", "connections", "requests", "high_watermark", "low_watermark"];
    await Promise.all(keys.map((key, i) => merge(id, { [key]: i })));
    expect(await shown(id)).toEqual([{ up: true, ...Object.fromEntries(keys.map((key, i) => [key, i])) }]);
    // in one transaction, a replacing push between merging ones counts for those after it
    await Promise.all([merge(id, { weight: 1 }), push(id, { cost: 5 }), merge(id, { priority: 2 })]);
    expect(await shown(id)).toEqual([{ cost: 5, priority: 2 }]);
  });

  test("sends the whole table to edges", async () => {
    const { id, feeds } = await source("a");
    await push(id, { up: true, weight: 1 });
    await merge(id, { weight: 2 });
    await expect.poll(async () => (await liveOf(feeds[0]!)).at(-1)?.data).toEqual({ up: true, weight: 2 });
  });

  test("that would make a table too large is refused, and others beside it are stored", async () => {
    const { id } = await source("a", "b");
    const large = { [`k${"x".repeat(40_000)}`]: 1 };
    await push(id, { a: large });
    const more = { [`m${"x".repeat(40_000)}`]: 1 };
    const [refused, stored] = await Promise.all([merge(id, { a: more }), merge(id, { b: { up: true } })]);
    expect([refused!.status, refused!.body["message"]]).toEqual([
      400,
      expect.stringMatching(/larger than 65536 octets/),
    ]);
    expect(stored!.status).toBe(200);
    expect(await shown(id)).toEqual([large, { up: true }]);
  });

  test("into feeds with very much data is refused, and others beside it are stored", async () => {
    const { id, feeds } = await source("a");
    const other = await source("b");
    const more = await insertMore(feeds[0]!, 70);
    const data = JSON.stringify({ note: "y".repeat(62_000) });
    await api.store.db.updateTable("feed").set({ data }).where("id", "in", more).execute();
    const [refused, stored] = await Promise.all([merge(id, { up: true }), merge(other.id, { up: true })]);
    expect([refused!.status, refused!.body["details"]]).toEqual([400, { limit: 4 * 1024 * 1024 }]);
    expect(stored!.status).toBe(200);
    expect((await merge(feeds[0]!, { up: true })).status).toBe(200);
  });
});

describe("a push", () => {
  test("to a source reaches all its feeds, or those that the push names", async () => {
    const { id } = await source("a", "b");
    expect((await push(id, { up: "1", weight: 2.5 })).text).toBe("{}\n");
    expect(await shown(id)).toEqual([
      { up: "1", weight: 2.5 },
      { up: "1", weight: 2.5 },
    ]);
    await push(`${id}/`, { b: { up: false, note: "down" } });
    expect(await shown(id)).toEqual([
      { up: "1", weight: 2.5 },
      { up: false, note: "down" },
    ]);
  });

  test("to a feed reaches only that feed", async () => {
    const { id, feeds } = await source("a", "a");
    await push(feeds[1]!, { up: true });
    expect(await shown(id)).toEqual([{}, { up: true }]);
    await push(feeds[1]!, { a: { up: false } });
    expect(await shown(id)).toEqual([{}, { up: false }]);
  });

  test("of large values to very many feeds is refused, because other pushes would wait for it", async () => {
    const { id, feeds } = await source("a");
    await insertMore(feeds[0]!, 70);
    const table = { note: "x", other: "y".repeat(65_000) };
    const refused = await push(id, table);
    expect([refused.status, refused.body["details"]]).toEqual([400, { limit: 4 * 1024 * 1024 }]);
    expect((await push(feeds[0]!, table)).status).toBe(200);
  });

  test("replaces the values pushed before, and sets the time of the push", async () => {
    const { id, feeds } = await source("a");
    await push(id, { up: true, weight: 1 });
    await push(id, { weight: 2 });
    const { data, pushed_at } = await api.must<Fields>("GET", `data/feeds/${id}/${feeds[0]}`);
    expect(data).toEqual({ weight: 2 });
    expect(Math.abs(Number(pushed_at) - Date.now() / 1000)).toBeLessThan(5);
  });

  test("with an error in it changes nothing", async () => {
    const { id } = await source("a", "b");
    await push(id, { weight: 1 });
    for (const [payload, message] of [
      [{ a: { up: true }, b: { up: "down" } }, "b.up must be true or false, 1 or 0"],
      [{ a: { up: true }, c: { up: true } }, '"c" is neither the label of a feed of this source nor a metadata key'],
      [[{ up: true }], "Input validation failed: the body must be an object"],
      [undefined, "Input validation failed: the request must have a JSON body"],
    ] as const) {
      const answer = await push(id, payload);
      expect([answer.status, answer.body["message"]]).toEqual([400, message]);
    }
    expect(await shown(id)).toEqual([{ weight: 1 }, { weight: 1 }]);
  });

  test("that is too large is refused", async () => {
    const { id } = await source("a");
    expect((await push(id, { note: "x".repeat(1_100_000) })).status).toBe(413);
  });

  test("leaves no activity entry", async () => {
    const { id, feeds } = await source("a");
    const count = async () => (await api.must<Fields[]>("GET", "account/activity?limit=5000")).length;
    const before = await count();
    await push(id, { up: true });
    await push(feeds[0]!, { up: true });
    expect(await count()).toBe(before);
  });
});

describe("the stream of live values", () => {
  test("has the values of a push, with the feed's age and fallback", async () => {
    const { id } = await source();
    const one = await feed(id, { config: { label: "a" }, max_age: 30, fallback: { up: false } });
    await push(id, { up: true });
    const settings = { max_age: 30, fallback: { up: false } };
    expect(await liveOf(one)).toEqual([
      { account_id, feed_id: one, ...settings, data: { up: true }, at: expect.any(Number) },
    ]);
  });

  test("has changes of a feed's settings, and its deletion", async () => {
    const { id, feeds } = await source("a");
    const [one] = feeds;
    await push(id, { up: true });
    await api.must("POST", `data/feeds/${id}/${one}`, { max_age: 9 });
    await api.must("POST", `data/feeds/${id}/${one}`, { name: "other" });
    await api.must("DELETE", `data/feeds/${id}/${one}`);
    expect((await liveOf(one!)).map(({ data, max_age }) => [data, max_age])).toEqual([
      [{ up: true }, null],
      [{ up: true }, 9],
      [null, null],
    ]);
  });

  test("has the deletion of every feed of a deleted source", async () => {
    const { id, feeds } = await source("a", "b");
    await api.must("DELETE", `data/sources/${id}`);
    const gone = (await live()).filter(({ data }) => data === null).map(({ feed_id }) => feed_id);
    expect(gone).toEqual(expect.arrayContaining(feeds));
  });
});

describe("a feed is published to edges", () => {
  test("at once if it was quiet, then at most ten times a second, and always with the last push", async () => {
    const { id, feeds } = await source("a");
    const mirror = new LiveMirror();
    const received = () => mirror.batches.flatMap(({ values }) => values.filter(({ feed_id }) => feed_id === feeds[0]));
    const following = await followLivePostgres(api.storeUrl, mirror, { log: silent, id: newId() });
    const began = Date.now();
    await push(id, { weight: 0 });
    expect((await liveOf(feeds[0]!)).map(({ data }) => data)).toEqual([{ weight: 0 }]);
    for (let n = 1; n < 60; n++) await push(n % 2 ? id : feeds[0]!, { weight: n });
    expect(await shown(id)).toEqual([{ weight: 59 }]);
    await expect.poll(() => received().at(-1)?.data).toEqual({ weight: 59 });
    const times = 1 + Math.floor((Date.now() - began) / 100);
    const weights = received().map(({ data }) => Number(data?.["weight"]));
    await following.close();
    expect(weights.length).toBeLessThanOrEqual(times);
    expect(weights).toEqual([...new Set(weights)].sort((a, b) => a - b));
  });

  test("at once while other feeds receive endless pushes", async () => {
    const { feeds } = await source("loud", ...Array.from({ length: 5 }, (_, n) => `quiet${n}`));
    const [loud = "", ...quiet] = feeds;
    for (const one of quiet) {
      await Promise.all(Array.from({ length: 5 }, (_, weight) => push(loud, { weight })));
      await push(one, { up: true });
      expect((await liveOf(one)).map(({ data }) => data)).toEqual([{ up: true }]);
    }
  });

  test("by the next process when the process that took the push has ended", async () => {
    const { id, feeds } = await source("a");
    await ended.push(account_id, id, { weight: 1 });
    await ended.push(account_id, id, { weight: 2 });
    const many = await source("b");
    const more = await insertMore(many.feeds[0]!, 99);
    await ended.push(account_id, many.id, { weight: 3, other: "x".repeat(9000) });
    // older than the time for which a note is left to its own process
    await api.store.db.updateTable("deferred_feeds").set({ created: 0 }).execute();
    await startApi({ storeUrl: api.storeUrl, directory: api.directory });
    await expect.poll(async () => (await liveOf(feeds[0]!)).at(-1)?.data).toEqual({ weight: 2 });
    await expect.poll(notes).toEqual([]);
    // 900 KB are too much for one message
    const published = await api.store.db.selectFrom("live_change").select("body").orderBy("revision").execute();
    const ids = new Set([many.feeds[0]!, ...more]);
    const counts = published.map(({ body }) =>
      JSON.parse(body).values.filter(({ feed_id }: LiveValue) => ids.has(feed_id)),
    );
    const [all, most] = [counts.flat().length, Math.max(...counts.map((values) => values.length))];
    expect([all >= 100, most <= 29]).toEqual([true, true]);
  });

  test("as deleted if it was deleted before its pushed values were published", async () => {
    const { id, feeds } = await source("a", "b");
    for (const up of [true, false]) await push(id, { up });
    await api.must("DELETE", `data/feeds/${id}/${feeds[0]}`);
    await expect.poll(async () => (await liveOf(feeds[1]!)).at(-1)?.data).toEqual({ up: false });
    expect((await liveOf(feeds[0]!)).at(-1)?.data).toBeNull();
  });
});

describe("many pushes at once", () => {
  test("share transactions, and each gets its own reply", async () => {
    const { id, feeds } = await source(...Array.from({ length: 20 }, (_, n) => `l${n}`));
    const { length: before } = await live();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        n % 10 === 9 ? push(id, { l0: { up: "no" } }) : push(feeds[n % 20]!, { weight: n }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n % 10 === 9 ? 400 : 200)));
    const weights = (await shown(id)).map((data) => Number((data as Fields)["weight"]));
    for (const [n, weight] of weights.entries()) if (n % 10 !== 9) expect(weight % 20).toBe(n);
    const values = (await live()).slice(before);
    expect(values.length).toBeGreaterThanOrEqual(18);
    const batches = await api.store.db.selectFrom("live_change").select("revision").execute();
    expect(batches.length).toBeLessThan(180);
  });

  test("leave the values of the push whose reply came last", async () => {
    const { id, feeds } = await source("a");
    for (let n = 0; n < 30; n++) await push(n % 2 ? id : feeds[0]!, { weight: n });
    expect(await shown(id)).toEqual([{ weight: 29 }]);
    await expect.poll(async () => (await liveOf(feeds[0]!)).at(-1)?.data).toEqual({ weight: 29 });
  });
});

describe("another process's cache of a source", () => {
  test("is invalid after a feed was added or changed its label", async () => {
    const { id, feeds } = await source("a");
    await ended.push(account_id, id, { weight: 1 });
    await feed(id, { config: { label: "b" } });
    await ended.push(account_id, id, { weight: 2 });
    expect(await shown(id)).toEqual([{ weight: 2 }, { weight: 2 }]);
    await api.must("POST", `data/feeds/${id}/${feeds[0]}`, { config: { label: "c" } });
    await ended.push(account_id, id, { c: { weight: 3 } });
    await expect(ended.push(account_id, id, { a: { weight: 4 } })).rejects.toThrow('"a" is neither');
    expect(await shown(id)).toEqual([{ weight: 3 }, { weight: 2 }]);
  });

  test("is invalid after the first feed was added", async () => {
    const { id } = await source();
    await ended.push(account_id, id, { weight: 1 });
    await feed(id, { config: { label: "a" } });
    await ended.push(account_id, id, { weight: 2 });
    expect(await shown(id)).toEqual([{ weight: 2 }]);
  });

  test("is invalid after a feed or the source was deleted", async () => {
    const { id, feeds } = await source("a", "b");
    await ended.push(account_id, id, { weight: 1 });
    await api.must("DELETE", `data/feeds/${id}/${feeds[0]}`);
    await expect(ended.push(account_id, feeds[0]!, { weight: 2 })).rejects.toThrow("feed not found");
    await ended.push(account_id, id, { weight: 3 });
    expect(await shown(id)).toEqual([{ weight: 3 }]);
    await api.must("DELETE", `data/sources/${id}`);
    await expect(ended.push(account_id, feeds[1]!, { weight: 4 })).rejects.toThrow("feed not found");
    await expect(ended.push(account_id, id, { weight: 4 })).rejects.toThrow("source not found");
  });
});
