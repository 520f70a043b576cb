/** Records of a type that got its name after they were written. */
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../../test/api.ts";
import { nameTypes } from "./naming-store.ts";

const api = await startApi();
const zone = "named.example";
const path = `zones/${zone}/w.${zone}/WALLET`;
await api.must("PUT", `zones/${zone}`, {});

test("they are found by the name, and once in what the zone was", async () => {
  const before = await api.must("PUT", path, { answers: [{ answer: ["BTC", "one"] }] });
  const { id } = await api.must("PUT", `zones/${zone}/versions`);
  // as a service wrote it that did not know the type
  const { db } = api.store;
  await db.updateTable("record").set({ type: "TYPE262" }).where("type", "=", "WALLET").execute();
  await db.deleteFrom("setting").where("name", "=", "named_types").execute();
  expect((await api.call("GET", path)).status).toBe(404);
  await nameTypes(api.store);
  expect(await api.must("GET", path)).toEqual(before);
  await api.must("POST", path, { answers: [{ answer: ["BTC", "two"] }] });
  const history = await db.selectFrom("zone_history").select(["change_id", "removed"]).execute();
  for (const { change_id, removed } of history) {
    const older = JSON.stringify(removed).replaceAll('"WALLET"', '"TYPE262"');
    await db.updateTable("zone_history").set({ removed: older }).where("change_id", "=", change_id).execute();
  }
  const earlier = await api.must<{ records: Fields[] }>("GET", `zones/${zone}?version=${id}`);
  expect(earlier.records.filter(({ domain }) => domain === `w.${zone}`)).toMatchObject([
    { type: "WALLET", short_answers: ["BTC one"] },
  ]);
});
