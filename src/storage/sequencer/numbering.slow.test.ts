import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import { fakeClock } from "../../../test/machine/clock.ts";
import { silent, testStore } from "../../../test/store/store.ts";
import {
  insertAccount,
  insertChange,
  insertZone,
  putRecord,
  updateZone,
  type ZoneKey,
} from "../../../test/store/writes.ts";
import { systemClock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { type Lease, takeLease } from "../lease.ts";
import { findChange } from "../outbox/changes.ts";
import { Numbering } from "./numbering.ts";
import { Sequencer } from "./sequencer.ts";
import { trimChanges } from "./trim.ts";

const slow = { timeout: 60_000 };

const store = await testStore();
const { db } = store;
const account_id = await insertAccount(store);
const clock = fakeClock();
let zone: ZoneKey;
let lease: Lease;
let numbering: Numbering;
beforeEach(async () => {
  await db.updateTable("lease").set({ expires_at: 0 }).execute();
  lease = (await takeLease(db, "sequencer", newId(), 60_000))!;
  numbering = new Numbering(store, { clock, log: silent });
  zone = await insertZone(store, account_id, `${newId()}.example`);
  await numbering.run(lease);
});

const put = (label = "www") => putRecord(store, zone, { label, address: "192.0.2.1" });
const found = async (id: string) => (await findChange(db, account_id, id))!;
const sequence = db.selectFrom("sequencer").select("revision").where("subject", "=", "configuration");
const head = async () => (await sequence.executeTakeFirstOrThrow()).revision;
const serialOf = async (id: string) =>
  (await db.selectFrom("zone").select("serial").where("id", "=", id).executeTakeFirstOrThrow()).serial;

test("a new change has no revision; numbering gives it the next revision, and its zone a new serial", async () => {
  const before = await head();
  const serial = await serialOf(zone.id);
  const id = await put();
  expect(await found(id)).toMatchObject({ id, revision: null, serials: null });
  await numbering.run(lease);
  const after = await serialOf(zone.id);
  expect(after).toBeGreaterThan(serial);
  expect(await found(id)).toMatchObject({ id, revision: before + 1, serials: { [zone.id]: after } });
});

test("a new serial is the time if that is larger, otherwise the old serial plus one", async () => {
  clock.advance(1_000_000);
  await put();
  await numbering.run(lease);
  expect(await serialOf(zone.id)).toBe(Math.floor(clock.now() / 1000));
  await put();
  await put();
  await numbering.run(lease);
  expect(await serialOf(zone.id)).toBe(Math.floor(clock.now() / 1000) + 2);
});

test("a change of several zones gives each of them one serial", async () => {
  const other = await insertZone(store, account_id, `${newId()}.example`);
  await numbering.run(lease);
  const zone_ids = [zone.id, other.id];
  const { id } = await store.transaction((tx) =>
    insertChange(tx, { account_id, zone_ids, changes: [], history: [], now: 1 }),
  );
  await numbering.run(lease);
  const serials = { [zone.id]: await serialOf(zone.id), [other.id]: await serialOf(other.id) };
  expect((await found(id)).serials).toEqual(serials);
});

/** Inserts a change with the serial of another server, or null to keep the serial. */
async function give(serial: number | null): Promise<string> {
  const change = { account_id, zone_ids: [zone.id], changes: [], history: [], now: 1, given: { [zone.id]: serial } };
  const { id } = await store.transaction((tx) => insertChange(tx, change));
  await numbering.run(lease);
  return id;
}

/** The serials of the zone in order of their revisions, with their changes. */
const versions = async () =>
  (await db.selectFrom("zone_serial").selectAll().where("zone_id", "=", zone.id).orderBy("revision").execute()).map(
    ({ serial, change_id }) => [serial, change_id],
  );

test("a serial that recurs is a new version: the versions up to the old one are deleted", async () => {
  const changes = [4_000_000_000, 5, 2_000_000_000, 4_000_000_000].map((serial) => () => give(serial));
  const saved = [4_000_000_000, 5].map((serial) => ({
    ...{ account_id, zone_id: zone.id, serial, name: "saved", created_at: 1 },
  }));
  await db.insertInto("saved_version").values(saved).execute();
  const ids: string[] = [];
  for (const change of changes) ids.push(await change());
  expect(await versions()).toEqual([
    [5, ids[1]],
    [2_000_000_000, ids[2]],
    [4_000_000_000, ids[3]],
  ]);
  const kept = db.selectFrom("saved_version").select("serial").where("zone_id", "=", zone.id);
  expect(await kept.execute()).toEqual([{ serial: 5 }]);
});

test("the version of an unchanged serial belongs to the first of its changes", async () => {
  const first = await give(7);
  await give(null);
  expect((await versions()).at(-1)).toEqual([7, first]);
});

test("a change of a removed zone is numbered without a serial", async () => {
  const id = await put();
  await db.deleteFrom("zone").where("id", "=", zone.id).execute();
  await numbering.run(lease);
  expect((await found(id)).serials).toEqual({});
});

test("a process that lost the lease numbers nothing", async () => {
  const id = await put();
  await db.updateTable("lease").set({ expires_at: 0 }).where("name", "=", "sequencer").execute();
  const rival = (await takeLease(db, "sequencer", newId(), 60_000))!;
  await expect(numbering.run(lease)).rejects.toThrow("another sequencer has the lease");
  expect((await found(id)).revision).toBeNull();
  await new Numbering(store, { clock, log: silent }).run(rival);
  expect((await found(id)).revision).toBe(await head());
});

test(
  "a sequencer that hangs in its transaction is replaced by another one, and then numbers nothing",
  slow,
  async () => {
    const id = await put();
    const hasty = await testStore({ url: store.url, patience: 300 });
    const { promise: asleep, resolve: wake } = Promise.withResolvers<void>();
    const { promise: standing, resolve: stand } = Promise.withResolvers<void>();
    const still = hasty
      .transaction(
        async (tx) => {
          await tx.selectFrom("sequencer").selectAll().forUpdate().execute();
          stand();
          await asleep;
          await tx.updateTable("sequencer").set({ revision: 1 }).execute();
        },
        { within: 1500 },
      )
      .catch((error: unknown) => error);
    await standing;
    await db.updateTable("lease").set({ expires_at: 0 }).execute();
    const rival = new Sequencer(store, { log: silent, clock: systemClock });
    afterAll(() => rival.close());
    while ((await found(id)).revision === null) await delay(20);
    const before = await head();
    wake();
    expect(await still).toMatchObject({ status: 503 });
    expect(await head()).toBe(before);
    await rival.close();
  },
);

test("a zone locked for long does not delay other zones, and its changes keep their order", slow, async () => {
  const other = await insertZone(store, account_id, `${newId()}.example`);
  await numbering.run(lease);
  const first = await put("first");
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const holder = store.transaction(
    async (tx) => {
      await tx.selectFrom("zone").select("id").where("id", "=", zone.id).forUpdate().execute();
      await held;
    },
    { within: 20_000 },
  );
  await delay(50);
  const shared = await store.transaction((tx) =>
    insertChange(tx, { account_id, zone_ids: [zone.id, other.id], changes: [], history: [], now: 1 }),
  );
  const behind = await updateZone(store, other, 60);
  const third = await insertZone(store, account_id, `${newId()}.example`);
  const free = await updateZone(store, third, 60);
  await numbering.run(lease);
  expect((await found(free)).revision).toBe(await head());
  for (const id of [first, shared.id, behind]) expect((await found(id)).revision).toBeNull();
  letGo();
  await holder;
  await numbering.run(lease);
  const revisions = await Promise.all([first, shared.id, behind].map(async (id) => (await found(id)).revision!));
  expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
});

test("a zone with constant writes is numbered in time", slow, async () => {
  let writing = true;
  const last: string[] = [];
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    while (writing) last[writer] = await updateZone(store, zone, Math.floor(Math.random() * 9999));
  });
  const begin = performance.now();
  const id = await put();
  while ((await found(id)).revision === null) {
    await numbering.run(lease).catch(() => {});
    await delay(5);
  }
  expect(performance.now() - begin).toBeLessThan(5000);
  writing = false;
  await Promise.all(writers);
});

