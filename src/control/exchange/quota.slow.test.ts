/** A zone of another server is not taken over if the account may not have that many records. */
import { expect, test } from "vitest";
import { answerTo, messagesOf, record, scriptedPrimary, soa, stream } from "../../../test/network/scripted-primary.ts";
import { newestAccount } from "../../../test/service/accounts.ts";
import { type Fields, startApi } from "../../../test/service/api.ts";
import { nameToApi } from "../../dns/wire/name.ts";
import { Reader } from "../../dns/wire/wire.ts";
import { setQuota } from "../write/quota/store.ts";

const patience = { timeout: 60_000, interval: 100 };
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

test("zones of a catalog beyond the limit are skipped, with the reason", async () => {
  const other = await api.stranger();
  await setQuota(api.store.db, await newestAccount(api.store), { zones: 3, records: null, octets: null });
  const [catalog, zones] = ["catalog.invalid", ["a1.example", "a2.example", "a3.example"]];
  const soaOf = (query: Uint8Array) => soa(nameAt(query), 1);
  const nameAt = (query: Uint8Array) => `${nameToApi(new Reader(query.subarray(12)).name())}.`;
  const primary = await scriptedPrimary({
    soa: soa("unused.", 1),
    udp: (query) => answerTo(query, [soaOf(query)]),
    transfer(query) {
      const isCatalog = nameAt(query) === `${catalog}.`;
      const members = zones.map((zone, i) => record(`n${i}.zones.${catalog}. 0 PTR ${zone}.`));
      const listed = [record(`${catalog}. 0 NS invalid.`), record(`version.${catalog}. 0 TXT "2"`), ...members];
      const own = [record(`${nameAt(query)} 60 A 192.0.2.1`)];
      return [answerTo(query, [soaOf(query), ...(isCatalog ? listed : own), soaOf(query)])];
    },
  });
  const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port };
  await other.must("PUT", `zones/${catalog}`, { secondary, catalog: { role: "consumer" } });
  const state = async () => (await other.must<{ catalog: Fields }>("GET", `zones/${catalog}`)).catalog;
  const reason = expect.stringMatching(/^this account can have at most 3 zones/);
  await expect.poll(state, patience).toMatchObject({ members: 3, skipped: [{ zone: "a3.example", reason }] });
  const names = async () => (await other.must<Fields[]>("GET", "zones")).map(({ zone }) => zone);
  expect(await names()).toEqual(["a1.example", "a2.example", catalog]);
});

function* whole(zone: string, count: number) {
  yield soa(`${zone}.`, 1);
  for (let n = 0; n < count; n++) yield record(`h${n}.${zone}. 300 A 192.0.2.1`);
  yield soa(`${zone}.`, 1);
}
