/** History, activity, deleted zones and stored replies of an account have limits: the oldest goes first, and other accounts keep theirs. */
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { fakeClock } from "../../test/machine/clock.ts";
import { newestAccount } from "../../test/service/accounts.ts";
import { type Client, type Fields, startApi } from "../../test/service/api.ts";
import { silent } from "../../test/store/store.ts";
import { newKeyString } from "../lib/ids.ts";
import { KeptLimits } from "./kept.ts";
import { countNewest, type Kept, keptTables } from "./kept-store.ts";
import { limits } from "./kit/limits.ts";
import { unlimited } from "./write/quota/quota.ts";
import { setQuota } from "./write/quota/store.ts";

const clock = fakeClock(Date.now());
const api = await startApi({ clock });
const registry = new Registry();
const mebi = 1024 * 1024;

type Version = Fields & { readonly id: number };
const versionsOf = (client: Client, zone: string) => client.must<Version[]>("GET", `zones/${zone}/versions`);
const drawn = (octets: number) => {
  let text = "";
  while (text.length < octets) text += newKeyString();
  return text.slice(0, octets);
};
/** 30 KB that cannot be compressed much. */
const text = () => [drawn(30_000)];
/** Writes the zone's large record. */
const put = async (client: Client, zone: string) => {
  clock.advance(1000);
  const path = `zones/${zone}/large.${zone}/TXT`;
  const { status } = await client.call("GET", path);
  return await client.must(status === 200 ? "POST" : "PUT", path, { answers: [{ answer: text() }] });
};
let zones = 0;
async function account(kept: number | null) {
  const client = await api.stranger();
  const account_id = await newestAccount(api.store);
  await setQuota(api.store.db, account_id, { ...unlimited, kept });
  const zone = `kept${++zones}.example`;
  await client.must("PUT", `zones/${zone}`, {});
  return { client, account_id, zone };
}
const octetsOf = async (kept: Kept, account_id: string) =>
  (await countNewest(api.store.db, kept, account_id, { before: 2 ** 40, most: 2 ** 50 })).octets;

/** Measures these accounts as the service does, in a process that has just started. */
async function measure(...accounts: readonly string[]): Promise<void> {
  const parts = { store: api.store, clock, log: silent, registry: new Registry(), every: 3_600_000 };
  const kept = new KeptLimits({ ...parts, writers: new Set(accounts) });
  await kept.round();
  await kept.close();
}

/** Waits until all changes have their numbers. The service may remove versions meanwhile, so these are not counted. */
const numbered = async () => {
  const waiting = api.store.db.selectFrom("change").select("id").where("revision", "is", null);
  await expect.poll(async () => (await waiting.execute()).length).toBe(0);
};

test("a record that is written again and again leaves a limited number of versions, and another account all of its", async () => {
  const [busy, other, free] = [await account(mebi), await account(mebi), await account(null)];
  for (let n = 0; n < 5; n++) for (const { client, zone } of [other, free]) await put(client, zone);
  for (let n = 0; n < 60; n++) await put(busy.client, busy.zone);
  await numbered();
  await measure(busy.account_id, other.account_id, free.account_id);
  expect(await octetsOf("versions", busy.account_id)).toBeLessThanOrEqual(mebi);
  expect(await octetsOf("versions", busy.account_id)).toBeGreaterThan(mebi / 2);
  expect(await octetsOf("activity", busy.account_id)).toBeLessThanOrEqual(mebi);
  const left = await versionsOf(busy.client, busy.zone);
  expect(left.length).toBeLessThan(40);
  for (const { client, zone } of [other, free]) expect((await versionsOf(client, zone)).length).toBe(6);
  // the oldest version that is left is whole, and the present one, too
  const path = `zones/${busy.zone}/large.${busy.zone}/TXT`;
  const oldest = await busy.client.must<{ answers: Fields[] }>("GET", `${path}?version=${left.at(-1)!.id}`);
  expect(JSON.stringify(oldest.answers).length).toBeGreaterThan(30_000);
  await busy.client.must("POST", `zones/${busy.zone}/versions/${left.at(-1)!.id}/activate`);
  expect(await busy.client.must("GET", path)).toMatchObject({
    answers: [{ answer: (oldest.answers[0] as Fields)["answer"] }],
  });
});

test("saved versions do not keep more than the limit, and each zone keeps its newest version", async () => {
  const { client, account_id, zone } = await account(mebi);
  const quiet = `quiet${zone}`;
  await client.must("PUT", `zones/${quiet}`, {});
  await put(client, quiet);
  await numbered();
  await client.must("PUT", `zones/${zone}/versions`, { name: "for good" });
  for (let n = 0; n < 60; n++) await put(client, zone);
  await numbered();
  await measure(account_id);
  expect(await octetsOf("versions", account_id)).toBeLessThanOrEqual(mebi);
  expect(await client.must("GET", `zones/${zone}/versions?saved=true`)).toEqual([]);
  const newest = await versionsOf(client, quiet);
  expect(newest).toMatchObject([{ action: "record create", removed: 0, added: 0 }]);
  expect(await client.must<Fields>("GET", `zones/${quiet}?version=${newest[0]!.id}`)).toMatchObject({ zone: quiet });
});

