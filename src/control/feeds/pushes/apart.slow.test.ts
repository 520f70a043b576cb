/** Pushes of an account that write very much: those of others are not delayed, and edges get the values in small messages. */
import { expect, test } from "vitest";
import { type Client, startApi } from "../../../../test/service/api.ts";
import { newId } from "../../../lib/ids.ts";

const api = await startApi();
const count = 600;

/** A source with so many feeds of the label `f`, whose key `up` records name. */
async function source(by: Client, count: number): Promise<{ id: string; feeds: string[] }> {
  const { id } = await by.must("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" });
  const made = await by.must("PUT", `data/feeds/${id}`, { name: "f", config: { label: "f" } });
  const { db } = api.store;
  await db
    .updateTable("feed")
    .set({ named: ["up"] })
    .where("id", "=", String(made["id"]))
    .execute();
  const { cells: _, ...row } = await db
    .selectFrom("feed")
    .selectAll()
    .where("id", "=", String(made["id"]))
    .executeTakeFirstOrThrow();
  const more = Array.from({ length: count - 1 }, () => ({
    ...row,
    config: "{}",
    data: "{}",
    fallback: null,
    id: newId(),
  }));
  if (more.length > 0) await db.insertInto("feed").values(more).execute();
  return { id: String(id), feeds: [String(made["id"]), ...more.map(({ id }) => id)] };
}

const stranger = await api.stranger();
const large = await source(stranger, count);
const small = await source(api, 1);

test("others do not wait for a push to many feeds, and a later one of the same account is the last", async () => {
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holder = api.store.transaction(async (tx) => {
    await tx.selectFrom("feed").select("id").where("id", "=", large.feeds[0]!).forUpdate().execute();
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  let isStored = false;
  const first = stranger.must("POST", `feed/${large.id}`, { up: true });
  // the second one arrives after the first
  await api.must("POST", `feed/${small.id}`, { up: true });
  const pushes = [first, stranger.must("POST", `feed/${large.feeds[1]}`, { up: false })];
  void Promise.race(pushes).then(() => (isStored = true));
  for (let n = 0; n < 5; n++) await api.must("POST", `feed/${small.id}`, { up: n % 2 === 0 });
  expect(isStored).toBe(false);
  held.resolve();
  await Promise.all([holder, ...pushes]);
  const shown = await stranger.must<{ data: unknown }>("GET", `data/feeds/${large.id}/${large.feeds[1]}`);
  expect(shown.data).toEqual({ up: false });
});

test("the values reach edges in messages of at most 250 feeds", async () => {
  const { revision } = await api.store.db
    .selectFrom("sequencer")
    .select("revision")
    .where("subject", "=", "live")
    .executeTakeFirstOrThrow();
  await stranger.must("POST", `feed/${large.id}`, { up: true });
  const messages = async () => {
    const rows = await api.store.db.selectFrom("live_change").select("body").where("revision", ">", revision).execute();
    const ids = rows.map(({ body }) =>
      (JSON.parse(body).values as { feed_id: string }[]).map(({ feed_id }) => feed_id),
    );
    return ids.map((all) => all.filter((id) => large.feeds.includes(id)));
  };
  await expect.poll(async () => new Set((await messages()).flat()).size, { timeout: 5000 }).toBe(count);
  expect(Math.max(...(await messages()).map(({ length }) => length))).toBeLessThanOrEqual(250);
});
