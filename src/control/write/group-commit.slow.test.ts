/** Group commit: concurrent writes share transactions, and a fault in one write does not affect the others. */
import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { startApi } from "../../../test/service/api.ts";

const api = await startApi();
const zone = "group.example";
const other = "other-group.example";
await api.must("PUT", `zones/${zone}`, {});
await api.must("PUT", `zones/${other}`, {});
const answers = [{ answer: ["192.0.2.1"] }];
const put = (label: string, body: unknown = { answers }, inside = zone) =>
  api.call("PUT", `zones/${inside}/${label}.${inside}/A`, body);
const labels = (word: string, count: number) => Array.from({ length: count }, (_, n) => `${word}${n}`);
const sql = async <Row>(text: string) => (await api.store.db.executeQuery<Row>(CompiledQuery.raw(text))).rows;
const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status);

test("concurrent writes all succeed in fewer transactions, each with its own revision and activity entry", async () => {
  const names = labels("many", 60);
  const replies = await Promise.all(names.map((label, n) => put(label, { answers }, n % 2 ? zone : other)));
  expect(new Set(statuses(replies))).toEqual(new Set([200]));
  const revisions = await Promise.all(replies.map(async (reply) => (await api.numbered(reply)).revision));
  expect(new Set(revisions).size).toBe(60);
  const rows = await sql<{ xmin: string }>("select xmin::text from record where domain like 'many%'");
  expect(rows).toHaveLength(60);
  expect(new Set(rows.map(({ xmin }) => xmin)).size).toBeLessThan(60);
  const entries = await sql("select from activity where resource->>'domain' like 'many%'");
  expect(entries).toHaveLength(60);
});

test("a refused write gets its own message and leaves nothing behind, and the others succeed", async () => {
  const bad = { answers: [{ answer: ["x"] }] };
  const replies = await Promise.all(labels("mixed", 20).map((label, n) => put(label, n % 4 === 0 ? bad : { answers })));
  expect(statuses(replies)).toEqual(replies.map((_, n) => (n % 4 === 0 ? 400 : 200)));
  expect(replies[0]?.body["message"]).toMatch(/^answers\[0\]/);
  const owners = await sql<{ domain: string }>("select domain from owner where domain like 'mixed%'");
  expect(owners).toHaveLength(15);
});

test("of many concurrent requests that create one record, one succeeds", async () => {
  const replies = await Promise.all(labels("", 12).map(() => put("same")));
  expect(statuses(replies).toSorted()).toEqual([200, ...Array(11).fill(400)]);
  const refused = replies.filter(({ status }) => status === 400);
  expect(new Set(refused.map(({ body }) => body["message"]))).toEqual(new Set(["record already exists"]));
});

test("answers added concurrently to one record are all kept", async () => {
  const added = Array.from({ length: 30 }, (_, n) => `192.0.2.${n + 1}`);
  const path = `zones/${zone}/added.${zone}/A`;
  await Promise.all(added.map((address) => api.must("POST", `${path}/answers`, { add: [{ answer: [address] }] })));
  const record = await api.must<{ answers: { answer: string[] }[] }>("GET", path);
  expect(record.answers.map(({ answer }) => answer[0]).toSorted()).toEqual(added.toSorted());
});

test("a name locked by a long transaction delays only writers of that name", async () => {
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holder = api.store.transaction(async (tx) => {
    const domain = `held.${zone}`;
    const text = `insert into owner (account_id, zone_id, domain) select account_id, id, $1 from zone where zone = $2`;
    await tx.executeQuery(CompiledQuery.raw(text, [domain, zone]));
    held.resolve();
    await released.promise;
  });
  await held.promise;
  const waiting = put("held");
  const replies = await Promise.all(labels("near", 10).map((label) => put(label)));
  expect(new Set(statuses(replies))).toEqual(new Set([200]));
  expect(await Promise.race([waiting.then(() => "done"), "waits"])).toBe("waits");
  released.resolve();
  await holder;
  expect((await waiting).status).toBe(200);
});

test("a row that the store refuses fails only its own request", async () => {
  await sql(`alter table record add constraint refused check (domain <> 'refused.${zone}')`);
  const replies = await Promise.all(["before", "refused", "after"].map((label) => put(label)));
  expect(statuses(replies)).toEqual([200, 500, 200]);
});

test("a name has a row to be locked until its last record is deleted", async () => {
  const path = `zones/${zone}/brief.${zone}`;
  const owners = () => sql(`select from owner where domain = 'brief.${zone}'`);
  await Promise.all([put("brief"), api.must("PUT", `${path}/TXT`, { answers: [{ answer: ["text"] }] })]);
  await api.must("DELETE", `${path}/A`);
  expect(await owners()).toHaveLength(1);
  await api.must("DELETE", `${path}/TXT`);
  expect(await owners()).toHaveLength(0);
});

test("a name under concurrent writes and deletions never has a CNAME together with other records", async () => {
  const path = `zones/${zone}/contested.${zone}`;
  const bodies = { A: { answers }, CNAME: { answers: [{ answer: ["example.com"] }] } };
  for (let round = 0; round < 5; round++) {
    const calls = (["A", "CNAME"] as const).flatMap((type) =>
      Array.from({ length: 5 }, () => [
        api.call("PUT", `${path}/${type}`, bodies[type]),
        api.call("DELETE", `${path}/${type}`),
      ]),
    );
    const replies = await Promise.all(calls.flat());
    for (const { status } of replies) expect([200, 400, 404]).toContain(status);
    const types = await sql<{ type: string }>(`select type from record where domain = 'contested.${zone}'`);
    expect(types.length).toBeLessThan(2);
  }
});
