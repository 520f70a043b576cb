/** History beyond the limit of one request is refused before it is read. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";

const zone = "huge.example";
const path = `zones/${zone}`;
const www = `${path}/www.${zone}/A`;
/** Number of changes that are too large together. */
const parts = 16;
const api = await startApi();

test("history beyond the limit of one request is refused", async () => {
  await api.numbered(await api.call("PUT", path, {}));
  await api.numbered(await api.call("PUT", www, { answers: [{ answer: ["192.0.2.1"] }] }));
  for (let ttl = 1; ttl <= parts; ttl++) await api.numbered(await api.call("POST", www, { ttl }));
  const { db } = api.store;
  const updates = db.selectFrom("zone_history").select("change_id").where("action", "=", "record update");
  const huge = sql`json_build_array(json_build_object('kind', repeat('x', ${(64 / parts) * 2 ** 20}::int)))`;
  // one by one, because each statement has a short time limit
  for (const { change_id } of await updates.execute()) {
    await sql`update zone_history set removed = ${huge} where change_id = ${change_id}`.execute(db);
  }
  const versions = await api.must<Fields[]>("GET", `${path}/versions`);
  const [first, second] = versions.toReversed().map(({ id }) => id);
  for (const [method, call] of [
    ["GET", `${path}?version=${first}`],
    ["POST", `${path}/versions/${first}/activate`],
  ] as const) {
    const { status, body } = await api.call(method, call);
    expect([status, body["message"]], call).toEqual([400, expect.stringContaining("name a later version")]);
  }
  expect(await api.call("GET", `${path}/diff?from=${first}&to=${second}`)).toMatchObject({ status: 200 });
});
