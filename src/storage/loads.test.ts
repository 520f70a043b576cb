import { afterAll, beforeAll, expect, test } from "vitest";
import { Mirror } from "../../test/store/mirror.ts";
import { silent, testStore } from "../../test/store/store.ts";
import { insertAccount, insertChange, insertZone, now } from "../../test/store/writes.ts";
import { systemClock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import { PartWriter, readPart } from "../sync/contents.ts";
import { followPostgres } from "../sync/postgres/changes.ts";
import { openStore } from "./db.ts";
import { storeNow } from "./lease.ts";
import { clearAbandoned, type LoadSlice, rowHead, ZoneLoad } from "./loads.ts";
import { Sequencer } from "./sequencer/sequencer.ts";
import { trimChanges } from "./sequencer/trim.ts";

const store = await testStore();
const account_id = await insertAccount(store);
let sequencer: Sequencer;
beforeAll(() => {
  sequencer = new Sequencer(store, { log: silent, clock: systemClock });
});
afterAll(() => sequencer.close());

const owner = (n: number) => Uint8Array.of(1, 97 + n, 0);

/** Address records at the names from number `from` to before `to`. */
function slice(load: ZoneLoad, from: number, to: number): LoadSlice {
  const part = new PartWriter();
  const rows: string[] = [];
  for (let n = from; n < to; n++) {
    rows.push(`${rowHead({ ...load, now: 5 })}h${n}.example\tA\t${newId()}\t60\t[{"answer":["192.0.2.1"],"id":"a"}]\n`);
    part.add({ owner: owner(n), type: 1, ttl: 60, rdata: [Uint8Array.of(192, 0, 2, 1)] });
  }
  return { rows: Buffer.from(rows.join("")), part: part.take(), records: to - from };
}

const stored = async ({ zone_id, id }: ZoneLoad) => {
  const records = await store.db.selectFrom("record").select("domain").where("zone_id", "=", zone_id).execute();
  const parts = await store.db.selectFrom("change_part").select("part").where("load_id", "=", id).execute();
  const loads = await store.db.selectFrom("zone_load").select("id").where("id", "=", id).execute();
  return [records.length, parts.length, loads.length];
};

const forget = (load: ZoneLoad) =>
  store.transaction(async (tx) => {
    const { holder } = await tx
      .selectFrom("zone_load")
      .select("holder")
      .where("id", "=", load.id)
      .executeTakeFirstOrThrow();
    await tx.deleteFrom("lease").where("name", "=", `work:${holder}`).execute();
  });

test("the records of a load become visible with its change, and the parts of the load are trimmed with that change", async () => {
  const zone = await insertZone(store, account_id, "loaded.example");
  const load = await ZoneLoad.begin(store, account_id);
  await load.add(slice(load, 0, 5));
  await load.add(slice(load, 5, 7));
  const mirror = new Mirror();
  const subscription = await followPostgres(store.url, mirror, { log: silent, id: newId() });
  expect([mirror.records.size, await stored(load)]).toEqual([0, [7, 2, 1]]);
  const read: string[] = [];
  mirror.onApply = async (sets) => {
    for (const { changes, parts } of sets) {
      const [step] = changes;
      if (step?.kind !== "contents") continue;
      for await (const part of parts!(step.load)) for (const each of readPart(part)) read.push(String(each.owner[1]));
    }
  };
  const change = await store.transaction(async (tx) => {
    await load.publish(tx);
    const step = { kind: "contents", zone_id: zone.id, zone: zone.zone, load: load.reference() } as const;
    return await insertChange(tx, { account_id, zone_ids: [zone.id], changes: [step], history: [], now: now() });
  });
  sequencer.wake();
  await load.end();
  expect([change.id, await stored(load)]).toEqual([load.id, [7, 2, 0]]);
  await expect.poll(() => read.length, { timeout: 10_000 }).toBe(7);
  await subscription.close();
  await trimChanges(store.db, now() + 2 * 24 * 60 * 60);
  expect(await stored(load)).toEqual([7, 0, 0]);
});

test("added records can be removed, and nothing remains of a load that was not published", async () => {
  const load = await ZoneLoad.begin(store, account_id);
  await load.add(slice(load, 0, 3));
  await load.clear();
  expect(await stored(load)).toEqual([0, 0, 1]);
  await load.add(slice(load, 0, 2));
  expect([load.reference().parts, load.reference().records, await stored(load)]).toEqual([1, 2, [2, 1, 1]]);
  await load.end();
  expect(await stored(load)).toEqual([0, 0, 0]);
});

test("an abandoned load is removed, and later writes to it fail", async () => {
  const [load, other] = [await ZoneLoad.begin(store, account_id), await ZoneLoad.begin(store, account_id)];
  await load.add(slice(load, 0, 3));
  await other.add(slice(other, 0, 3));
  await forget(load);
  await clearAbandoned(store.db);
  expect([await stored(load), await stored(other)]).toEqual([
    [0, 0, 0],
    [3, 1, 1],
  ]);
  await expect(load.add(slice(load, 3, 4))).rejects.toThrow("the loaded records were removed");
  await expect(store.transaction((tx) => load.publish(tx))).rejects.toThrow("the loaded records were removed");
  expect(await stored(load)).toEqual([0, 0, 0]);
  await Promise.all([load.end(), other.end()]);
});

test("a load ends without an error when the store is unreachable, and a failed start leaves no holder", async () => {
  await expect(ZoneLoad.begin(store, "nul\0")).rejects.toThrow("invalid byte sequence");
  const held = store.db.selectFrom("lease").select("name").where("name", "like", "work:%");
  expect(await held.where("expires_at", ">", storeNow).execute()).toEqual([]);
  const other = await openStore(store.url, { log: silent });
  const load = await ZoneLoad.begin(other, account_id);
  await other.close();
  await load.end();
  await forget(load);
  await clearAbandoned(store.db);
  expect(await stored(load)).toEqual([0, 0, 0]);
});
