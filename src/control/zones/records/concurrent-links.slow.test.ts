/** Concurrent writes of links and targets succeed in any order, and leave no locked names behind. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { seededRandom } from "../../../../test/machine/random.ts";
import { startApi } from "../../../../test/service/api.ts";

const api = await startApi();
const zones = ["a.example", "b.example"];
const names = zones.flatMap((zone) => ["x", "y", "z"].map((label) => ({ zone, domain: `${label}.${zone}` })));
const answers = [{ answer: ["192.0.2.1"] }];

test("concurrent links, unlinks and deletions succeed in any order, and leave no names without records", async () => {
  for (const zone of zones) await api.must("PUT", `zones/${zone}`, {});
  const statuses = new Set<number>();
  const write = async (random: () => number) => {
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
    const { zone, domain } = pick(names);
    const { zone: other, domain: link } = pick(names);
    const path = `zones/${zone}/${domain}/A`;
    const both = [
      { action: "put", zone, domain, type: "A", link },
      { action: "put", zone: other, domain: link, type: "A", answers },
    ];
    const calls = [
      () => api.call("PUT", path, { link }),
      () => api.call("PUT", path, { answers }),
      () => api.call("POST", path, { link, answers: [] }),
      () => api.call("POST", path, { link: null, answers }),
      () => api.call("DELETE", path),
      () => api.call("PUT", "changesets", { records: both }),
    ];
    statuses.add((await pick(calls)()).status);
  };
  const writer = async (seed: number) => {
    const random = seededRandom(seed);
    for (let i = 0; i < 30; i++) await write(random);
  };
  await Promise.all(Array.from({ length: 5 }, (_, i) => writer(i + 1)));
  expect([200, 400, 404]).toEqual(expect.arrayContaining([...statuses]));
  const { rows } = await sql`
    select owner.domain from owner left join record
      on record.account_id = owner.account_id and record.zone_id = owner.zone_id and record.domain = owner.domain
    where record.domain is null`.execute(api.store.db);
  expect(rows).toEqual([]);
  const { rows: nameless } = await sql`
    select record.domain from record left join owner
      on record.account_id = owner.account_id and record.zone_id = owner.zone_id and record.domain = owner.domain
    where owner.domain is null and record.type = 'A'`.execute(api.store.db);
  expect(nameless).toEqual([]);
});
