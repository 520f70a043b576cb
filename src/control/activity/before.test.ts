/** The field `before` of entries: the earlier values. */
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../../test/service/api.ts";

const api = await startApi();
const newest = async (resource_type: string) => {
  const [entry] = await api.must<Fields[]>("GET", `account/activity?resource_type=${resource_type}&limit=1`);
  return entry!;
};

test("a changed record has the earlier values of the fields that differ, and no others", async () => {
  await api.must("PUT", "zones/a.example", { zone: "a.example" });
  const path = "zones/a.example/www.a.example/A";
  const made = await api.must("PUT", path, { answers: [{ answer: ["192.0.2.1"] }], ttl: 60 });
  expect(await newest("record")).not.toHaveProperty("before");
  await api.must("POST", path, { ttl: 30 });
  expect(await newest("record")).toMatchObject({ before: { ttl: 60 }, resource: { ttl: 30 } });
  expect(Object.keys((await newest("record"))["before"] as Fields)).toEqual(["ttl"]);
  await api.must("POST", `${path}/answers`, { add: [{ answer: ["192.0.2.2"] }] });
  expect((await newest("record"))["before"]).toEqual({ answers: made["answers"] });
  await api.must("DELETE", path);
  const gone = await newest("record");
  expect(gone).toMatchObject({ action: "delete", resource: { ttl: 30 } });
  expect(gone).not.toHaveProperty("before");
});

test("an added field was null before", async () => {
  const path = "zones/a.example/down.a.example/A";
  await api.must("PUT", path, { answers: [{ answer: ["192.0.2.1"] }] });
  await api.must("POST", path, { all_down: { policy: "nothing" } });
  expect((await newest("record"))["before"]).toEqual({ all_down: null });
});

test("the entry of a write to many records contains the replaced and removed records as a whole", async () => {
  const record = (label: string, ttl: number) => ({
    ...{ domain: `${label}.a.example`, type: "A", ttl },
    answers: [{ answer: ["192.0.2.1"] }],
  });
  await api.must("POST", "zones/a.example/records", { put: [record("x", 1), record("y", 2)] });
  const remove = [{ domain: "y.a.example", type: "A" }];
  await api.must("POST", "zones/a.example/records", { put: [record("x", 3), record("z", 4)], remove });
  expect((await newest("record"))["before"]).toMatchObject({
    records: [
      { domain: "y.a.example", ttl: 2 },
      { domain: "x.a.example", ttl: 1 },
    ],
  });
});

test("a changed zone does not include its records", async () => {
  await api.must("POST", "zones/a.example", { nx_ttl: 77 });
  expect((await newest("dns_zone"))["before"]).toEqual({ nx_ttl: 3600 });
});

test("the change of a secret is shown without the secret", async () => {
  const secret = (octet: string) => Buffer.from(octet.repeat(32)).toString("base64");
  await api.must("PUT", "tsig/k.example", { algorithm: "hmac-sha256", secret: secret("a") });
  await api.must("POST", "tsig/k.example", { secret: secret("b") });
  const entry = await newest("tsig_key");
  expect(entry["before"]).toEqual({ secret: "********" });
  expect(JSON.stringify(entry)).not.toContain(secret("a"));
});

test.each([
  ["apikey", "account/apikeys", "id", { name: "one" }, { name: "two" }, { name: "one" }],
  ["whitelist", "account/whitelist", "id", { name: "one", values: [] }, { name: "two" }, { name: "one" }],
  [
    "datasource",
    "data/sources",
    "id",
    { name: "one", sourcetype: "nsone_v1", config: {} },
    { name: "two" },
    { name: "one" },
  ],
] as const)("%s", async (type, path, id, made, change, before) => {
  const resource = await api.must("PUT", path, made);
  await api.must("POST", `${path}/${resource[id]}`, change);
  expect(await newest(type)).toMatchObject({ action: "update", resource_id: resource[id], before });
  expect((await newest(type))["before"]).toEqual(before);
});

test.each([
  ["settings", { company: "One" }, { company: "" }],
  ["usagewarnings", { queries: { warning_1: 5 } }, { queries: { send_warnings: false, warning_1: 80, warning_2: 95 } }],
])("account %s", async (path, change, before) => {
  await api.must("POST", `account/${path}`, change);
  expect((await newest("account"))["before"]).toEqual(before);
});

test("an entry contains the caller's address", async () => {
  expect(await newest("record")).toMatchObject({ user_type: "apikey", address: "127.0.0.1" });
});
