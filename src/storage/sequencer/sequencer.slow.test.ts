import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { seededRandom } from "../../../test/machine/random.ts";
import { runs } from "../../../test/runs.ts";
import { keyOf, Mirror } from "../../../test/store/mirror.ts";
import { silent, testStore } from "../../../test/store/store.ts";
import {
  insertAccount,
  insertZone,
  putRecord,
  removeRecord,
  updateZone,
  type ZoneKey,
} from "../../../test/store/writes.ts";
import { systemClock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { isLaterSerial } from "../../lib/serial.ts";
import { followPostgres } from "../../sync/postgres/changes.ts";
import { recordColumns, recordState } from "../../sync/state.ts";
import { Sequencer } from "./sequencer.ts";

const writers = 16;
/** Generous, since writers wait for each other's rows on a busy machine. */
const patience = 20_000;

const store = await testStore({ poolSize: 24, patience });
const rival = await testStore({ poolSize: 2, url: store.url });
const account = await insertAccount(store);
const sequencers = [store, rival].map((own) => new Sequencer(own, { log: silent, clock: systemClock }));
const mirror = new Mirror();
const subscription = await followPostgres(store.url, mirror, { log: silent, id: "test" });
afterAll(async () => {
  await subscription.close();
  for (const sequencer of sequencers) await sequencer.close();
});

const slow = { timeout: 60_000 };

test("every change arrives once, in the order of each object's writes, while writers race and fail", slow, async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 3 }), async (seed, zoneCount) => {
      const zones = await Promise.all(
        Array.from({ length: zoneCount }, () => insertZone(store, account, `${newId()}.example`)),
      );
      const from = mirror.sets.length;
      const committed = new Set<string>();
      await Promise.all(
        Array.from({ length: writers }, (_, n) => write(zones, seededRandom(seed + n), 12, (id) => committed.add(id))),
      );
      await caughtUp();
      const sets = mirror.sets.slice(from);
      const ids = sets.map((set) => set.id).filter((id) => committed.has(id));
      expect(ids.length).toBe(committed.size);
      expect(new Set(ids)).toEqual(committed);
      await expectState(zones);
      await expectSerials(zones);
    }),
    runs(20),
  );
  expect(mirror.baselines.length).toBe(1);
  mirror.sets.forEach((set, index) => {
    if (index > 0) expect(set.previous).toBe(mirror.sets[index - 1]!.revision);
    expect(set.revision).toBe(set.previous + 1);
  });
});

test("a change of any process is numbered without waiting for the next poll", slow, async () => {
  const zone = await insertZone(store, account, `${newId()}.example`);
  await caughtUp();
  // an idle sequencer polls once a second by now
  await delay(1500);
  for (const sequencer of sequencers) {
    let count = 0;
    const timed = async () => {
      const id = await putRecord(store, zone, { label: `n${++count}`, address: "192.0.2.1" });
      const begin = performance.now();
      sequencer.wake();
      while (!mirror.sets.some((set) => set.id === id)) await delay(1);
      return performance.now() - begin;
    };
    await expect.poll(timed).toBeLessThan(300);
  }
});

/** Random writes at a few names; some roll back. */
async function write(zones: readonly ZoneKey[], random: () => number, count: number, done: (id: string) => void) {
  for (let index = 0; index < count; index++) {
    const zone = zones[Math.floor(random() * zones.length)]!;
    const label = `host${Math.floor(random() * 5)}`;
    const choice = random();
    const address = `192.0.2.${Math.floor(random() * 256)}`;
    if (choice < 0.1) done(await updateZone(store, zone, Math.floor(random() * 9999)));
    else if (choice < 0.25) {
      const id = await removeRecord(store, zone, label);
      if (id !== undefined) done(id);
    } else if (choice < 0.4) {
      const gaveUp = putRecord(store, zone, {
        label,
        address,
        interrupt: async () => {
          await delay(random() * 5);
          throw new Error("gave up");
        },
      });
      await expect(gaveUp).rejects.toThrow("gave up");
    } else done(await putRecord(store, zone, { label, address }));
    sequencers[0]!.wake();
  }
}

async function caughtUp() {
  for (;;) {
    const { open, head } = await sql<{ open: number; head: number }>`
      select (select count(*) from change where revision is null) as open,
        (select revision from sequencer where subject = 'configuration') as head
    `
      .execute(store.db)
      .then(({ rows }) => rows[0]!);
    if (open === 0) return await mirror.reaches(head);
    await delay(5);
  }
}

/** Checks that the changes that the follower received result in the contents of the tables. */
async function expectState(zones: readonly ZoneKey[]) {
  for (const { account_id, id } of zones) {
    const rows = await store.db
      .selectFrom("record")
      .select(recordColumns)
      .where("account_id", "=", account_id)
      .where("zone_id", "=", id)
      .execute();
    const received = [...mirror.records.values()].filter((record) => record.zone_id === id);
    expect(new Map(received.map((record) => [keyOf(record), record]))).toEqual(
      new Map(rows.map((row) => [keyOf(row), recordState(row)])),
    );
    const zone = await store.db.selectFrom("zone").select("ttl").where("id", "=", id).executeTakeFirstOrThrow();
    expect(mirror.zones.get(id)?.ttl).toBe(zone.ttl);
  }
}

async function expectSerials(zones: readonly ZoneKey[]) {
  for (const { id } of zones) {
    const received = mirror.sets.flatMap((set) =>
      id in set.serials ? [{ id: set.id, serial: set.serials[id]! }] : [],
    );
    for (let index = 1; index < received.length; index++) {
      expect(isLaterSerial(received[index]!.serial, received[index - 1]!.serial)).toBe(true);
    }
    const zone = await store.db.selectFrom("zone").select("serial").where("id", "=", id).executeTakeFirstOrThrow();
    expect(zone.serial).toBe(received.at(-1)!.serial);
    const given = await store.db
      .selectFrom("zone_serial")
      .select(["change_id", "serial"])
      .where("zone_id", "=", id)
      .execute();
    const byId = (rows: readonly { id: string; serial: number }[]) => new Map(rows.map((row) => [row.id, row.serial]));
    expect(byId(given.map(({ change_id, serial }) => ({ id: change_id, serial })))).toEqual(byId(received));
  }
}
