import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyOf, Mirror } from "../../../test/store/mirror.ts";
import { silent, testStore } from "../../../test/store/store.ts";
import { insertAccount, insertChange, insertZone, now, putRecord, type ZoneKey } from "../../../test/store/writes.ts";
import { systemClock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { Sequencer } from "../../storage/sequencer/sequencer.ts";
import type { ChangeSet, RecordState } from "../change.ts";
import { recordColumns, recordState } from "../state.ts";
import { followPostgres } from "./changes.ts";

const slow = { timeout: 60_000 };

const store = await testStore();
const account_id = await insertAccount(store);
let sequencer: Sequencer;
let zone: ZoneKey;
beforeAll(async () => {
  sequencer = new Sequencer(store, { log: silent, clock: systemClock });
  zone = await insertZone(store, account_id, "example.com");
});
afterAll(() => sequencer.close());

const put = async (label: string, address = "192.0.2.1") => {
  const id = await putRecord(store, zone, { label, address });
  sequencer.wake();
  return id;
};

const sequence = store.db.selectFrom("sequencer").select("revision").where("subject", "=", "configuration");
const head = async () => (await sequence.executeTakeFirstOrThrow()).revision;

/** Waits until all changes are numbered. */
async function settled(): Promise<number> {
  const open = store.db.selectFrom("change").select("id").where("revision", "is", null);
  while ((await open.execute()).length > 0) await delay(5);
  return await head();
}

async function expectTables(mirror: Mirror) {
  await mirror.reaches(await settled());
  const records = await store.db.selectFrom("record").select(recordColumns).execute();
  expect(mirror.records).toEqual(new Map(records.map((row) => [keyOf(row), recordState(row)])));
  const zones = await store.db.selectFrom("zone").select(["id", "serial"]).execute();
  expect(mirror.serials).toEqual(new Map(zones.map((row) => [row.id, row.serial])));
}

/** Follows the stream for one test. */
async function follow(mirror: Mirror, log = silent) {
  const subscription = await followPostgres(store.url, mirror, { log, id: newId() });
  return { subscription, [Symbol.asyncDispose]: () => subscription.close() };
}

test("a baseline taken during writes, with the changes after it, equals the tables", slow, async () => {
  let writing = true;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; writing; n++) await put(`w${writer}-${n % 7}`, `192.0.2.${n % 256}`);
  });
  await delay(100);
  for (let n = 0; n < 3; n++) {
    const mirror = new Mirror();
    await using _ = await follow(mirror);
    await delay(150);
    writing = n < 2;
    if (!writing) await Promise.all(writers);
    else await mirror.reaches(mirror.revision + 3);
    if (!writing) await expectTables(mirror);
  }
});

test("a baseline of many batches is complete", slow, async () => {
  const rows = Array.from({ length: 4500 }, (_, n) => ({
    ...{ account_id, zone_id: zone.id, domain: `many${n}.example.com`, type: "A", id: newId(), ttl: 3600, tier: 1 },
    ...{ link: null, use_client_subnet: true, override_ttl: false, override_address_records: false },
    ...{ answers: '[{"id":"a","answer":["192.0.2.1"],"feeds":[]}]', filters: "[]", regions: "{}", meta: "{}" },
    ...{ feeds: "[]", tags: "{}", local_tags: "[]", blocked_tags: "[]", created_at: now(), updated_at: now() },
  }));
  for (let at = 0; at < rows.length; at += 1500) {
    await store.db
      .insertInto("record")
      .values(rows.slice(at, at + 1500))
      .execute();
  }
  const mirror = new Mirror();
  await using _ = await follow(mirror);
  expect(mirror.records.size).toBeGreaterThanOrEqual(4500);
  expect(mirror.records.get(`${zone.id} many7.example.com A`)?.answers).toEqual([{ id: "a", answer: ["192.0.2.1"] }]);
  await expectTables(mirror);
});

describe("a change set above 256 KiB", () => {
  const record = (label: string): RecordState => ({
    ...{ id: newId(), zone_id: zone.id, domain: `${label}.example.com`, type: "TXT", ttl: 60, meta: {}, regions: {} },
    ...{ filters: [], use_client_subnet: true, override_ttl: false, override_address_records: false },
    answers: [{ id: newId(), answer: ["x".repeat(300)] }],
  });
  const putMany = () =>
    store.transaction((tx) =>
      insertChange(tx, {
        ...{ account_id, zone_ids: [zone.id], history: [], now: now() },
        changes: Array.from({ length: 900 }, (_, n) => ({ kind: "record", record: record(`big${n}`) })),
      }),
    );

  test("travels by reference and is applied whole", slow, async () => {
    const mirror = new Mirror();
    await using _ = await follow(mirror);
    const { id } = await putMany();
    sequencer.wake();
    await mirror.reaches(await settled());
    const row = await store.db.selectFrom("change").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(row.is_load).toBe(true);
    expect(row.body.length).toBeLessThan(300);
    expect(mirror.sets.find((set) => set.id === id)?.changes).toHaveLength(900);
  });

  test("that was damaged in the store is refused and reported, and the follower starts again", slow, async () => {
    await settled();
    const { log, lines } = capture();
    const mirror = new Mirror();
    await using _ = await follow(mirror, log);
    await sequencer.close();
    const { id } = await putMany();
    await sql`update change_load set body = replace(body, 'big7.', 'bad7.') where id = ${id}`.execute(store.db);
    sequencer = new Sequencer(store, { log: silent, clock: systemClock });
    await mirror.reaches(await settled());
    while (mirror.baselines.length < 2) await delay(10);
    expect(mirror.sets.some((set) => set.id === id)).toBe(false);
    expect([...mirror.records.keys()].filter((key) => key.includes("bad7"))).toEqual([]);
    expect(lines.join()).toContain(`load ${id} is damaged`);
    await put("after");
    await mirror.reaches(await settled());
    expect(mirror.records.has(`${zone.id} after.example.com A`)).toBe(true);
  });
});

