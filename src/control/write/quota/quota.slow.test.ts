/** Quotas hold at every door by which zones and records come in. */
import { describe, expect, test } from "vitest";
import { newestAccount } from "../../../../test/service/accounts.ts";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import type { AccountQuota } from "../../../storage/tables/accounts.ts";
import { setQuota } from "./store.ts";

const api = await startApi();
const answers = [{ answer: ["192.0.2.1"] }];
const unlimited: AccountQuota = { zones: null, records: null, octets: null, kept: null };

/** A client of a new account with these limits. */
async function limitedTo(quota: Partial<AccountQuota>) {
  const client = await api.stranger();
  await setQuota(api.store.db, await newestAccount(api.store), { ...unlimited, ...quota });
  return client;
}

const refusal = (most: number, what: string) => ({
  status: 400,
  body: { message: expect.stringMatching(new RegExp(`^this account can have at most ${most} ${what}`)) },
});

let zones = 0;
const zoneName = () => `quota${++zones}.example`;

test("zones: creation, change sets, imports, and deleted zones that are brought back", async () => {
  const client = await limitedTo({ zones: 2 });
  const [first, second, third] = [zoneName(), zoneName(), zoneName()];
  await client.must("PUT", `zones/${first}`, {});
  await client.must("PUT", `zones/${second}`, {});
  expect(await client.call("PUT", `zones/${third}`, {})).toMatchObject(refusal(2, "zones"));
  const set = { zones: [{ action: "create", zone: third }] };
  expect(await client.call("PUT", "changesets", set)).toMatchObject(refusal(2, "zones"));
  expect(await importOf(client, third, 1)).toMatchObject(refusal(2, "zones"));
  await client.must("DELETE", `zones/${first}?confirm_deletions=true`);
  await client.must("PUT", `zones/${third}`, {});
  const restored = await client.call("POST", `deletedzones/${first}/undelete`);
  expect(restored).toMatchObject(refusal(2, "zones"));
});

const importOf = async (client: { key: string }, zone: string, records: number) => {
  const lines = Array.from({ length: records }, (_, n) => `h${n} A 192.0.2.1\n`).join("");
  const body = `$TTL 600\n@ SOA ns.example. admin.example. 1 2h 1h 2w 5m\n${lines}`;
  const headers = { "X-SERVICE-Key": client.key };
  const reply = await fetch(`${api.url}/v1/import/zonefile/${zone}`, { method: "PUT", headers, body });
  return { status: reply.status, body: await reply.json() };
};

test("records: single writes, many at once, change sets, imports and versions", async () => {
  const client = await limitedTo({ records: 4 });
  const zone = zoneName();
  await client.must("PUT", `zones/${zone}`, {});
  const put = (name: string) => client.call("PUT", `zones/${zone}/${name}.${zone}/A`, { answers });
  for (const name of ["a", "b", "c"]) expect((await put(name)).status).toBe(200);
  const full = refusal(4, "records");
  expect(await put("d")).toMatchObject(full);
  const many = { put: [{ domain: `d.${zone}`, type: "A", answers }] };
  expect(await client.call("POST", `zones/${zone}/records`, many)).toMatchObject(full);
  const records = [{ action: "create", zone, domain: `d.${zone}`, type: "A", answers }];
  expect(await client.call("PUT", "changesets", { records })).toMatchObject(full);
  expect(await client.call("PUT", "changesets?dry_run=true", { records })).toMatchObject(full);
  expect(await importOf(client, zoneName(), 1)).toMatchObject(full);
  // a change of a record, and a removal with an addition, need no room
  expect((await client.call("POST", `zones/${zone}/a.${zone}/A`, { ttl: 60 })).status).toBe(200);
  await client.must("DELETE", `zones/${zone}/a.${zone}/A`);
  expect((await put("d")).status).toBe(200);
  expect(await put("e")).toMatchObject(full);
});

