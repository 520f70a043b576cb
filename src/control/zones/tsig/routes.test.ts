/** TSIG keys over HTTP: permissions, and visibility of secrets. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { newestAccount } from "../../../../test/service/accounts.ts";
import { type Answer, type Fields, startApi } from "../../../../test/service/api.ts";
import { lockAwaited } from "../../../../test/store/store.ts";
import { readMasterKeys, secretsFrom } from "../../../lib/secrets.ts";
import { tsigKeyContext } from "../../../sync/peers.ts";
import { limits } from "../../kit/limits.ts";
import { deleteTsigKey, findTsigKey } from "./store.ts";

const api = await startApi();
const secret = Buffer.from("a secret of some length").toString("base64");

test("a key is created, read, changed and deleted under any spelling of its name", async () => {
  const made = await api.must("PUT", "tsig/Transfer.Example.", {
    name: "transfer.EXAMPLE",
    algorithm: "HMAC-SHA512",
    secret,
  });
  expect(made).toMatchObject({ name: "transfer.example.", algorithm: "hmac-sha512", secret });
  expect(await api.must("GET", "tsig/transfer.example")).toEqual(made);
  const changed = await api.must("POST", "tsig/transfer.example", { algorithm: "hmac-md5.sig-alg.reg.int." });
  expect(changed).toMatchObject({ algorithm: "hmac-md5", secret });
  expect(await api.must<Fields[]>("GET", "tsig")).toEqual([changed]);
  await api.must("DELETE", "tsig/transfer.example");
  expect((await api.call("GET", "tsig/transfer.example")).status).toBe(404);
});

test("creating an existing key is a 409, changing or deleting a missing key a 404; unknown fields are ignored", async () => {
  await api.must("PUT", "tsig/once.example", { secret, permissions: {} });
  expect((await api.call("PUT", "tsig/once.example", { secret })).status).toBe(409);
  expect((await api.call("POST", "tsig/none.example", { secret })).status).toBe(404);
  expect((await api.call("DELETE", "tsig/none.example")).status).toBe(404);
});

for (const [body, message] of [
  [{ secret: "not base64!" }, "secret: must be in base64"],
  [{ secret: "" }, "secret: must be in base64"],
  [{ secret, algorithm: "sha256" }, 'algorithm: "sha256" is not one of hmac-md5'],
  [{ secret, name: "other.example" }, "differs from the key in the path"],
  [{ secret: "A".repeat(4000) }, "must be at most 512 octets"],
] as const) {
  test(`a body is refused: ${message}`, async () => {
    const answer = await api.call("PUT", "tsig/bad.example", body);
    expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining(message)]);
  });
}

test("accounts do not see each other's keys, and may use the same names", async () => {
  const stranger = await api.stranger();
  await api.must("PUT", "tsig/shared.example", { secret });
  expect((await stranger.call("GET", "tsig/shared.example")).status).toBe(404);
  await stranger.must("PUT", "tsig/shared.example", { secret: "b3RoZXI=" });
});

test("secrets are shown only to callers who may write all zones, and never in the activity log", async () => {
  await api.must("PUT", "tsig/hidden.example", { secret });
  const reader = await api.limited({ dns: { manage_zones: false } });
  expect(await reader.must("GET", "tsig/hidden.example")).not.toHaveProperty("secret");
  const narrow = await api.limited({ dns: { zones_allow_by_default: false, zones_allow: ["a.example"] } });
  expect(await narrow.must("GET", "tsig/hidden.example")).not.toHaveProperty("secret");
  expect((await narrow.call("PUT", "tsig/narrow.example", { secret })).status).toBe(403);
  const log = await api.call("GET", "account/activity?limit=5000");
  expect(log.text).not.toContain(secret);
  expect(log.text).toContain('"resource_id":"hidden.example."');
});

test("a key in use by a zone's secondaries cannot be deleted", async () => {
  await api.must("PUT", "tsig/used.example", { secret });
  const primary = { enabled: true, secondaries: [{ ip: "127.0.0.1", tsig_key: "Used.Example." }] };
  await api.must("PUT", "zones/uses.example", { primary });
  const answer = await api.call("DELETE", "tsig/used.example");
  expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining("uses.example")]);
  await api.must("POST", "zones/uses.example", { primary: null });
  await api.must("DELETE", "tsig/used.example");
});

test("a key in use by a deleted zone that can be brought back cannot be deleted", async () => {
  await api.must("PUT", "tsig/kept.example", { secret });
  const primary = { enabled: true, secondaries: [{ ip: "127.0.0.1", tsig_key: "kept.example" }] };
  await api.must("PUT", "zones/keeps.example", { primary });
  await api.must("DELETE", "zones/keeps.example");
  const answer = await api.call("DELETE", "tsig/kept.example");
  expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining("deleted zone keeps.example")]);
  await api.must("DELETE", "deletedzones/keeps.example");
  await api.must("DELETE", "tsig/kept.example");
});

test("a key cannot be deleted while a zone starts to use it, nor used while it is deleted", async () => {
  const { db } = api.store;
  const find = (name: string) => db.selectFrom("tsig_key").select("account_id").where("name", "=", name);
  const primaryWith = (tsig_key: string) => ({ enabled: true, secondaries: [{ ip: "127.0.0.1", tsig_key }] });
  await api.must("PUT", "tsig/named.example", { secret });
  await api.must("PUT", "zones/names.example", {});
  const { account_id } = await find("named.example").executeTakeFirstOrThrow();
  let reply: Promise<Answer> | undefined;
  await api.store.transaction(async (tx) => {
    await findTsigKey(tx, account_id, "named.example", "use");
    const primary = JSON.stringify(primaryWith("named.example"));
    await tx.updateTable("zone").set({ primary }).where("zone", "=", "names.example").execute();
    reply = api.call("DELETE", "tsig/named.example");
    await lockAwaited(api.store);
  });
  expect((await reply!).body["message"]).toContain("names.example");
  await api.must("PUT", "tsig/going.example", { secret });
  await api.store.transaction(async (tx) => {
    await deleteTsigKey(tx, { account_id, name: "going.example" });
    reply = api.call("POST", "zones/names.example", { primary: primaryWith("going.example") });
    await lockAwaited(api.store);
  });
  expect((await reply!).body["message"]).toContain("there is no TSIG key going.example");
});

test("an account has a limited number of keys, and lists them in pages", async () => {
  const own = await api.stranger();
  await own.must("PUT", "tsig/k0.example", { secret });
  const account_id = await newestAccount(api.store);
  const row = (await findTsigKey(api.store.db, account_id, "k0.example"))!;
  const secrets = secretsFrom(readMasterKeys(join(api.directory, "master.key")));
  const rows = Array.from({ length: limits.tsigKeys - 2 }, (_, i) => ({ ...row, name: `k${i + 1}.example` }));
  const sealed = rows.map((each) => ({
    ...each,
    secret: secrets.seal(secret, tsigKeyContext(account_id, each.name)),
  }));
  await api.store.db.insertInto("tsig_key").values(sealed).execute();
  await own.must("PUT", "tsig/last.example", { secret });
  const refused = await own.call("PUT", "tsig/more.example", { secret });
  expect([refused.status, refused.body["message"]]).toEqual([400, expect.stringContaining("at most 1000 TSIG keys")]);
  expect(await own.must<Fields[]>("GET", "tsig")).toHaveLength(limits.tsigKeys);
  const page = await own.call("GET", "tsig?limit=2&after=k998.example");
  expect(JSON.parse(page.text)).toMatchObject([{ name: "last.example." }]);
  await own.must("DELETE", "tsig/last.example");
  await own.must("PUT", "tsig/more.example", { secret });
});
