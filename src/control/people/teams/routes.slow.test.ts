/** Teams with many members and thousands of rules. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { startApi } from "../../../../test/service/api.ts";
import { newId } from "../../../lib/ids.ts";

const api = await startApi();
const records_allow = Array.from({ length: 4000 }, (_, i) => ({ zone: `z${i}.example`, domain: `www.z${i}.example` }));

test("a team of 200 keys and 4000 rules is deleted, and each key keeps the rights it granted", async () => {
  const permissions = { dns: { records_allow } };
  const { id } = await api.must("PUT", "account/teams", { name: "many", permissions });
  const { id: other } = await api.must("PUT", "account/teams", { name: "other" });
  const { id: one } = await api.must("PUT", "account/apikeys", { name: newId(), teams: [id] });
  const { id: both } = await api.must("PUT", "account/apikeys", { name: newId(), teams: [id, other] });
  await sql`
    insert into api_key (account_id, id, name, permissions, ip_whitelist, ip_whitelist_strict, teams, created)
    select account_id, id || n, name || n, permissions, ip_whitelist, ip_whitelist_strict, teams, created
    from api_key cross join generate_series(1, 199) as n where id = ${one}`.execute(api.store.db);

  expect((await api.call("DELETE", `account/teams/${id}`)).status).toBe(200);
  const shown = await api.must<{ permissions: typeof permissions }>("GET", `account/apikeys/${one}199`);
  expect(shown).toMatchObject({ teams: [], permissions });
  expect(await api.must("GET", `account/apikeys/${both}`)).toMatchObject({ teams: [other] });
  const left = api.store.db
    .selectFrom("api_key")
    .select("id")
    .where(sql<boolean>`teams::text like ${`%${id}%`}`);
  expect(await left.execute()).toEqual([]);
});
