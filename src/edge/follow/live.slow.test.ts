import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { ask } from "../../../test/engine/states.ts";
import { startEdgeAt } from "../../../test/service/edge.ts";
import { insertFeeds, type NewFeed, push, removeFeed } from "../../../test/service/feeds.ts";
import { silent, testStore } from "../../../test/store/store.ts";
import { insertAccount, insertZone, now } from "../../../test/store/writes.ts";
import { mostValueOctets } from "../../answer/live/layout.ts";
import { LiveReader } from "../../answer/live/reader.ts";
import { newId } from "../../lib/ids.ts";
import type { LiveValue } from "../../sync/live.ts";
import { EdgeLive } from "./live.ts";

const baselineOf = (revision: number, ...batches: LiveValue[][]) => ({
  ...{ revision, mark: "" },
  async *values() {
    yield* batches;
  },
});

const batchOf = (revision: number, values: readonly LiveValue[]) => ({
  ...{ revision, mark: "", previous: revision - 1, previous_mark: "", values },
});

const value = (feed_id: string, data: LiveValue["data"]): LiveValue => ({
  ...{ account_id: "account", feed_id, data, at: 1, max_age: null, fallback: null },
});

describe("the live table of an edge", () => {
  const of = (live: EdgeLive) => {
    const reader = new LiveReader(live.share());
    return (id: string) => reader.value(reader.cell(id, "n"));
  };

  test("has the values of the last baseline and the batches since then", async () => {
    const live = new EdgeLive(silent);
    const read = of(live);
    await live.start(baselineOf(1, [value("a", { n: 1 })], [value("b", { n: 1 }), value("c", { n: 1 })]));
    live.apply([
      batchOf(2, [value("a", { n: 2 }), value("b", null)]),
      batchOf(3, [value("a", { n: 3 }), value("d", { n: 3 })]),
    ]);
    expect(["a", "b", "c", "d"].map(read)).toEqual([3, undefined, 1, 3]);
    await live.start(baselineOf(9, [value("a", { n: 9 })], [value("b", { n: 9 })]));
    expect(["a", "b", "c", "d"].map(read)).toEqual([9, 9, undefined, undefined]);
  });

  test("keeps its values while a baseline arrives, and when the baseline is interrupted", async () => {
    const live = new EdgeLive(silent);
    const read = of(live);
    await live.start(baselineOf(1, [value("a", { n: 1 }), value("b", { n: 1 })]));
    const broken = {
      ...{ revision: 2, mark: "" },
      async *values() {
        expect(["a", "b"].map(read)).toEqual([1, 1]);
        yield [value("a", { n: 2 })];
        throw new Error("the store is unreachable");
      },
    };
    await expect(live.start(broken)).rejects.toThrow("unreachable");
    expect(["a", "b"].map(read)).toEqual([2, 1]);
  });

  test("leaves out values that are too long, and counts them", async () => {
    const live = new EdgeLive(silent);
    await live.start(baselineOf(1, [value("a", { n: "x".repeat(mostValueOctets) }), value("b", { n: 1 })]));
    expect(of(live)("b")).toBe(1);
    expect(live.stats()).toMatchObject({ refused: 1 });
  });
});

