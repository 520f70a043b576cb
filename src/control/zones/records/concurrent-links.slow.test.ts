/** Concurrent writes of links and targets: in any order, no link is left without its target. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { seededRandom } from "../../../../test/machine/random.ts";
import { startApi } from "../../../../test/service/api.ts";

const api = await startApi();
const zones = ["a.example", "b.example"];
const names = zones.flatMap((zone) => ["x", "y", "z"].map((label) => ({ zone, domain: `${label}.${zone}` })));
const answers = [{ answer: ["192.0.2.1"] }];

test("after concurrent links, unlinks and deletions, every link has a target that is not linked", async () => {
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
    select link.domain, link.link from record as link left join record as target
      on target.account_id = link.account_id and target.domain = link.link and target.type = link.type
    where link.link is not null and (target.domain is null or target.link is not null)`.execute(api.store.db);
  expect(rows).toEqual([]);
});
