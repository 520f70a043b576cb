/** Teams with many members and thousands of rules. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { newestAccount } from "../../../../test/service/accounts.ts";
import { startApi } from "../../../../test/service/api.ts";
import { newId } from "../../../lib/ids.ts";
import { limits } from "../../kit/limits.ts";

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

test("keys, users and teams of an account have room for 64 MiB together, and those of another account are not affected", async () => {
  const stranger = await api.stranger();
  const account_id = await newestAccount(api.store);
  const permissions = { dns: { records_allow: records_allow.slice(0, 2000) } };
  const full = limits.holdersMegabytes * 1024 * 1024;
  const parts = 100;
  // as large as it is, though it would compress to nothing
  await sql`
    insert into team (account_id, id, name, permissions, ip_whitelist, created)
    select ${account_id}, 'full' || n, 'full' || n, json_build_object('x', repeat('x', ${Math.floor(full / parts) - 100})), '[]', 0
    from generate_series(1, ${parts}::integer) as n`.execute(api.store.db);
  const since = performance.now();
  const refused = { status: 400, body: { message: expect.stringMatching(/^the keys, users and teams of an account/) } };
  expect(await stranger.call("PUT", "account/teams", { name: "one more", permissions })).toMatchObject(refused);
  process.stdout.write(`beside teams of 64 MiB, one more is refused in ${Math.round(performance.now() - since)} ms\n`);
  expect(await stranger.call("PUT", "account/apikeys", { name: "one more", permissions })).toMatchObject(refused);
  const user = { username: newId(), email: "a@example.com", shared_auth: { note: "x".repeat(200_000) } };
  expect(await stranger.call("PUT", "account/users", user)).toMatchObject(refused);
  await api.must("PUT", "account/teams", { name: "one more", permissions });
  // what is smaller, and what becomes smaller, is accepted
  const { id } = await stranger.must("PUT", "account/teams", { name: "small" });
  expect(await stranger.call("POST", `account/teams/${id}`, { permissions })).toMatchObject(refused);
  await stranger.must("DELETE", "account/teams/full1");
  await stranger.must("POST", `account/teams/${id}`, { permissions });
});

test("the members of a deleted team get its permissions only if the account has room for them", async () => {
  const stranger = await api.stranger();
  const account_id = await newestAccount(api.store);
  const permissions = { dns: { records_allow } };
  const { id } = await stranger.must("PUT", "account/teams", { name: "many", permissions });
  await sql`
    insert into api_key (account_id, id, name, permissions, ip_whitelist, ip_whitelist_strict, teams, created)
    select ${account_id}, 'member' || n, 'member' || n, '{}', '[]', false, json_build_array(${id}::text), 0
    from generate_series(1, 500) as n`.execute(api.store.db);
  const answer = await stranger.call("DELETE", `account/teams/${id}`);
  expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining("would be added")]);
  await sql`delete from api_key where account_id = ${account_id} and id > 'member2'`.execute(api.store.db);
  expect((await stranger.call("DELETE", `account/teams/${id}`)).status).toBe(200);
});
