/** Listings of large records: no statement reads more than a bounded number of octets, and pages are complete. */
import { expect, test } from "vitest";
import { type Answer, type Fields, startApi } from "../../../../../test/service/api.ts";
import { beforeFirst, listPart, listRecords } from "./store.ts";

const api = await startApi();
const zone = "large.example";
const count = 60;

test("records with much metadata are read in parts, and all of them are listed", async () => {
  await api.must("PUT", `zones/${zone}`, {});
  const meta = { asn: Array.from({ length: 1000 }, (_, i) => 100_000 + i * 7919) };
  const answers = Array.from({ length: 25 }, (_, i) => ({ answer: [`192.0.2.${i}`], meta }));
  const names = Array.from({ length: count }, (_, i) => `r${String(i).padStart(3, "0")}.${zone}`);
  for (const name of names) {
    await api.must("PUT", `zones/${zone}/${name}/A`, { answers, filters: [{ filter: "netfence_asn", config: {} }] });
  }
  const row = await api.store.db.selectFrom("zone").selectAll().where("zone", "=", zone).executeTakeFirstOrThrow();
  const part = await listPart(api.store.db, row, beforeFirst, 1000);
  expect(part.items.length).toBeGreaterThan(0);
  expect([part.items.length < count, part.isLast]).toEqual([true, false]);
  const all = await listRecords(api.store.db, row.account_id, row.id, beforeFirst, 1000);
  expect(all.map(({ domain }) => domain).filter((domain) => domain !== zone)).toEqual(names);
  expect(await listRecords(api.store.db, row.account_id, row.id, beforeFirst, 7)).toHaveLength(7);
  for (const query of ["expand=true", ""]) {
    const found: unknown[] = [];
    for (let path: string | undefined = `zones/${zone}?${query}&limit=50`; path !== undefined; ) {
      const { body, headers }: Answer<{ records: Fields[] }> = await api.call("GET", path);
      found.push(...body.records.map(({ domain }) => domain));
      path = /v1\/(.*)>/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(found).toEqual([zone, ...names].sort());
  }
});
