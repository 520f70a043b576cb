import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { expect, test } from "vitest";
import { Daemon } from "../../../test/machine/processes.ts";
import { insertFeeds, LiveMirror, push, removeFeed, storedFeeds } from "../../../test/service/feeds.ts";
import { silent, testStore } from "../../../test/store/store.ts";
import { insertAccount, insertZone } from "../../../test/store/writes.ts";
import { newId } from "../../lib/ids.ts";
import { announceLive, publishLive, trimLive } from "../../storage/outbox/live.ts";
import { followLivePostgres } from "./live.ts";

const slow = { timeout: 60_000 };

const store = await testStore();
const account_id = await insertAccount(store);

const revisions = store.db.selectFrom("sequencer").select("revision");
const head = async () => (await revisions.where("subject", "=", "live").executeTakeFirstOrThrow()).revision;

async function follow(mirror: LiveMirror, log = silent) {
  const subscription = await followLivePostgres(store.url, mirror, { log, id: newId() });
  return { subscription, [Symbol.asyncDispose]: () => subscription.close() };
}

async function expectStored(mirror: LiveMirror) {
  await mirror.reaches(await head());
  expect(mirror.values).toEqual(await storedFeeds(store));
}

/** Each push contains the number of pushes so far. */
const count = (before: Readonly<Record<string, unknown>>) => ({ n: Number(before["n"] ?? 0) + 1 });

test(
  "the order of batches agrees with the order of each feed's pushes, while writers race and fail",
  slow,
  async () => {
    const feeds = await insertFeeds(store, account_id, [{}, { max_age: 30, fallback: { up: false } }, {}]);
    const mirror = new LiveMirror();
    const counts = new Map<string, number>();
    mirror.onApply = ({ revision, previous, values }) => {
      expect([previous, revision]).toEqual([mirror.revision, mirror.revision + 1]);
      for (const { feed_id, data } of values) {
        expect(data).toEqual({ n: (counts.get(feed_id) ?? 0) + 1 });
        counts.set(feed_id, Number(data?.["n"]));
      }
    };
    await using _ = await follow(mirror);
    const before = await head();
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let turn = 0; turn < 20; turn++) {
        const chosen = new Set([feeds[writer % 3]!, feeds[(writer + turn) % 3]!]);
        const pushes = Array.from(chosen, (feed_id) => ({ feed_id, data: count }));
        const giveUp = turn % 5 === writer ? () => Promise.reject(new Error("given up")) : undefined;
        await push(store, pushes, giveUp).catch(() => {});
      }
    });
    await Promise.all(writers);
    expect((await head()) - before).toBe(4 * 16);
    await expectStored(mirror);
    expect(mirror.baselines).toHaveLength(1);
  },
);

test("a baseline taken during pushes, with the batches after it, equals the table", slow, async () => {
  const feeds = await insertFeeds(
    store,
    account_id,
    Array.from({ length: 4500 }, () => ({})),
  );
  let isPushing = true;
  const pushing = (async () => {
    while (isPushing) await push(store, [{ feed_id: feeds[Math.floor(Math.random() * 20)]!, data: count }]);
  })();
  for (let turn = 0; turn < 3; turn++) {
    const mirror = new LiveMirror();
    await using _ = await follow(mirror);
    await mirror.reaches(mirror.revision + 5);
    isPushing = turn < 2;
    if (isPushing) continue;
    await pushing;
    await removeFeed(store, account_id, feeds[0]!);
    await expectStored(mirror);
    expect(mirror.values.has(feeds[0]!)).toBe(false);
  }
});

test("a push is announced at once, and touches neither zones nor the configuration", slow, async () => {
  const [feed_id = ""] = await insertFeeds(store, account_id, [{}]);
  await insertZone(store, account_id, "untouched.example");
  const configuration = () =>
    store.db
      .selectFrom("zone")
      .select(["serial", revisions.where("subject", "=", "configuration").as("revision")])
      .select((eb) => eb.selectFrom("change").select(eb.fn.countAll().as("count")).as("changes"))
      .execute();
  const before = await configuration();
  const mirror = new LiveMirror();
  await using running = await follow(mirror);
  for (let n = 0; n < 5; n++) {
    await delay(20);
    await push(store, [{ feed_id, data: { up: n % 2 === 0 } }]);
    // less than the pause between two polls
    await mirror.reaches(await head(), 400);
  }
  expect(running.subscription.behind).toBe(0);
  expect(await configuration()).toEqual(before);
});

