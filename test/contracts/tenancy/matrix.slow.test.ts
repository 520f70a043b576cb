/** No endpoint distinguishes another account's objects from missing ones, or changes them. */
import { expect, test } from "vitest";
import { routes } from "../../../src/control/index.ts";
import { type Client, type Fields, startApi } from "../../service/api.ts";
import { signedIn } from "../../service/browser.ts";
import { type Case, compareAll } from "./compare.ts";
import { fill, victim } from "./objects.ts";
import { nameOf, pathCases } from "./paths.ts";
import { feedCases, fieldCases, queryCases, referenceCases, takesBody } from "./references.ts";
import { rowsOfAccount } from "./rows.ts";

const api = await startApi({ deletionGuard: 100, egressAllow: ["127.0.0.0/8"] });
const robber = await api.stranger();
const accounts = await api.store.db.selectFrom("account").select(["id", "name"]).execute();
const [victimId = "", robberId = ""] = ["first", "other"].map((name) => accounts.find((one) => one.name === name)?.id);
/** A page with a session of the account, and what its user has. */
async function page(account_id: string) {
  const { page } = await signedIn(api, { account_id });
  const [session] = await page.must<Fields[]>("GET", "auth/sessions");
  const draft = await page.must("PUT", "drafts", { name: "begun" });
  const view = await page.must("PUT", "views", { name: "saved", page: "zones", settings: {} });
  return { page, session: String(session?.["id"]), draft: String(draft["id"]), view: String(view["id"]) };
}
const { page: robberPage, ...ofRobber } = await page(robberId);
const own = await fill(robber, "robber", ofRobber);
const theirs = await fill(api, victim, await page(victimId));
const before = await rowsOfAccount(api.store, victimId);
/** Numbers may refer to any object. */
const secrets = Object.values(theirs.ids)
  .flat()
  .filter((id) => !/^\d+$/.test(id));
let count = 0;

/** A link that the attacker wrote, also within stored JSON: it may name anything. */
const written = /\\*"link\\*": ?\\*"[^"\\]*\\*"/g;

/** The victim's rows are unchanged, and the attacker's rows contain nothing of the victim. */
async function assertApart(): Promise<void> {
  expect(await rowsOfAccount(api.store, victimId)).toBe(before);
  const stolen = (await rowsOfAccount(api.store, robberId)).replaceAll(written, "");
  expect(secrets.filter((id) => stolen.includes(id))).toEqual([]);
}

function testCases(name: string, cases: readonly Case[], client: Pick<Client, "call"> = robber): void {
  if (cases.length === 0) return;
  test(name, async () => {
    await compareAll(client, secrets, cases);
    count += cases.length;
    await assertApart();
  });
}

/** Endpoints for pages require a session. */
const clientOf = ({ path }: { readonly path: string }) =>
  /^\/v1\/(auth|drafts|views)\b/.test(path) ? robberPage : robber;

testCases("what queries look for", queryCases(own, theirs));
testCases("metadata that takes its value from a feed", feedCases(own, theirs));
testCases("references in zones, records and keys", referenceCases(own, theirs));
for (const route of routes.filter(takesBody)) {
  testCases(`fields of ${nameOf(route)}`, fieldCases(route, own, theirs), clientOf(route));
}
const order = ["GET", "POST", "PUT", "DELETE"];
for (const route of [...routes].sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method))) {
  testCases(nameOf(route), pathCases(route, own, theirs), clientOf(route));
}

test("there are many cases", () => expect(count).toBeGreaterThan(4000));
