/** Records of a type that got its name after they were stored. */
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../../../../test/service/api.ts";
import { nameTypes } from "./naming.ts";

const api = await startApi();
const zone = "named.example";
const path = `zones/${zone}/w.${zone}/WALLET`;
await api.must("PUT", `zones/${zone}`, {});

test("records stored as TYPEnnn are found by the name, and occur once in an earlier version", async () => {
  const before = await api.must("PUT", path, { answers: [{ answer: ["BTC", "one"] }] });
  const { id } = await api.must("PUT", `zones/${zone}/versions`);
  // earlier versions of the service, which did not know the type, stored records in this way
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

test("usage stored as TYPEnnn continues under the name, and both counts are added", async () => {
  const { db } = api.store;
  const { account_id } = await db.selectFrom("zone").select("account_id").executeTakeFirstOrThrow();
  const counted = (type: string, at: number, queries: number) =>
    ({ account_id, span: 60, zone, domain: `w.${zone}`, type, at, queries }) as const;
  await db
    .insertInto("usage")
    .values([
      counted("TYPE262", 60, 1),
      counted("TYPE262", 120, 2),
      counted("WALLET", 120, 3),
      counted("TYPE65280", 60, 4),
    ])
    .execute();
  await db.deleteFrom("setting").where("name", "=", "named_types").execute();
  await nameTypes(api.store);
  const rows = await db.selectFrom("usage").selectAll().where("account_id", "=", account_id).execute();
  expect(rows.toSorted((a, b) => a.queries - b.queries)).toEqual([
    counted("WALLET", 60, 1),
    counted("TYPE65280", 60, 4),
    counted("WALLET", 120, 5),
  ]);
});

test("a key denied the type does not see activity entries that call it TYPEnnn", async () => {
  const { db } = api.store;
  const [{ id, resource } = { id: "", resource: {} }] = await api.must<Fields[]>(
    "GET",
    "account/activity?resource_type=record&limit=1",
  );
  const numbered = JSON.stringify(resource).replaceAll('"WALLET"', '"TYPE262"');
  const { account_id } = await db.selectFrom("zone").select("account_id").executeTakeFirstOrThrow();
  await db
    .updateTable("activity")
    .set({ resource: numbered })
    .where("account_id", "=", account_id)
    .where("id", "=", String(id))
    .execute();
  for (const type of ["TYPE262", "wallet"]) {
    const key = await api.limited({ dns: { records_deny: [{ zone, type }] } });
    expect(await key.must("GET", "account/activity?resource_type=record")).toEqual([]);
  }
});