test("changes are trimmed when every follower has them and they are some minutes old, or after a day", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) {
    ids.push(await put(`trim${n}`));
    await numbering.run(lease);
  }
  const [young, passed, ahead, old] = ids as [string, string, string, string];
  const now = Math.floor(Date.now() / 1000);
  const age = (id: string, created: number) => db.updateTable("change").set({ created }).where("id", "=", id).execute();
  await age(passed, now - 3600);
  await age(ahead, now - 3600);
  await age(old, now - 90_000);
  await db.updateTable("change").set({ is_load: true }).where("id", "=", passed).execute();
  await db.insertInto("change_load").values({ id: passed, checksum: "", body: "", created: now }).execute();
  const revision = (await found(passed)).revision!;
  await db
    .insertInto("follower")
    .values([
      { id: "near", revision: revision + 1, seen_at: now },
      { id: "far", revision, seen_at: now },
      { id: "forgotten", revision: 0, seen_at: now - 90_000 },
    ])
    .execute();
  await trimChanges(db, now);
  expect(await Promise.all([young, passed, ahead, old].map((id) => findChange(db, account_id, id)))).toEqual([
    expect.objectContaining({ id: young }),
    undefined,
    expect.objectContaining({ id: ahead }),
    undefined,
  ]);
  expect(await db.selectFrom("change_load").select("id").where("id", "=", passed).execute()).toEqual([]);
  expect((await db.selectFrom("follower").select("id").execute()).map((row) => row.id).toSorted()).toEqual([
    "far",
    "near",
  ]);
});

/** After a store was put back, the row of the epoch has another writer, or another timeline. */
test.each([
  ["a dump was restored", { writer: "1" }],
  ["a standby was promoted", { timeline: "0000" }],
])("after %s, serials move far ahead once, for zones of other servers at once", async (_, fields) => {
  const secondaries = [{ ip: "192.0.2.1", port: 53, notify: false, networks: [0] }];
  const primary = JSON.stringify({ enabled: true, secondaries });
  const served = await insertZone(store, account_id, `${newId()}.example`);
  const inward = await insertZone(store, account_id, `${newId()}.example`);
  await numbering.run(lease);
  for (const { id } of [served, inward]) await db.updateTable("zone").set({ primary }).where("id", "=", id).execute();
  await db.updateTable("zone").set({ refresh_at: 1 }).where("id", "=", inward.id).execute();
  const ids = [served.id, inward.id, zone.id];
  const serials = () => Promise.all(ids.map(serialOf));
  const before = await serials();
  await db.updateTable("epoch").set(fields).execute();
  expect(await numbering.isWaiting()).toBe(true);
  for (let more = true; more; ) ({ more } = await numbering.run(lease));
  expect(await numbering.isWaiting()).toBe(false);
  const moved = await serials();
  expect(moved.map((serial, i) => serial - before[i]!)).toEqual([2 ** 24 + 1, 0, 0]);
  await put();
  await numbering.run(lease);
  await put();
  await numbering.run(lease);
  expect((await serialOf(zone.id)) - before[2]!).toBe(2 ** 24 + 2);
  const later = await insertZone(store, account_id, `${newId()}.example`);
  await numbering.run(lease);
  expect(await serialOf(later.id)).toBe(Math.floor(clock.now() / 1000));
});
