/** Two control processes of one store, each of which counts what the other deletes. */
import { CompiledQuery } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { silent, testStore } from "../../test/store/store.ts";
import { fakeClock } from "../lib/clock.ts";
import { SharedDeletions } from "./shared-deletions.ts";
import { Deletions } from "./zones/records/guard.ts";

const patience = { timeout: 40_000, interval: 20 };
const store = await testStore();
const clock = fakeClock();

function control(): Deletions {
  const deletions = new Deletions(clock);
  const shared = new SharedDeletions({ store, deletions, log: silent });
  onTestFinished(() => shared.close());
  return deletions;
}

test("what one control process deletes counts in the others, and what is made anew there makes up for it", async () => {
  const [a, b] = [control(), control()];
  // one that does not listen yet hears nothing
  await expect
    .poll(() => {
      a.note("first", 1);
      return b.recent("first");
    }, patience)
    .toBeGreaterThan(0);
  b.note("zone", 60);
  for (let key = 0; key < 250; key++) a.note(`${key}`, 2);
  await expect.poll(() => [a.recent("zone"), b.recent("0"), b.recent("249")], patience).toEqual([60, 2, 2]);
  a.makeUp("zone");
  await expect.poll(() => b.recent("zone"), patience).toBe(59);
  expect([a.recent("zone"), a.recent("0")]).toEqual([59, 2]);
}, 90_000);

test("a process whose connection was lost hears of what comes then", async () => {
  const [a, b] = [control(), control()];
  const heard = (key: string) =>
    expect
      .poll(() => {
        a.note(key, 1);
        return b.recent(key);
      }, patience)
      .toBeGreaterThan(0);
  await heard("before");
  await store.tell("fairlead_deletions", "what nobody understands");
  const listeners = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen fairlead_deletions'`;
  await store.db.executeQuery(CompiledQuery.raw(listeners));
  await heard("after");
}, 90_000);
