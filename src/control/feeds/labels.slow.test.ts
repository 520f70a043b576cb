/** A source with the maximum number of feeds. */
import { expect, test } from "vitest";
import { startApi } from "../../../test/service/api.ts";
import { newId } from "../../lib/ids.ts";

const many = 10_000;

test("one push gives each of 10,000 feeds its values, and edges receive the last of several pushes", async () => {
  const api = await startApi();
  const { id = "" } = await api.must<{ id?: string }>("PUT", "data/sources", { name: "large", sourcetype: "nsone_v1" });
  await api.must("PUT", `data/feeds/${id}`, { name: "f0", config: { label: "f0" } });
  await api.store.db
    .updateTable("feed")
    .set({ named: ["weight"] })
    .execute();
  const { cells: _, ...row } = await api.store.db.selectFrom("feed").selectAll().executeTakeFirstOrThrow();
  const more = Array.from({ length: many - 1 }, (_, n) => ({ ...row, id: newId(), label: `f${n + 1}` }));
  for (let at = 0; at < more.length; at += 1000) {
    const rows = more.slice(at, at + 1000).map((feed) => ({ ...feed, config: "{}", data: "{}", fallback: null }));
    await api.store.db.insertInto("feed").values(rows).execute();
  }
  const refused = await api.call("PUT", `data/feeds/${id}`, { name: "f", config: { label: "f" } });
  expect(refused.body["message"]).toContain("at most 10000 feeds");
  for (const round of [1, 2, 3]) {
    const tables = Array.from({ length: many }, (_, n) => [`f${n}`, { weight: n * round }]);
    await api.must("POST", `feed/${id}`, Object.fromEntries(tables));
  }
  const stored = await api.store.db.selectFrom("feed").select(["id", "label", "data"]).execute();
  for (const { label, data } of stored) expect(data).toEqual({ weight: Number(label?.slice(1)) * 3 });
  const published = async () => {
    const rows = await api.store.db.selectFrom("live_change").select("body").orderBy("revision").execute();
    const values = rows.flatMap(({ body }): { feed_id: string; data: unknown }[] => JSON.parse(body).values);
    return new Map(values.map(({ feed_id, data }) => [feed_id, data]));
  };
  const wanted = new Map(stored.map((feed) => [feed.id, feed.data]));
  await expect.poll(published).toEqual(wanted);
});
