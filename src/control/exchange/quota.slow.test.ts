/** A zone of another server is not taken over if the account may not have that many records. */
import { expect, test } from "vitest";
import { messagesOf, record, scriptedPrimary, soa, stream } from "../../../test/network/scripted-primary.ts";
import { newestAccount } from "../../../test/service/accounts.ts";
import { type Fields, startApi } from "../../../test/service/api.ts";
import { setQuota } from "../write/quota/store.ts";

const patience = { timeout: 30_000, interval: 100 };
const held = { records: 500, octets: 100_000 };
const api = await startApi({ pullLimits: { held }, egressAllow: ["127.0.0.0/8"] });
const client = await api.stranger();
const account_id = await newestAccount(api.store);
await setQuota(api.store.db, account_id, { zones: null, records: 100, octets: null });

test.each([
  ["held in memory", 200],
  ["too large for memory", 12_000],
])("a zone %s", async (_, count) => {
  const zone = `transferred${count}.example`;
  const script = {
    soa: soa(`${zone}.`, 1),
    transfer: (query: Uint8Array, socket: Parameters<typeof stream>[0]) =>
      stream(socket, messagesOf(query, whole(zone, count))),
  };
  const primary = await scriptedPrimary(script);
  const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port };
  await client.must("PUT", `zones/${zone}`, { secondary });
  const state = async () => (await client.must<{ secondary: Fields }>("GET", `zones/${zone}`)).secondary;
  await expect
    .poll(async () => (await state())["error"], patience)
    .toMatch(/this account can have at most 100 records/);
  const records = api.store.db.selectFrom("record").select("domain").where("account_id", "=", account_id);
  await expect.poll(async () => (await records.execute()).length, patience).toBe(0);
  await client.must("DELETE", `zones/${zone}?confirm_deletions=true`);
});

function* whole(zone: string, count: number) {
  yield soa(`${zone}.`, 1);
  for (let n = 0; n < count; n++) yield record(`h${n}.${zone}. 300 A 192.0.2.1`);
  yield soa(`${zone}.`, 1);
}