describe("a version or deleted zone does not come back beyond the limit of", () => {
  const putText = (client: Client, zone: string, name: string, text = "x") =>
    client.must("PUT", `zones/${zone}/${name}.${zone}/TXT`, { answers: [{ answer: [text] }] });
  /** A zone with two records that were deleted one by one, the serial with them, and a second zone. */
  async function changed(quota: Partial<AccountQuota>, text = "x") {
    const client = await limitedTo(quota);
    const [zone, other] = [zoneName(), zoneName()];
    await client.must("PUT", `zones/${zone}`, {});
    await putText(client, zone, "a");
    await putText(client, zone, "b", text);
    const { id: serial } = (await versionsOf(client, zone, 3))[0]!;
    for (const name of ["a", "b"]) await client.must("DELETE", `zones/${zone}/${name}.${zone}/TXT`);
    await client.must("PUT", `zones/${other}`, {});
    return { client, zone, other, serial };
  }
  /** The versions, newest first, once there are so many. */
  async function versionsOf(client: Client, zone: string, count: number) {
    const list = () => client.must<{ id: number }[]>("GET", `zones/${zone}/versions`);
    await expect.poll(async () => (await list()).length).toBe(count);
    return await list();
  }
  const typesIn = async (client: Client, zone: string) =>
    (await client.must<{ records: Fields[] }>("GET", `zones/${zone}`)).records.map(({ type }) => type);

  test("records: a version, and a record of it", async () => {
    const { client, zone, other, serial } = await changed({ records: 5 });
    for (const name of ["c", "d", "e"]) await putText(client, other, name);
    const restore = () => client.call("POST", `zones/${zone}/versions/${serial}/activate`);
    const restoreOne = () => client.call("POST", `zones/${zone}/a.${zone}/TXT/restore`, { version: serial });
    expect(await restore()).toMatchObject(refusal(5, "records"));
    expect(await restoreOne()).toMatchObject(refusal(5, "records"));
    expect(await typesIn(client, zone)).toEqual(["NS"]);
    await client.must("DELETE", `zones/${other}/c.${other}/TXT`);
    expect(await restore()).toMatchObject(refusal(5, "records"));
    expect((await restoreOne()).status).toBe(200);
    await client.must("DELETE", `zones/${other}/d.${other}/TXT`);
    expect((await restore()).status).toBe(200);
    expect((await typesIn(client, zone)).toSorted()).toEqual(["NS", "TXT", "TXT"]);
  });

  test("octets: a version", async () => {
    const { client, zone, other, serial } = await changed({ octets: 4000 }, "x".repeat(1500));
    await putText(client, other, "large", "y".repeat(2000));
    const restore = () => client.call("POST", `zones/${zone}/versions/${serial}/activate`);
    expect(await restore()).toMatchObject(refusal(4000, "octets"));
    await client.must("DELETE", `zones/${other}/large.${other}/TXT`);
    expect((await restore()).status).toBe(200);
  });

  test("records and octets: a deleted zone", async () => {
    for (const [quota, what, most] of [
      [{ records: 4 }, "records", 4],
      [{ octets: 4000 }, "octets", 4000],
    ] as const) {
      const client = await limitedTo(quota);
      const [zone, other] = [zoneName(), zoneName()];
      const undelete = () => client.call("POST", `deletedzones/${zone}/undelete`);
      await client.must("PUT", `zones/${zone}`, {});
      await putText(client, zone, "a", "x".repeat(1500));
      // a zone that comes back at once is not counted twice
      await client.must("DELETE", `zones/${zone}`);
      expect((await undelete()).status).toBe(200);
      await client.must("DELETE", `zones/${zone}`);
      // another process counts afresh, as this one does after a minute
      const { storeUrl, directory } = api;
      const later = (await startApi({ storeUrl, directory })).client(client.key);
      await later.must("PUT", `zones/${other}`, {});
      await putText(later, other, "b", "y".repeat(1000));
      await putText(later, other, "c", "y".repeat(1000));
      const back = () => later.call("POST", `deletedzones/${zone}/undelete`);
      expect(await back()).toMatchObject(refusal(most, what));
      expect((await later.call("GET", `zones/${zone}`)).status).toBe(404);
      await later.must("DELETE", `zones/${other}/c.${other}/TXT`);
      expect((await back()).status).toBe(200);
    }
  });
});

