/** The transaction around a write: repeated requests, preconditions, publication and rollback. */
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../test/service/api.ts";
import { newId } from "../lib/ids.ts";
import { parseBody } from "../sync/body.ts";

const api = await startApi();
const zone = "service.example";
await api.must("PUT", `zones/${zone}`, {});
let count = 0;
const fresh = () => `zones/${zone}/n${++count}.${zone}/A`;
const answers = [{ answer: ["192.0.2.1"] }];
const changes = async () => (await api.store.db.selectFrom("change").select("id").execute()).length;

describe("Idempotency-Key", () => {
  test("carries out one of several equal requests, even if they are concurrent", async () => {
    for (let round = 0; round < 5; round++) {
      const headers = { "Idempotency-Key": newId() };
      const path = fresh();
      const before = await changes();
      const replies = await Promise.all(Array.from({ length: 6 }, () => api.call("PUT", path, { answers }, headers)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(replies.filter((reply) => reply.headers.get("idempotency-replayed") === "true")).toHaveLength(5);
      expect(await changes()).toBe(before + 1);
    }
  });

  test("is refused with a different request", async () => {
    const headers = { "Idempotency-Key": newId() };
    await api.call("PUT", fresh(), { answers }, headers);
    const answer = await api.call("PUT", fresh(), { answers }, headers);
    expect([answer.status, answer.body["code"]]).toEqual([400, "conflict"]);
  });

  test("belongs to its account", async () => {
    const headers = { "Idempotency-Key": newId() };
    await api.call("PUT", "zones/mine.example", {}, headers);
    const stranger = await api.stranger();
    const answer = await stranger.call("PUT", "zones/mine.example", {}, headers);
    expect(answer.body["message"]).toBe("zone already exists");
  });

  test("gives the stored reply to no other caller, nor to a caller who lost the right to the secret in it", async () => {
    const headers = { "Idempotency-Key": newId() };
    const body = { name: newId() };
    const { id, key } = await api.must<{ id: string; key: string }>("PUT", "account/apikeys", { name: newId() });
    const [caller, other] = [api.client(key), await api.limited({})];
    const send = (by: Client) => by.call("PUT", "account/apikeys", body, headers);
    const { text } = await send(caller);
    expect((await send(caller)).text).toBe(text);
    expect((await send(other)).body).toMatchObject({ message: expect.stringMatching(/^api key with name .* exists$/) });
    await api.must("POST", `account/apikeys/${id}`, { permissions: { dns: { manage_zones: false } } });
    const again = await send(caller);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([403, null]);
    expect(again.text).not.toContain(JSON.parse(text).key);
    await api.must("POST", `account/apikeys/${id}`, { permissions: { dns: { manage_zones: true } } });
    expect((await send(caller)).text).toBe(text);
  });

  test("does not store refusals", async () => {
    const headers = { "Idempotency-Key": newId() };
    const path = "zones/later.example/www.later.example/A";
    expect((await api.call("PUT", path, { answers }, headers)).status).toBe(404);
    await api.must("PUT", "zones/later.example", {});
    expect((await api.call("PUT", path, { answers }, headers)).status).toBe(200);
  });
});

describe("If-Match", () => {
  test("accepts the first of two writers that read the same version", async () => {
    for (let round = 0; round < 10; round++) {
      const path = fresh();
      await api.must("PUT", path, { answers });
      const etag = (await api.call("GET", path)).headers.get("etag")!;
      const replies = await Promise.all(
        [1, 2, 3].map((ttl) => api.call("POST", path, { ttl: ttl + round * 10 }, { "If-Match": etag })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    }
  });

  test("applies to a zone with its records", async () => {
    const path = `zones/${zone}?records=false`;
    const { headers } = await api.call("GET", path);
    await api.numbered(await api.call("PUT", fresh(), { answers }));
    const answer = await api.call("POST", path, { ttl: 7 }, { "If-Match": headers.get("etag")! });
    expect([answer.status, answer.body["code"]]).toEqual([412, "precondition_failed"]);
  });

  test("shows what the other writer made of a record or zone", async () => {
    const path = fresh();
    await api.must("PUT", path, { answers });
    await api.numbered(await api.call("POST", path, { ttl: 12 }));
    for (const read of [path, `zones/${zone}?records=false`, `zones/${zone}`]) {
      const late = await api.call("POST", read, { ttl: 13 }, { "If-Match": '"old"' });
      const now = await api.call("GET", read);
      const details = { etag: now.headers.get("etag"), current: now.body };
      expect([late.status, late.body["details"]]).toEqual([412, details]);
    }
  });

  test("shows a large zone without its records, and nothing to a key that may not see it", async () => {
    const records = Array.from({ length: 1000 }, (_, n) => ({ domain: `n${n}.large.example`, type: "A", answers }));
    await api.must("PUT", "zones/large.example", {});
    await api.numbered(await api.call("POST", "zones/large.example/records", { put: records }));
    const late = (client: Client) => client.call("POST", "zones/large.example", { ttl: 5 }, { "If-Match": '"old"' });
    const now = await api.must("GET", "zones/large.example?records=false");
    expect((await late(api)).body["details"]).toEqual({ etag: expect.any(String), current: now });
    const blind = await api.limited({ dns: { view_zones: false, manage_zones: true } });
    const { status, body } = await late(blind);
    expect([status, body["details"]]).toEqual([412, { etag: expect.any(String) }]);
  });

  test("prevents the deletion of a changed object", async () => {
    const path = fresh();
    await api.must("PUT", path, { answers });
    const { headers } = await api.call("GET", path);
    await api.must("POST", path, { ttl: 11 });
    expect((await api.call("DELETE", path, undefined, { "If-Match": headers.get("etag")! })).status).toBe(412);
    expect((await api.call("DELETE", path)).status).toBe(200);
  });

  test("lets a key be changed that was used since it was read, and only once", async () => {
    const { id } = await api.must<{ readonly id: string }>("PUT", "account/apikeys", { name: newId() });
    const path = `account/apikeys/${id}`;
    const etag = (await api.call("GET", path)).headers.get("etag")!;
    await api.store.db.updateTable("api_key").set({ last_access: 1_700_000_000 }).where("id", "=", id).execute();
    const again = await api.call("GET", path, undefined, { "If-None-Match": etag });
    expect([again.status, again.body["last_access"]]).toEqual([200, 1_700_000_000]);
    const rename = (name: string) => api.call("POST", path, { name }, { "If-Match": etag });
    expect([await rename("first"), await rename("second")].map(({ status }) => status)).toEqual([200, 412]);
  });
});

describe("a write", () => {
  test("publishes the whole record, its history and its entry together", async () => {
    const path = fresh();
    const answer = await api.call<Fields>("PUT", path, { answers, ttl: 5 });
    const id = answer.headers.get("x-fairlead-change")!;
    const { revision, serials } = await api.numbered(answer);
    expect(revision).toBeGreaterThan(0);
    const row = await api.store.db.selectFrom("change").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(parseBody(row.body)).toMatchObject({
      kind: "inline",
      changes: [{ kind: "record", record: { id: answer.body["id"], domain: answer.body["domain"], ttl: 5, answers } }],
    });
    const { db } = api.store;
    const history = await db.selectFrom("zone_history").selectAll().where("change_id", "=", id).execute();
    expect(history).toMatchObject([{ removed: [], added: [{ record: { ttl: 5 } }] }]);
    const given = await db.selectFrom("zone_serial").selectAll().where("change_id", "=", id).execute();
    expect(given).toMatchObject([{ zone_id: Object.keys(serials)[0], serial: Object.values(serials)[0] }]);
  });

  test("that is refused leaves nothing behind", async () => {
    const before = await changes();
    const path = fresh();
    expect((await api.call("PUT", path, { answers: [{ answer: ["x"] }] })).status).toBe(400);
    expect(await changes()).toBe(before);
    const domain = path.split("/")[2]!;
    expect(await api.store.db.selectFrom("owner").selectAll().where("domain", "=", domain).execute()).toEqual([]);
  });

  test("gives a zone one serial for many records", async () => {
    const put = [1, 2, 3].map((n) => ({ domain: `bulk${n}.${zone}`, type: "A", answers }));
    const { serials } = await api.numbered(await api.call("POST", `zones/${zone}/records`, { put }));
    const { serial } = await api.must<{ serial: number }>("GET", `zones/${zone}`);
    expect(Object.values(serials)).toEqual([serial]);
  });

  test("is found by its id in its own account only", async () => {
    const answer = await api.call("PUT", fresh(), { answers });
    const id = answer.headers.get("x-fairlead-change");
    const stranger = await api.stranger();
    expect((await stranger.call("GET", `changes/${id}`)).body["message"]).toBe("change not found");
  });
});