test("after a gap the follower starts again from a baseline", slow, async () => {
  await settled();
  const mirror = new Mirror();
  await using _ = await follow(mirror);
  await put("before-gap");
  await mirror.reaches(await settled());
  await store.transaction(async (tx) => {
    await tx
      .updateTable("sequencer")
      .set((eb) => ({ revision: eb("revision", "+", 5) }))
      .execute();
  });
  await put("after-gap");
  while (mirror.baselines.length < 2) await delay(10);
  await expectTables(mirror);
});

test("a gap of trimmed revisions is noticed even if no new revision follows", slow, async () => {
  await settled();
  const mirror = new Mirror();
  await using _ = await follow(mirror);
  await store.db
    .updateTable("sequencer")
    .set((eb) => ({ revision: eb("revision", "+", 1) }))
    .execute();
  while (mirror.baselines.length < 2) await delay(10);
  expect(mirror.revision).toBe(await head());
});

test("a store that went back to an earlier revision gives a new baseline", slow, async () => {
  await settled();
  const { log, lines } = capture();
  const mirror = new Mirror();
  await using _ = await follow(mirror, log);
  const before = await head();
  await store.db
    .updateTable("sequencer")
    .set({ revision: before - 1 })
    .execute();
  while (mirror.baselines.length < 2) await delay(10);
  expect(mirror.revision).toBe(before - 1);
  expect(lines.join()).toContain("went back");
  await store.db
    .updateTable("sequencer")
    .set({ revision: before + 1000 })
    .execute();
});

test(
  "a change in an unknown format stops the follower and is reported, until the change is in a known format",
  slow,
  async () => {
    await settled();
    const { log, lines } = capture();
    const mirror = new Mirror();
    await using _ = await follow(mirror, log);
    const next = (await head()) + 1;
    const row = { account_id, id: newId(), zone_ids: "[]", is_load: false, created: now() };
    await store.db
      .insertInto("change")
      .values({ ...row, body: '{"format":99,"changes":[]}' })
      .execute();
    await settled();
    while (!lines.join().includes("format 99")) await delay(10);
    expect(mirror.revision).toBe(next - 1);
    await store.db.updateTable("change").set({ body: '{"format":1,"changes":[]}' }).where("id", "=", row.id).execute();
    await mirror.reaches(next);
    expect(mirror.baselines).toHaveLength(1);
  },
);

test("a follower that could not apply a change gets a new baseline", slow, async () => {
  await settled();
  const mirror = new Mirror();
  await using _ = await follow(mirror);
  mirror.onApply = (sets: readonly ChangeSet[]) => {
    if (mirror.baselines.length < 2 && sets.length > 0) throw new Error("no room");
  };
  await put("unlucky");
  while (mirror.baselines.length < 2) await delay(10);
  await expectTables(mirror);
});

test("a lost connection is replaced, and no change is missed", slow, async () => {
  await settled();
  const mirror = new Mirror();
  await using running = await follow(mirror);
  for (let n = 0; n < 3; n++) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'fairlead follower%'`.execute(
      store.db,
    );
    await put(`lost${n}`);
    await expectTables(mirror);
  }
  expect(mirror.baselines).toHaveLength(1);
  expect(running.subscription.behind).toBe(0);
});

test("a follower is registered while it follows", slow, async () => {
  const id = newId();
  const subscription = await followPostgres(store.url, new Mirror(), { log: silent, id });
  const known = () => store.db.selectFrom("follower").select("revision").where("id", "=", id).execute();
  expect(await known()).toHaveLength(1);
  await subscription.close();
  expect(await known()).toEqual([]);
});

test("waiting for an unreachable store can be aborted", slow, async () => {
  const signal = AbortSignal.timeout(300);
  const url = "postgresql:///fairlead?host=/nowhere&user=fairlead";
  await expect(followPostgres(url, new Mirror(), { log: silent, id: newId(), signal })).rejects.toThrow("closed");
});

/** A log, and the lines written to it. */
function capture() {
  const lines: string[] = [];
  return { lines, log: pino({ level: "error" }, { write: (line: string) => void lines.push(line) }) };
}