describe("an edge", async () => {
  const store = await testStore();
  const account_id = await insertAccount(store);
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function start() {
    const edge = await startEdgeAt(store.url);
    cleanups.push(() => edge.close());
    const server = { ...edge.addresses[0]!, timeout: 3000 };
    return { edge, ask: (label: string) => ask(server, `${label}.live.example A`) };
  }

  const zone = await insertZone(store, account_id, "live.example");

  /** Two feeds for two addresses. The second is up; the first has the given settings. */
  async function steered(label: string, first: NewFeed = {}) {
    const feeds = await insertFeeds(store, account_id, [first, {}]);
    const [one = "", two = ""] = feeds;
    await push(store, [{ feed_id: two, data: { up: true } }]);
    const answers = feeds.map((feed, i) => ({ id: newId(), answer: [`192.0.2.${i + 1}`], meta: { up: { feed } } }));
    await store.db
      .insertInto("record")
      .values({
        ...{ account_id, zone_id: zone.id, domain: `${label}.live.example`, type: "A", id: newId(), ttl: 60, tier: 2 },
        ...{ link: null, use_client_subnet: true, override_ttl: false, override_address_records: false },
        ...{ answers: JSON.stringify(answers), filters: '[{"filter":"up","config":{}}]', regions: "{}", meta: "{}" },
        ...{ feeds: "[]", tags: "{}", local_tags: "[]", blocked_tags: "[]", created_at: now(), updated_at: now() },
      })
      .execute();
    const say = (up: unknown) => push(store, [{ feed_id: one, data: { up } }]);
    return { say, remove: () => removeFeed(store, account_id, one) };
  }

  test("answers with values pushed before its start, and with each later push", async () => {
    const { say, remove } = await steered("www");
    await say("1");
    const { edge, ask } = await start();
    await edge.ready;
    expect(await ask("www")).toBe("NOERROR 192.0.2.1 192.0.2.2");
    await say(false);
    await expect.poll(() => ask("www")).toBe("NOERROR 192.0.2.2");
    await say(true);
    await expect.poll(() => ask("www")).toBe("NOERROR 192.0.2.1 192.0.2.2");
    await remove();
    await expect.poll(() => ask("www")).toBe("NOERROR 192.0.2.2");
    expect(edge.status().live).toMatchObject({ behind: 0 });
    expect(await edge.metrics()).toMatch(/^fairlead_edge_live_values [1-9]/m);
  });

  test("uses the fallback when a value is too old", async () => {
    const { say } = await steered("aged", { max_age: 1, fallback: { up: true } });
    const { edge, ask } = await start();
    await edge.ready;
    expect(await ask("aged")).toBe("NOERROR 192.0.2.1 192.0.2.2");
    await say(false);
    await expect.poll(() => ask("aged")).toBe("NOERROR 192.0.2.2");
    await delay(1000);
    expect(await ask("aged")).toBe("NOERROR 192.0.2.1 192.0.2.2");
  });

  test("keeps its values while the store is unreachable, and gets the newest values afterwards", async () => {
    const { say } = await steered("away");
    await say(false);
    const { edge, ask } = await start();
    await edge.ready;
    const away = await keepOut("fairlead follower%");
    await say(true);
    await delay(300);
    expect(await ask("away")).toBe("NOERROR 192.0.2.2");
    await away.end();
    await expect.poll(() => ask("away"), { timeout: 5000 }).toBe("NOERROR 192.0.2.1 192.0.2.2");
  });

  test("answers without values until they arrive", async () => {
    const { say } = await steered("late");
    await say(false);
    await sql`alter table feed rename to feed_away`.execute(store.db);
    const { edge, ask } = await start();
    await edge.ready;
    expect(edge.status()).toMatchObject({ ready: true, live: { revision: 0 } });
    expect(edge.status().live.behind).toBeGreaterThan(1000);
    // without values, no address is known to be down
    expect(await ask("late")).toBe("NOERROR 192.0.2.1 192.0.2.2");
    await sql`alter table feed_away rename to feed`.execute(store.db);
    await expect.poll(() => ask("late"), { timeout: 5000 }).toBe("NOERROR 192.0.2.2");
  });

  /** Ends the connections of these applications, and refuses new ones until `end` is called. */
  async function keepOut(applications: string) {
    const database = new URL(store.url).pathname.slice(1);
    const other = new pg.Client({ connectionString: store.url.replace(database, "fairlead") });
    await other.connect();
    const allow = (isAllowed: boolean) => other.query(`alter database ${database} allow_connections ${isAllowed}`);
    await allow(false);
    await other.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like $2",
      [database, applications],
    );
    return { end: () => allow(true).then(() => other.end()) };
  }
});