test("a follower that missed trimmed batches gets a baseline", slow, async () => {
  const [feed_id = ""] = await insertFeeds(store, account_id, [{}]);
  const mirror = new LiveMirror();
  await using _ = await follow(mirror);
  await push(store, [{ feed_id, data: count }]);
  await expectStored(mirror);
  await trimLive(store.db);
  expect(await store.db.selectFrom("live_change").select("revision").execute()).not.toEqual([]);
  await store.transaction(async (tx) => {
    await sql`update feed set data = '{"n":7}' where id = ${feed_id}`.execute(tx);
    await sql`update sequencer set revision = revision + 3 where subject = 'live'`.execute(tx);
    await sql`update live_change set created = created - 100`.execute(tx);
  });
  await trimLive(store.db);
  expect(await store.db.selectFrom("live_change").select("revision").execute()).toEqual([]);
  while (mirror.baselines.length < 2) await delay(10);
  await expectStored(mirror);
  expect(mirror.values.get(feed_id)?.data).toEqual({ n: 7 });
});

test("large batches are read a few at a time", slow, async () => {
  const feeds = await insertFeeds(store, account_id, [{}, {}]);
  const mirror = new LiveMirror();
  await using _ = await follow(mirror);
  await mirror.reaches(await head());
  const taken: number[] = [];
  const apply = mirror.apply.bind(mirror);
  mirror.apply = (batches) => {
    taken.push(batches.length);
    apply(batches);
  };
  const published = feeds.map((feed_id) => ({ account_id, feed_id }));
  const data = JSON.stringify({ note: "x".repeat(700_000) });
  await store.transaction(async (tx) => {
    await tx.updateTable("feed").set({ data }).where("account_id", "=", account_id).where("id", "in", feeds).execute();
    for (let n = 0; n < 4; n++) publishLive(tx, published.slice(0, 1 + (n % 2)));
  });
  await announceLive(store.db);
  await mirror.reaches(await head());
  expect(taken).toEqual([2, 2]);
});

test("a lost connection is replaced, and no batch is missed", slow, async () => {
  const [feed_id = ""] = await insertFeeds(store, account_id, [{}]);
  const mirror = new LiveMirror();
  await using _ = await follow(mirror);
  for (let n = 0; n < 3; n++) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '% live'`.execute(
      store.db,
    );
    await push(store, [{ feed_id, data: count }]);
    await expectStored(mirror);
  }
  expect(mirror.baselines).toHaveLength(1);
});

test("a format that this version does not know stops the follower and is reported", slow, async () => {
  const [feed_id = ""] = await insertFeeds(store, account_id, [{}]);
  const lines: string[] = [];
  const mirror = new LiveMirror();
  await using _ = await follow(mirror, pino({ level: "error" }, { write: (line: string) => void lines.push(line) }));
  await mirror.reaches(await head());
  const before = await head();
  await store.transaction(async (tx) => {
    const { mark } = await tx
      .selectFrom("sequencer")
      .select("mark")
      .where("subject", "=", "live")
      .executeTakeFirstOrThrow();
    const marks = { mark, previous_mark: mark };
    const row = { revision: before + 1, previous: before, ...marks, body: '{"format":99,"values":[]}', created: 9e9 };
    await tx.insertInto("live_change").values(row).execute();
    await tx.updateTable("sequencer").set({ revision: row.revision }).where("subject", "=", "live").execute();
  });
  await push(store, [{ feed_id, data: count }]);
  while (!lines.join().includes("format 99")) await delay(10);
  expect(mirror.revision).toBe(before);
  await sql`update live_change set body = '{"format":1,"values":[]}' where revision = ${before + 1}`.execute(store.db);
  await expectStored(mirror);
});

test("no acknowledged push is lost when its writer is killed", async () => {
  const feeds = await insertFeeds(store, account_id, [{}, {}]);
  const mirror = new LiveMirror();
  await using _ = await follow(mirror);
  const script = new URL("../../../test/faults/live-writer.ts", import.meta.url).pathname;
  const acknowledged = (writer: Daemon) => Number(writer.printed.trim().split("\n").at(-1));
  const shown = (feed_id: string) => Number(mirror.values.get(feed_id)?.data?.["n"] ?? 0);
  const firsts = [1, 1];
  for (let round = 0; round < 2; round++) {
    const writers = feeds.map(
      (feed_id, index) => new Daemon(process.execPath, [script, store.url, feed_id, String(firsts[index])]),
    );
    await Promise.all(writers.map((writer) => writer.until(() => writer.printed.split("\n").length > 40)));
    await Promise.all(writers.map((writer) => writer.end("SIGKILL")));
    await mirror.reaches(await head());
    expect(mirror.values).toEqual(await storedFeeds(store));
    for (const [index, writer] of writers.entries()) {
      const last = acknowledged(writer);
      // one more push may be stored, without an acknowledgement
      expect([last, last + 1]).toContain(shown(feeds[index]!));
      firsts[index] = last + 2;
    }
  }
  expect(mirror.baselines).toHaveLength(1);
});
