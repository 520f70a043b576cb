/** Strangers without a key have one share of the store, however many keys they try. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { startApi } from "../../test/service/api.ts";
import { clientOf } from "../../test/service/client.ts";
import { lockAwaited } from "../../test/store/store.ts";
import { newKeyString } from "../lib/ids.ts";
import { defaultPoolSize } from "../storage/db.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });
const from = (address: string, key: string) => {
  const client = clientOf(api.url, key);
  const headers = {
    "X-Forwarded-For": address,
    Origin: "https://dns.example.net",
    "Content-Type": "application/json",
  };
  return {
    read: async () => (await client.call("GET", "zones", undefined, headers)).status,
    ask: async () => (await client.call("POST", "auth/forgot", { username: key }, headers)).status,
  };
};

test.each(["read", "ask"] as const)("wrong keys and names (%s) do not keep others from the store", async (how) => {
  const victim = from("192.0.2.1", api.key);
  const owner = clientOf(api.url, api.key);
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const table = how === "read" ? "key_claim" : "attempt";
  const locking = api.store.transaction(
    async (tx) => {
      // the victim's key is known for the better part of a second
      expect(await victim.read()).toBe(200);
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
      locked.resolve();
      await released.promise;
    },
    { within: 30_000 },
  );
  await locked.promise;
  const wrong = Array.from({ length: 200 }, (_, n) =>
    from(how === "read" ? "198.51.100.7" : `2001:db8:bad:${n.toString(16)}::1`, newKeyString())[how](),
  );
  try {
    await lockAwaited(api.store, 3);
    expect(await victim.read()).toBe(200);
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect((await waiting.execute(api.store.db)).rows.length).toBeLessThanOrEqual(defaultPoolSize / 4);
  } finally {
    released.resolve();
    await locking;
  }
  const refusals = how === "read" ? [401, 429, 503] : [200, 429, 503];
  for (const status of await Promise.all(wrong)) expect(refusals).toContain(status);
  expect((await owner.call("GET", "zones")).status).toBe(200);
});
