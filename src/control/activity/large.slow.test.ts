/** Entries of the maximum size. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { startApi } from "../../../test/service/api.ts";

const api = await startApi();

test("entries that are too large for one reply are refused, and shown in several replies", async () => {
  const { id } = await api.store.db.selectFrom("account").select("id").executeTakeFirstOrThrow();
  for (let first = 0; first < 300; first += 10) {
    await sql`insert into activity
      (account_id, id, timestamp, resource_type, resource_id, user_id, user_name, user_type, action, resource)
      select ${id}, 'large' || n, n, 'large', '', '', '', '', '', json_build_object('text', repeat('x', 250000))
      from generate_series(${first}::int, ${first + 9}::int) as n`.execute(api.store.db);
  }
  const refused = await api.call("GET", "account/activity?resource_type=large&limit=300");
  expect([refused.status, refused.body["code"], refused.body["details"]]).toEqual([400, "invalid", { field: "limit" }]);
  expect(await api.must("GET", "account/activity?resource_type=large&limit=20")).toHaveLength(20);
});
