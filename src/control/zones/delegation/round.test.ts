/** The round over the delegations of all zones, with parents that never answer. */
import { expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { startApi } from "../../../../test/service/api.ts";
import { silent } from "../../../../test/store/store.ts";
import { Egress } from "../../../lib/address/egress.ts";
import type { Delegation } from "../../../net/client/delegation.ts";
import { Delegations, lookSlots, mostTaken } from "./delegations.ts";

const clock = fakeClock();
const api = await startApi({ clock });
const other = await api.stranger();
const good: Delegation = { asked: "parent", servers: new Map([["dns1.example.net", []]]) };
const asked: string[] = [];
/** Called when a parent that does not answer is asked. */
let onSlow = () => {};
let silence = Promise.withResolvers<undefined>();
const delegations = new Delegations({
  store: api.store,
  clock,
  log: silent,
  settings: { egress: new Egress({ allow: [], own: [] }) },
  names: {
    isUndelegated: async () => undefined,
    serversOf: async () => undefined,
    textsOf: async () => undefined,
    delegationOf(zone) {
      asked.push(zone);
      if (!zone.startsWith("slow")) return Promise.resolve(good);
      onSlow();
      return silence.promise;
    },
    close() {},
  },
});
await delegations.close();
const turn = () => delegations.turn(new AbortController().signal);
const states = async () => {
  const rows = api.store.db.selectFrom("zone_delegation").innerJoin("zone", "zone.id", "zone_delegation.zone_id");
  const found = await rows.select(["zone", "state", "looked_at"]).orderBy("zone").execute();
  return Object.fromEntries(found.map(({ zone, state }) => [zone, state]));
};

test("zones are looked at when they are due, and again after hours", async () => {
  await api.must("PUT", "zones/first.example", {});
  await turn();
  expect(await states()).toEqual({ "first.example": "partly" });
  await turn();
  expect(asked.splice(0)).toEqual(["first.example"]);
  clock.advance(6 * 3600_000 + 1000);
  await turn();
  expect(asked.splice(0)).toEqual(["first.example"]);
});

test("zones of an account whose parents are silent do not delay those of another, and are due again", async () => {
  const most = 24;
  for (let n = 0; n < most; n++) await api.must("PUT", `zones/slow${n}.example`, {});
  await other.must("PUT", "zones/quick.example", {});
  const isAsked = new Promise<void>((done) => {
    onSlow = done;
  });
  const running = turn();
  await isAsked;
  await expect.poll(async () => (await states())["quick.example"], { timeout: 9000 }).toBe("partly");
  expect(asked.filter((zone) => zone.startsWith("slow")).length).toBeLessThan(most);
  silence.resolve(undefined);
  await running;
  expect((await states())["slow0.example"]).toBe("unknown");
});

test("accounts take turns when more zones are due than a turn takes", async () => {
  clock.advance(7 * 3600_000);
  asked.splice(0);
  const { db } = api.store;
  const { account_id } = await db
    .selectFrom("zone")
    .select("account_id")
    .where("zone", "=", "first.example")
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: 2 * mostTaken }, (_, n) => ({ account_id, zone_id: `gone${n}`, due_at: 1 }));
  await db.insertInto("zone_delegation").values(rows).execute();
  await turn();
  expect(asked).toContain("quick.example");
  // what belongs to no zone is removed
  const left = await db.selectFrom("zone_delegation").selectAll().where("zone_id", "like", "gone%").execute();
  expect(left.length).toBeLessThan(2 * mostTaken);
});

test("an account that looks at many zones itself is limited, and another is served meanwhile", async () => {
  const { db } = api.store;
  const row = (zone: string) => db.selectFrom("zone").selectAll().where("zone", "=", zone).executeTakeFirstOrThrow();
  silence = Promise.withResolvers();
  const waiting: Promise<void>[] = [];
  for (let n = 0; n < lookSlots.own; n++) waiting.push(delegations.lookFor(await row(`slow${n}.example`)));
  const first = await row("first.example");
  await expect(delegations.lookFor(first)).rejects.toMatchObject({ status: 429 });
  await delegations.lookFor(await row("quick.example"));
  silence.resolve(undefined);
  await Promise.all(waiting);
  await delegations.lookFor(first);
});
