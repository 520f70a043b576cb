/** The change set that undoes a change. */
import { expect, test } from "vitest";
import { type Answer, type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { limits } from "../../kit/limits.ts";
import { removeHistory } from "../../zones/history/trim-store.ts";

const api = await startApi({ deletionGuard: 100 });
let zones = 0;
const fresh = () => `undone${++zones}.example`;
const address = (last: number) => [{ answer: [`192.0.2.${last}`] }];
const at = (label: string, zone: string) => ({ zone, domain: `${label}.${zone}`, type: "A" });
interface Undo extends Fields {
  readonly change_set: { readonly zones: Fields[]; readonly records: Fields[]; readonly expect: Fields[] };
  readonly undelete: string[];
  readonly left_out: string[];
}
const send = async (body: Fields) => {
  const answer = await api.call("PUT", "changesets", body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  await api.numbered(answer);
  return String(answer.body["id"]);
};
const undoOf = (id: string, client: Client = api) => client.must<Undo>("GET", `changesets/${id}/undo`);
const refusal = ({ status, body }: Answer) => [status, body["message"]];
const expanded = async (zone: string) => {
  const { serial: _, updated_at: _u, records, ...rest } = await api.must<Fields>("GET", `zones/${zone}?expand=true`);
  const kept = (records as Fields[]).map(({ updated_at: _, created_at: _c, id: _i, ...record }) => record);
  return { ...rest, records: kept };
};

/** A zone with three records, and whatever the change sets of a test do to it. */
async function newZone() {
  const zone = fresh();
  const records = ["www", "mail", "old"].map((label, i) => ({
    action: "put",
    ...at(label, zone),
    answers: address(i),
  }));
  await send({ zones: [{ action: "create", zone }], records });
  return zone;
}

test("records and settings are as before once the change set is applied", async () => {
  const zone = await newZone();
  const before = await expanded(zone);
  const id = await send({
    zones: [{ action: "update", zone, ttl: 7, hostmaster: "new@example.com" }],
    records: [
      {
        ...{ action: "put", ...at("www", zone), ttl: 5, answers: [{ answer: ["192.0.2.9"], meta: { weight: 2 } }] },
        filters: [{ filter: "weighted_shuffle", config: {} }],
      },
      { action: "delete", ...at("old", zone) },
      { action: "create", ...at("new", zone), answers: address(4) },
    ],
  });
  const { change_set, undelete, left_out } = await undoOf(id);
  expect([undelete, left_out]).toEqual([[], []]);
  expect(change_set.zones).toEqual([{ action: "update", zone, ttl: 3600, hostmaster: `hostmaster@${zone}` }]);
  expect(change_set.records.map(({ action, domain }) => `${action} ${domain}`).sort()).toEqual([
    `delete new.${zone}`,
    `put old.${zone}`,
    `put www.${zone}`,
  ]);
  const dry = await api.must<{ zones: Fields[] }>("PUT", "changesets?dry_run=true", change_set);
  expect(dry.zones).toMatchObject([{ zone, change: "updated", put: 2, removed: 1 }]);
  await send(change_set);
  expect(await expanded(zone)).toEqual(before);
});

test("undoing can be undone", async () => {
  const zone = await newZone();
  const id = await send({ records: [{ action: "put", ...at("www", zone), answers: address(8) }] });
  const again = await send((await undoOf(id)).change_set);
  await send((await undoOf(again)).change_set);
  expect(await api.must("GET", `zones/${zone}/www.${zone}/A`)).toMatchObject({ answers: address(8) });
});

test("what was changed again since is named, and other changes of the zone do not matter", async () => {
  const zone = await newZone();
  const records = ["www", "mail"].map((label) => ({ action: "put", ...at(label, zone), answers: address(7) }));
  const id = await send({ records });
  await api.must("POST", `zones/${zone}/old.${zone}/A`, { ttl: 1 });
  expect((await undoOf(id)).change_set.records).toHaveLength(2);
  await api.must("POST", `zones/${zone}/www.${zone}/A`, { ttl: 1 });
  const answer = await api.call("GET", `changesets/${id}/undo`);
  expect(refusal(answer)).toEqual([
    409,
    `the record www.${zone} A has been changed again since: restore single records or versions instead`,
  ]);
  expect(answer.body["details"]).toEqual({ changed: [{ zone, domain: `www.${zone}`, type: "A" }], count: 1 });
});

test("a change between review and application is a conflict", async () => {
  const zone = await newZone();
  const { change_set } = await undoOf(await send({ records: [{ action: "delete", ...at("www", zone) }] }));
  await api.numbered(await api.call("POST", `zones/${zone}/mail.${zone}/A`, { ttl: 1 }));
  expect((await api.call("PUT", "changesets", change_set)).status).toBe(412);
});

test("a zone that was made is deleted, unless it was changed since; a deleted one is named", async () => {
  const [kept, gone] = [await newZone(), await newZone()];
  const made = fresh();
  const id = await send({
    zones: [
      { action: "create", zone: made },
      { action: "delete", zone: gone },
    ],
    records: [{ action: "put", ...at("www", made), answers: address(1) }],
  });
  const { change_set, undelete } = await undoOf(id);
  expect(undelete).toEqual([gone]);
  expect(change_set).toMatchObject({
    zones: [{ action: "delete", zone: made }],
    records: [],
    expect: [{ zone: made }],
  });
  await api.numbered(await api.call("PUT", `zones/${made}/more.${made}/A`, { answers: address(1) }));
  expect(refusal(await api.call("GET", `changesets/${id}/undo`))).toEqual([
    409,
    expect.stringMatching(`^the zone ${made} has been changed again`),
  ]);
  await api.must("POST", `deletedzones/${gone}/undelete`);
  const { body } = await api.call("GET", `changesets/${id}/undo`);
  expect(body["details"]).toMatchObject({ count: 2 });
  expect(kept).not.toBe(gone);
});

test("settings that the history does not have are named", async () => {
  const zone = await newZone();
  const primary = { enabled: true, secondaries: [{ ip: "192.0.2.53", notify: false }] };
  const id = await send({ zones: [{ action: "update", zone, primary }] });
  const { change_set, left_out } = await undoOf(id);
  expect(left_out).toEqual([
    `the settings of transfers and catalogs of the zone ${zone}, which the history does not have`,
  ]);
  expect(change_set).toMatchObject({ zones: [], records: [] });
});

test("any change can be undone while it is known; an unknown one is not found", async () => {
  const zone = await newZone();
  const answer = await api.call("POST", `zones/${zone}/www.${zone}/A`, { ttl: 9 });
  const { change_set } = await undoOf(answer.headers.get("x-fairlead-change")!);
  expect(change_set.records).toMatchObject([{ action: "put", domain: `www.${zone}`, ttl: 3600 }]);
  expect((await api.call("GET", "changesets/5f5f5f5f5f5f5f5f5f5f5f5f/undo")).status).toBe(404);
});

test("a change set can be undone when the change itself is no longer known, but not without its history", async () => {
  const zone = await newZone();
  const id = await send({ records: [{ action: "put", ...at("www", zone), answers: address(6) }] });
  await send({ records: [{ action: "put", ...at("mail", zone), answers: address(6) }] });
  await api.store.db.deleteFrom("change").where("id", "=", id).execute();
  expect((await undoOf(id)).change_set.records).toHaveLength(1);
  const { account_id } = await api.store.db.selectFrom("zone").select("account_id").executeTakeFirstOrThrow();
  await removeHistory(api.store.db, account_id, 2 ** 40);
  const answer = await api.call("GET", `changesets/${id}/undo`);
  expect(refusal(answer)).toEqual([404, `the history no longer has what the change did in the zone ${zone}`]);
});

test("a caller needs the right to everything in it, and no other account has it", async () => {
  const zone = await newZone();
  const id = await send({ records: [{ action: "put", ...at("www", zone), answers: address(5) }] });
  for (const dns of [{ zones_deny: [zone] }, { records_deny: [{ zone, domain: `www.${zone}` }] }]) {
    const answer = await (await api.limited({ dns })).call("GET", `changesets/${id}/undo`);
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain(zone);
  }
  expect((await (await api.stranger()).call("GET", `changesets/${id}/undo`)).status).toBe(404);
});

test("a change that is too large is refused", async () => {
  const zone = await newZone();
  const id = await send({ records: [{ action: "put", ...at("www", zone), answers: address(5) }] });
  const removed = JSON.stringify(Array.from({ length: limits.changeSetRecords + 1 }, () => ({})));
  await api.store.db.updateTable("zone_history").set({ removed }).where("change_id", "=", id).execute();
  const answer = await api.call("GET", `changesets/${id}/undo`);
  expect(refusal(answer)).toEqual([400, expect.stringMatching(/^the change is too large/)]);
});
