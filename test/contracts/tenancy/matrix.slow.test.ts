/** No endpoint tells what another account has from what nobody has, or does anything to it. */
import { expect, test } from "vitest";
import { routes } from "../../../src/control/index.ts";
import { startApi } from "../../api.ts";
import { compareAll } from "./compare.ts";
import { nameOf, pathCases } from "./paths.ts";
import { rowsOfAccount } from "./rows.ts";
import { fill, victim } from "./things.ts";

const api = await startApi({ deletionGuard: 100 });
const robber = await api.stranger();
const theirs = await fill(api, victim);
const own = await fill(robber, "robber");
const accounts = await api.store.db.selectFrom("account").select(["id", "name"]).execute();
const [victimId = "", robberId = ""] = ["first", "other"].map((name) => accounts.find((one) => one.name === name)?.id);
const before = await rowsOfAccount(api.store, victimId);
let count = 0;

/** Nothing of the victim's has changed, and the robber has nothing of it. */
async function assertApart(): Promise<void> {
  expect(await rowsOfAccount(api.store, victimId)).toBe(before);
  const stolen = await rowsOfAccount(api.store, robberId);
  for (const id of Object.values(theirs.ids).flat()) {
    if (!/^\d+$/.test(id)) expect(stolen, `the robber has ${id}`).not.toContain(id);
  }
}

const order = ["GET", "POST", "PUT", "DELETE"];
// what is open to everybody takes no key, and so no account
const keyed = routes.filter(({ right }) => right !== "open");
const sorted = keyed.sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method));

for (const route of sorted) {
  const cases = pathCases(route, own, theirs);
  if (cases.length === 0) continue;
  test(nameOf(route), async () => {
    await compareAll(robber, cases);
    count += cases.length;
    await assertApart();
  });
}

test("there are many cases", () => expect(count).toBeGreaterThan(2000));