test("a change that waits for its number stays, and so does what is measured later", async () => {
  const { client, account_id, zone } = await account(null);
  const limit = (kept: number | null) => setQuota(api.store.db, account_id, { ...unlimited, kept });
  await put(client, zone);
  await numbered();
  const whileUnnumbered = async () => {
    await put(client, zone);
    await limit(1);
    await measure(account_id);
    await limit(null);
  };
  await api.store.transaction(
    async (tx) => {
      // the sequencer waits
      await tx.selectFrom("sequencer").selectAll().forUpdate().execute();
      await whileUnnumbered();
    },
    { within: 20_000 },
  );
  await numbered();
  const [newest, before] = await versionsOf(client, zone);
  expect(await client.must("GET", `zones/${zone}/diff?from=${before!.id}&to=${newest!.id}`)).toMatchObject({
    records: [{ domain: `large.${zone}` }],
  });
});

test("zones that are made and deleted again and again leave a limited number, and another account keeps its own", async () => {
  const [busy, other] = [await account(mebi), await account(mebi)];
  const remove = async ({ client, zone }: typeof busy) => {
    await client.must("PUT", `zones/${zone}`, {});
    await put(client, zone);
    await client.must("DELETE", `zones/${zone}`);
  };
  const others = Array.from({ length: 5 }, (_, n) => ({ ...other, zone: `o${n}.${other.zone}` }));
  for (const one of others) await remove(one);
  const gone = Array.from({ length: 50 }, (_, n) => ({ ...busy, zone: `d${n}.${busy.zone}` }));
  for (const one of gone) await remove(one);
  await measure(busy.account_id, other.account_id);
  expect(await octetsOf("zones", busy.account_id)).toBeLessThanOrEqual(mebi);
  expect(await octetsOf("zones", busy.account_id)).toBeGreaterThan(mebi / 2);
  const left = (client: Client) => client.must<Fields[]>("GET", "deletedzones");
  expect((await left(busy.client)).length).toBeLessThan(40);
  const held = api.store.db.selectFrom("record").select("zone_id").where("type", "=", "TXT");
  const records = held.where("account_id", "=", busy.account_id);
  // the service removes, too
  const surplus = async () => (await records.execute()).length - (await left(busy.client)).length;
  await expect.poll(surplus).toBe(0);
  const [oldest, newest] = [gone[0]!.zone, gone.at(-1)!.zone];
  expect(await busy.client.call("POST", `deletedzones/${oldest}/undelete`)).toMatchObject({ status: 404 });
  await busy.client.must("POST", `deletedzones/${newest}/undelete`);
  await busy.client.must("GET", `zones/${newest}/large.${newest}/TXT`);
  expect((await left(other.client)).length).toBe(5);
  // a single zone may be larger than the limit
  await setQuota(api.store.db, other.account_id, { ...unlimited, kept: 1 });
  await measure(other.account_id);
  expect(await left(other.client)).toMatchObject([{ zone: others.at(-1)!.zone }]);
});

test("replies for an Idempotency-Key are limited", async () => {
  const { client, account_id, zone } = await account(mebi);
  const most = limits.keptReplyMegabytes * mebi;
  const body = drawn(64 * 1024);
  const rows = Array.from({ length: 1100 }, (_, n) => ({
    ...{ account_id, key: `key${n}`, request: "r", status: 200, created: Math.floor(clock.now() / 1000) - 2000 + n },
    body,
  }));
  for (let at = 0; at < rows.length; at += 100) {
    await api.store.db
      .insertInto("idempotency")
      .values(rows.slice(at, at + 100))
      .execute();
  }
  expect(await octetsOf("replies", account_id)).toBeGreaterThan(most / 2);
  await measure(account_id);
  expect(await octetsOf("replies", account_id)).toBeLessThanOrEqual(most);
  await client.must("PUT", `zones/${zone}/a.${zone}/A`, { answers: [{ answer: ["192.0.2.1"] }] });
});

test("the service measures accounts that write, and what comes later is added", async () => {
  const { client, account_id, zone } = await account(mebi);
  const writers = new Set<string>();
  const kept = new KeptLimits({ store: api.store, clock, log: silent, writers, registry, every: 3_600_000 });
  for (let round = 0; round < 12; round++) {
    for (let n = 0; n < 8; n++) await put(client, zone);
    writers.add(account_id);
    await kept.round();
    expect(writers.size).toBe(0);
    for (const kind of Object.keys(keptTables) as Kept[]) {
      expect(await octetsOf(kind, account_id)).toBeLessThanOrEqual(mebi);
    }
  }
  await kept.close();
  expect(await registry.metrics()).toMatch(/fairlead_kept_removed_total\{what="versions"\} [1-9]/);
  const left = await versionsOf(client, zone);
  expect(left.length).toBeGreaterThan(5);
  expect(left.length).toBeLessThan(60);
});
