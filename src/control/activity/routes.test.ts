/** What the activity log can be asked. */
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../../test/api.ts";

const api = await startApi();
const ask = async (query: string) =>
  (await api.call<{ code: string; message: string }>("GET", `account/activity?${query}`)).body;

test("a time that is none is not mistaken for one that could be read some day", async () => {
  expect(await ask("start=abc")).toMatchObject({
    code: "invalid",
    message: 'start: "abc" is not a time in Unix seconds',
  });
  expect(await ask("end=2026-01-01")).toMatchObject({ code: "not_built" });
  expect(await ask("start=1700000000.5&end=1800000000")).toBeInstanceOf(Array);
});

test("imports into zones that a key may not see are not shown to it", async () => {
  const file = "@ 60 SOA ns.example. admin.example. 1 2 3 4 5\n";
  for (const zone of ["open.example", "closed.example"]) await api.must("PUT", `import/zonefile/${zone}`, file);
  const key = await api.limited({ dns: { zones_deny: ["closed.example"] } });
  const entries = await key.must<Fields[]>("GET", "account/activity?resource_type=zonefile");
  expect(entries).toMatchObject([{ resource: { zone: "open.example" } }]);
});
