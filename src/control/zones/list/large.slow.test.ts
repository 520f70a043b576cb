/** The list of an account with 100,000 zones, and another account beside it. */
import { expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { nextPath } from "../../../../test/service/client.ts";
import { addZones } from "../../../../test/store/many-zones.ts";

const api = await startApi();
const other = await api.stranger();
await other.must("PUT", "zones/other.example", {});
const zones = 100_000;
await api.must("PUT", "zones/pattern.example", { tags: { team: "red" } });
await addZones(api.storeUrl, "pattern.example", zones - 1);

const list = async (query: string, client: Client = api) => {
  const answer = await client.call<readonly Fields[]>("GET", `zones?${query}`);
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  return answer;
};

test("pages of every order have each zone once", async () => {
  for (const query of ["sort=serial&order=desc", "q=zone9&sort=updated"]) {
    const seen = new Set<unknown>();
    let total = 0;
    let pages = 0;
    for (let path: string | undefined = `zones?${query}&limit=5000`; path !== undefined; pages++) {
      const { body, headers } = await api.call<readonly Fields[]>("GET", path);
      for (const { zone } of body) seen.add(zone);
      total = Number(headers.get("x-total-count"));
      path = nextPath(headers);
    }
    expect([query, seen.size, pages]).toEqual([query, total, Math.ceil(total / 5000)]);
  }
});

test("a file has all of them", async () => {
  const { text } = await list("export=csv&sort=created");
  expect(text.trim().split("\r\n")).toHaveLength(zones + 1);
});

test("another account is served while this one lists and exports without pause", async () => {
  let isDone = false;
  let listed = 0;
  const attack = async (query: string) => {
    while (!isDone) {
      // some are refused when there are too many of them at once
      const { status } = await api.call("GET", `zones?${query}`);
      expect([200, 429, 503]).toContain(status);
      listed++;
    }
  };
  const queries = ["q=*9*e*&sort=serial&order=desc", "tag=team:red&sort=updated", "network=0&q=nothing", "export=csv"];
  const attacks = Array.from({ length: 12 }, (_, n) => attack(queries[n % queries.length]!));
  for (let n = 0; n < 20; n++) {
    expect((await list("q=other&sort=updated", other)).headers.get("x-total-count")).toBe("1");
    await other.must("POST", "zones/other.example", { ttl: 60 + n });
  }
  const meanwhile = listed;
  isDone = true;
  await Promise.all(attacks);
  expect(meanwhile).toBeGreaterThan(0);
});
