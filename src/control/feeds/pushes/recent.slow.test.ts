/** The last pushes in the store: what is kept, for how long, and the share of each account in the memory until then. */
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { silent } from "../../../../test/store/store.ts";
import { systemClock } from "../../../lib/clock.ts";
import type { PushNote } from "../../../storage/tables/feeds.ts";
import { nsoneV1 } from "../types/nsone_v1.ts";
import { Targets } from "../types/sourcetype.ts";
import { mostNoted, type Noted, NotedPushes } from "./noted.ts";
import { RecentPushes } from "./recent.ts";
import { mostKept } from "./recent-store.ts";

const api = await startApi();
const { id: account_id } = await api.store.db.selectFrom("account").select("id").executeTakeFirstOrThrow();

async function sourceWithFeed() {
  const id = String((await api.must("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" }))["id"]);
  const feed = String((await api.must("PUT", `data/feeds/${id}`, { name: "f", config: { label: "f" } }))["id"]);
  return { id, feed, feeds: new Targets([{ id: feed, label: "f" }]) };
}
/** A process that notes pushes of these weights, and ends. */
async function noting({ id, feeds }: { id: string; feeds: Targets }, ...weights: number[]) {
  const recent = new RecentPushes({ store: api.store, clock: systemClock, log: silent });
  const source = { account_id, id, version: 1, type: nsoneV1, feeds };
  for (const weight of weights) {
    recent.note({ source, deliveries: nsoneV1.receive({ weight }, feeds), merge: undefined, refusal: undefined });
  }
  await recent.close();
}
const kept = async (id: string) =>
  (await api.store.db.selectFrom("recent_push").select("pushes").where("id", "=", id).execute()).flatMap(
    ({ pushes }) => pushes,
  );
const weightsOf = (pushes: readonly PushNote[]) => pushes.map(({ values }) => values?.["weight"]);

test("pushes are in the store after some seconds, and a process that ends stores the rest", async () => {
  const { id, feed } = await sourceWithFeed();
  await api.must("POST", `feed/${feed}`, { up: true });
  expect(await kept(feed)).toEqual([]);
  await expect.poll(() => kept(feed)).toMatchObject([{ result: "stored", values: { up: true } }]);
  expect(await kept(id)).toMatchObject([{ feeds: 1 }]);
});

test("what several processes store is joined, and the oldest goes", async () => {
  const source = await sourceWithFeed();
  await noting(source, ...Array.from({ length: mostKept - 1 }, (_, n) => n));
  await noting(source, 100, 101);
  await noting(source, 102);
  expect(weightsOf(await kept(source.feed))).toEqual([
    ...[102, 101, 100],
    ...Array.from({ length: mostKept - 3 }, (_, n) => mostKept - 2 - n),
  ]);
  const shown = await api.must<Fields>("GET", `data/feeds/${source.id}/${source.feed}/status`);
  expect(weightsOf(shown["pushes"] as PushNote[])).toEqual(weightsOf(await kept(source.feed)));
});

describe("what is kept goes", () => {
  test("with the feed, and is not stored again", async () => {
    const source = await sourceWithFeed();
    await noting(source, 1);
    await api.must("DELETE", `data/feeds/${source.id}/${source.feed}`);
    await noting(source, 2);
    expect([await kept(source.feed), weightsOf(await kept(source.id))]).toEqual([[], [2, 1]]);
  });

  test("with the source, and is not stored again", async () => {
    const source = await sourceWithFeed();
    await noting(source, 1);
    await api.must("DELETE", `data/sources/${source.id}`);
    await noting(source, 2);
    expect([await kept(source.feed), await kept(source.id)]).toEqual([[], []]);
  });
});

describe("notes that are not stored yet", () => {
  const place = (account: number, n: number) => ({ account_id: `${account}`, source_id: "s", id: `${account} ${n}` });
  const noteOf = (text: string): Noted => ({ at: 1, result: "stored", merged: false, octets: text.length, text });
  const note = noteOf("x".repeat(500));
  const add = (noted: NotedPushes, account: number, n: number, one = note) =>
    noted.add(`${account}`, "s", `${account} ${n}`, one);

  test("take a bounded memory, and one account leaves room for others", () => {
    const noted = new NotedPushes();
    for (let n = 0; n < 50_000; n++) add(noted, 1, n);
    add(noted, 2, 0);
    add(noted, 1, 50_000);
    expect([noted.of(place(2, 0)), noted.of(place(1, 50_000))]).toEqual([[note], [note]]);
    const left = noted.take(100_000, 100_000);
    expect(left.length * note.octets).toBeGreaterThan(mostNoted / 10);
    expect(left.length * note.octets).toBeLessThan(mostNoted / 4);
  });

  test("are stored for all accounts in turn", () => {
    const noted = new NotedPushes();
    for (let n = 0; n < 1000; n++) add(noted, 1, n);
    add(noted, 2, 0);
    expect(noted.take(100, 60).map(({ account_id }) => account_id)).toEqual([...Array(60).fill("1"), "2"]);
    expect(noted.take(10_000, 10_000)).toHaveLength(940);
    expect(noted.isEmpty).toBe(true);
  });

  test("keep their order when they are put back", () => {
    const noted = new NotedPushes();
    for (const text of ["1", "2"]) add(noted, 1, 1, noteOf(text));
    const taken = noted.take(10, 10);
    add(noted, 1, 1, noteOf("3"));
    noted.giveBack(taken);
    expect(noted.of(place(1, 1)).map(({ text }) => text)).toEqual(["3", "2", "1"]);
  });
});
