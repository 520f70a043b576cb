/** One account cannot keep others from the store: each attack as it was run, beside the calls of another tenant. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { type Client, startApi } from "../../test/service/api.ts";
import { lockAwaited } from "../../test/store/store.ts";
import { lockAccount } from "./kit/store.ts";

const api = await startApi();
const victim = await api.stranger();
await victim.must("PUT", "zones/victim.example", {});
const answers = [{ answer: ["192.0.2.1"] }];
await api.must("PUT", "zones/attacker.example", {});
const account = await api.store.db
  .selectFrom("zone")
  .selectAll()
  .where("zone", "=", "attacker.example")
  .executeTakeFirstOrThrow();

const many = <T>(count: number, call: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => call(n)));
const statusOf = async (call: ReturnType<Client["call"]>) => (await call).status;

/** Holds what `lock` locks while `during` runs. */
async function whileHeld<T>(lock: (db: typeof api.store.db) => Promise<unknown>, during: () => Promise<T>): Promise<T> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = api.store.transaction(
    async (tx) => {
      await lock(tx);
      held.resolve();
      await released.promise;
    },
    { within: 30_000 },
  );
  await held.promise;
  try {
    return await during();
  } finally {
    released.resolve();
    await holder;
  }
}

/** The statuses of many reads and writes of the other tenant, one after the other. */
async function others(count: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let n = 0; n < count; n++) {
    statuses.add(await statusOf(victim.call("GET", "zones/victim.example")));
    statuses.add(await statusOf(victim.call("PUT", `zones/victim.example/w${serial++}.victim.example/A`, { answers })));
  }
  return statuses;
}
let serial = 0;

test("200 key updates at once wait for one another outside the store, and none is refused", async () => {
  const { id } = await api.must<{ id: string }>("PUT", "account/apikeys", { name: "many" });
  let done = 0;
  const update = async (n: number) => {
    const status = await statusOf(api.call("POST", `account/apikeys/${id}`, { name: `many${n}` }));
    done++;
    return status;
  };
  const updates = await whileHeld(
    (db) => lockAccount(db, account.account_id),
    async () => {
      const updates = many(200, update);
      await lockAwaited(api.store);
      expect(await others(5)).toEqual(new Set([200]));
      expect(done).toBe(0);
      return [updates];
    },
  );
  expect(new Set(await updates[0])).toEqual(new Set([200]));
});

test("writes at names that a long transaction holds do not hold up the writes of others", async () => {
  const name = "held.attacker.example";
  let done = 0;
  const write = async (n: number) => {
    const status = await statusOf(
      api.call("PUT", `zones/attacker.example/${name}/${n % 2 ? "A" : "TXT"}`, { answers }),
    );
    done++;
    return status;
  };
  const { account_id, id: zone_id } = account;
  const writes = await whileHeld(
    (db) => db.insertInto("owner").values({ account_id, zone_id, domain: name }).execute(),
    async () => {
      const writes = many(30, write);
      await lockAwaited(api.store);
      expect(await others(5)).toEqual(new Set([200]));
      expect(done).toBe(0);
      return [writes];
    },
  );
  expect((await writes[0]!).filter((status) => status === 503)).toEqual([]);
});

test("many searches of a large zone leave room for the reads and writes of others", async () => {
  const { account_id, id: zone_id } = account;
  const filling = sql`
    insert into record (account_id, zone_id, domain, type, id, ttl, answers, created_at, updated_at)
    select ${account_id}, ${zone_id}, 'h' || n || '.attacker.example', 'A', 'id' || n, 60, '[{"answer":["192.0.2.1"],"id":"x"}]', 0, 0
    from generate_series(1, 50000) as n`;
  await api.store.transaction((tx) => filling.execute(tx), { within: 60_000 });
  let done = 0;
  const searches = many(40, async (n) => {
    const status = await statusOf(api.call("GET", `search?q=nothing${n}&type=${n % 2 ? "answers" : "record"}`));
    done++;
    return status;
  });
  expect(await others(20)).toEqual(new Set([200]));
  expect(done).toBeLessThan(40);
  for (const status of await searches) expect([200, 429]).toContain(status);
});
