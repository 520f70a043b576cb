/** A search of more records than one call reads: the next call continues where it ended. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { mostSearched } from "./search.ts";

const api = await startApi();
await api.must("PUT", "zones/large.example", {});
const zone = await api.store.db.selectFrom("zone").selectAll().executeTakeFirstOrThrow();

test("a call ends with a sealed cursor, and the next call finds the rest", async () => {
  const filling = sql`
    insert into record (account_id, zone_id, domain, type, id, ttl, answers, created_at, updated_at)
    select ${zone.account_id}, ${zone.id}, 'h' || lpad(n::text, 7, '0') || '.large.example', 'A', 'id' || n, 60, '[]', 0, 0
    from generate_series(1, ${mostSearched + 10}::integer) as n`;
  await api.store.transaction((tx) => filling.execute(tx), { within: 100_000 });
  const name = `h${String(mostSearched + 9).padStart(7, "0")}.large.example`;
  const first = await api.call<Fields[]>("GET", `search?type=record&q=${name}`);
  expect([first.status, first.body]).toEqual([200, []]);
  const next = /<[^>]*\/v1\/([^>]*)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  expect(next).toMatch(/after=v1\./);
  const second = await api.call<Fields[]>("GET", next);
  expect(second.body).toEqual([{ domain: name, type: "A", zone: "large.example" }]);
  expect(second.headers.get("link")).toBeNull();
  const stranger = await api.stranger();
  expect(await stranger.call("GET", next)).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^after: is not the cursor/) },
  });
  expect((await api.call("GET", `search?type=record&q=h000${"&max=2"}`)).headers.get("link")).toBeNull();
});
