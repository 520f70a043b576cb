/** Quotas hold at every door by which zones and records come in. */
import { expect, test } from "vitest";
import { newestAccount } from "../../../../test/service/accounts.ts";
import { startApi } from "../../../../test/service/api.ts";
import type { AccountQuota } from "../../../storage/tables/accounts.ts";
import { setQuota } from "./store.ts";

const api = await startApi();
const answers = [{ answer: ["192.0.2.1"] }];
const unlimited: AccountQuota = { zones: null, records: null, octets: null };

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

test("octets: a large record is refused, and a smaller one is not", async () => {
  const client = await limitedTo({ octets: 2000 });
  const zone = zoneName();
  await client.must("PUT", `zones/${zone}`, {});
  const put = (name: string, text: string) =>
    client.call("PUT", `zones/${zone}/${name}.${zone}/TXT`, { answers: [{ answer: [text] }] });
  expect(await put("large", "x".repeat(2000))).toMatchObject(refusal(2000, "octets"));
  expect((await put("small", "x".repeat(100))).status).toBe(200);
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
