/** A newer version starts on the store of an older one that runs: the older control stops, and its edge goes on. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { PatchedTree } from "../machine/patched.ts";
import { clientOf } from "../service/client.ts";
import { type Service, service } from "../service/kit.ts";
import { testDatabase } from "../store/store.ts";

const zone = "newer.example";
const migration = {
  what: "one more migration",
  file: "src/storage/migrate.ts",
  from: "/** The names of all migrations, in order. */",
  to: 'migrations["9999_later"] = { up: (db) => sql`create table later (id text)`.execute(db).then(() => {}) };\n',
};

const url = await testDatabase();
const older = await service({ flags: ["--database-url", url] });
afterAll(() => older.stop());
const { key } = older;
const apis: Service[] = [older];

/** Writes as behind a load balancer: to the first API that takes the write. Returns the names of acknowledged records. */
async function write(signal: AbortSignal): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let number = 0; !signal.aborted; number++, await delay(20)) {
    for (const api of apis) {
      const path = `zones/${zone}/n${number}.${zone}/A`;
      const { status } = await clientOf(api.url, key).call("PUT", path, { answers: [{ answer: ["192.0.2.1"] }] });
      if (status !== 200) continue;
      acknowledged.push(`n${number}`);
      break;
    }
  }
  return acknowledged;
}

test("the older control stops with one clear line, no acknowledged write is lost, and the older edge follows", async () => {
  await older.zone(zone);
  const end = new AbortController();
  const writing = write(end.signal);
  using patched = new PatchedTree();
  await using newer = await patched.with(migration, () => {
    const flags = ["--database-url", url, "--master-key-file", join(older.data, "master.key")];
    return service({ sources: patched.path, flags });
  });
  apis.push(newer);
  const reason = "the store was changed by a newer version of Fairlead (9999_later): upgrade this process";
  const old = clientOf(older.url, key);
  for (const call of [() => old.call("GET", "zones"), () => old.call("PUT", "zones/other.example", {})]) {
    expect(await call()).toMatchObject({ status: 503, body: { message: reason } });
  }
  expect((await fetch(`${older.url}/readyz`)).status).toBe(503);
  await delay(500);
  end.abort();
  const acknowledged = await writing;
  expect(acknowledged.length).toBeGreaterThan(20);

  const fresh = clientOf(newer.url, key);
  const { records } = await fresh.must<{ records: { domain: string }[] }>("GET", `zones/${zone}`);
  const stored = new Set(records.map(({ domain }) => domain.split(".")[0]));
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  const last = `${acknowledged.at(-1)}.${zone} A`;
  for (const edge of [older, newer]) await expect.poll(() => edge.ask(last)).toHaveLength(1);
  const messages = older.daemon.printed
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? JSON.parse(line).msg : []));
  expect(messages.filter((message) => message === reason)).toHaveLength(1);
});