test("octets: a large record is refused, and a smaller one is not", async () => {
  const client = await limitedTo({ octets: 2000 });
  const zone = zoneName();
  await client.must("PUT", `zones/${zone}`, {});
  const put = (name: string, text: string) =>
    client.call("PUT", `zones/${zone}/${name}.${zone}/TXT`, { answers: [{ answer: [text] }] });
  expect(await put("large", "x".repeat(2000))).toMatchObject(refusal(2000, "octets"));
  expect((await put("small", "x".repeat(100))).status).toBe(200);
});

test("octets: what compresses well counts as it was sent, also in another process", async () => {
  const client = await limitedTo({ octets: 100_000 });
  const zone = zoneName();
  await client.must("PUT", `zones/${zone}`, {});
  const answers = Array.from({ length: 15 }, (_, n) => ({ answer: [`${n} ${"x".repeat(3900)}`] }));
  await client.must("PUT", `zones/${zone}/a.${zone}/TXT`, { answers });
  const { storeUrl, directory } = api;
  const other = (await startApi({ storeUrl, directory })).client(client.key);
  const put = () => other.call("PUT", `zones/${zone}/b.${zone}/TXT`, { answers });
  expect(await put()).toMatchObject(refusal(100_000, "octets"));
  await other.must("DELETE", `zones/${zone}/a.${zone}/TXT`);
  expect((await put()).status).toBe(200);
});

test("octets: tags and metadata of records and zones count, here and in another process", async () => {
  const client = await limitedTo({ octets: 5000 });
  const zone = zoneName();
  const tags = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`tag ${n}`, "x".repeat(128)]));
  const record = { answers, tags };
  await client.must("PUT", `zones/${zone}`, { tags });
  await client.must("PUT", `zones/${zone}/a.${zone}/A`, record);
  const full = refusal(5000, "octets");
  const secondaries = ["192.0.2.1", "192.0.2.2"].map((ip) => ({ ip, notify: false, kept: "x".repeat(900) }));
  for (const more of [
    { meta: { additional_metadata: [{ text: "x".repeat(1500) }] } },
    { primary: { enabled: true, secondaries } },
  ]) {
    expect(await client.call("POST", `zones/${zone}`, more)).toMatchObject(full);
  }
  expect(await client.call("PUT", `zones/${zone}/b.${zone}/A`, record)).toMatchObject(full);
  const { storeUrl, directory } = api;
  const other = (await startApi({ storeUrl, directory })).client(client.key);
  expect(await other.call("PUT", `zones/${zone}/b.${zone}/A`, record)).toMatchObject(full);
  await other.must("POST", `zones/${zone}`, { tags: {} });
  await other.must("PUT", `zones/${zone}/b.${zone}/A`, record);
});

test("another process counts what this one has written", async () => {
  const client = await limitedTo({ records: 3 });
  const zone = zoneName();
  await client.must("PUT", `zones/${zone}`, {});
  await client.must("PUT", `zones/${zone}/a.${zone}/A`, { answers });
  await client.must("PUT", `zones/${zone}/b.${zone}/A`, { answers });
  const { storeUrl, directory } = api;
  const other = (await startApi({ storeUrl, directory })).client(client.key);
  expect(await other.call("PUT", `zones/${zone}/c.${zone}/A`, { answers })).toMatchObject(refusal(3, "records"));
});

test("the first account has no limits", async () => {
  const { quota } = await api.store.db
    .selectFrom("account")
    .select("quota")
    .orderBy("created", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(quota).toEqual(unlimited);
});
