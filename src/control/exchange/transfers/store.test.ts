import { expect, test } from "vitest";
import { testStore } from "../../../../test/store/store.ts";
import { insertAccount, insertZone } from "../../../../test/store/writes.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { findZoneById } from "../../zones/model/zone/store.ts";
import { claimRefresh, listDue, saveRefresh } from "./store.ts";

const store = await testStore();
const state = { last_try: 0, last_xfr: 0, error: null, expires_at: 0, failures: 0 };

async function dueZone(account: string, zone: string): Promise<ZoneRow> {
  const { id } = await insertZone(store, account, zone);
  const secondary = JSON.stringify({ enabled: true, primary_ip: "192.0.2.1" });
  const due = { secondary, refresh_at: 0, transfer: JSON.stringify(state) };
  await store.db.updateTable("zone").set(due).where("id", "=", id).execute();
  return (await findZoneById(store.db, account, id))!;
}

test("zones of busy accounts leave their slots to other accounts", async () => {
  const [busy, other] = [await insertAccount(store), await insertAccount(store)];
  for (const zone of ["a.example", "b.example"]) await dueZone(busy, zone);
  await dueZone(other, "c.example");
  const names = async (...without: string[]) => (await listDue(store.db, 1, 10, without)).map(({ zone }) => zone);
  expect([(await names()).length, await names(busy)]).toEqual([3, ["c.example"]]);
});

test("a refresh counts as a failure until its outcome is saved, and an outcome is saved only for the servers that were asked", async () => {
  const account = await insertAccount(store);
  const row = await dueZone(account, "refresh.example");
  const now = async () => (await findZoneById(store.db, account, row.id))!;
  expect(await claimRefresh(store.db, row, 60, { ...state, failures: 1 })).toBe(true);
  expect(await now()).toMatchObject({ refresh_at: 60, transfer: { failures: 1 } });
  expect(await claimRefresh(store.db, row, 60, state)).toBe(false);
  expect(await saveRefresh(store.db, row, 60, 100, { ...state, last_try: 5 })).toBe(true);
  expect(await now()).toMatchObject({ refresh_at: 100, transfer: { failures: 0, last_try: 5 } });
  const secondary = JSON.stringify({ enabled: true, primary_ip: "192.0.2.2" });
  await store.db.updateTable("zone").set({ secondary }).where("id", "=", row.id).execute();
  expect(await saveRefresh(store.db, row, 100, 200, state)).toBe(false);
  expect(await now()).toMatchObject({ refresh_at: 100, transfer: { last_try: 5 } });
});
