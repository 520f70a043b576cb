/** Several sequencers of one instance under writes: each is the heir of the earlier ones, which keep running. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { Mirror } from "../../../test/store/mirror.ts";
import { silent, testStore } from "../../../test/store/store.ts";
import { insertAccount, insertZone, putRecord } from "../../../test/store/writes.ts";
import { systemClock } from "../../lib/clock.ts";
import { followPostgres } from "../../sync/postgres/changes.ts";
import type { Store } from "../db.ts";
import { Sequencer } from "./sequencer.ts";

const names = ["first", "second", "third"];
/** Milliseconds between two starts, and until the end. The lease is renewed, or tried again, several times within it. */
const apart = 1500;

test("a later process numbers from its start on, an earlier one never again, and no revision is missing", async () => {
  // on a busy machine, a write may wait for longer than a caller would
  const store = await testStore({ patience: 10_000 });
  const account = await insertAccount(store);
  const zone = await insertZone(store, account, "heirs.example");
  const mirror = new Mirror();
  const subscription = await followPostgres(store.url, mirror, { log: silent, id: "test" });
  /** The process that numbered in each transaction, in order. Noted under the lock: replies to COMMIT may overtake each other. */
  const turns: string[] = [];
  const noting = (own: Store, name: string): Store => ({
    ...own,
    transaction: (run, options) =>
      own.transaction(async (tx) => {
        const result = await run(tx);
        turns.push(name);
        return result;
      }, options),
  });
  let isOver = false;
  const ids: string[] = [];
  const writer = (async () => {
    while (!isOver) ids.push(await putRecord(store, zone, { label: "www", address: "192.0.2.1" }));
  })();
  const sequencers: Sequencer[] = [];
  for (const [n, name] of names.entries()) {
    const own = await testStore({ url: store.url, poolSize: 2, holder: `heirs ${n}` });
    sequencers.push(new Sequencer(noting(own, name), { log: silent, clock: systemClock }));
    await delay(apart);
  }
  isOver = true;
  await writer;
  await expect.poll(() => mirror.sets.some(({ id }) => id === ids.at(-1))).toBe(true);

  expect(new Set(turns)).toEqual(new Set(names));
  expect(turns).toEqual(turns.toSorted((a, b) => names.indexOf(a) - names.indexOf(b)));
  expect(mirror.sets.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids);
  for (const [i, { revision, previous }] of mirror.sets.entries()) {
    expect(revision).toBe(previous + 1);
    if (i > 0) expect(previous).toBe(mirror.sets[i - 1]!.revision);
  }
  await subscription.close();
  for (const sequencer of sequencers) await sequencer.close();
}, 30_000);
