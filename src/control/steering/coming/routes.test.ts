/** Replies to clients that ask for monitoring and notifications, which are not built yet. */
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";

const api = await startApi();

test.for(["monitoring/jobs", "lists", "monitoring/regions"])("%s is empty", async (path) => {
  expect(await api.must("GET", path)).toEqual([]);
});

test.for([
  ["monitoring/jobs", "monitoring jobs are not built yet; let your monitoring push to a feed instead"],
  ["lists", "notification lists are not built yet"],
] as const)("nothing is created by PUT %s", async ([path, message]) => {
  const { status, body } = await api.call("PUT", path, { name: "mine" });
  expect([status, body]).toEqual([400, { message, code: "not_built" }]);
  expect(await api.must("GET", path)).toEqual([]);
});

test("the types of jobs have their settings and results, with the defaults that clients know", async () => {
  const types = await api.must<Record<string, { config: Record<string, Fields>; results: Record<string, Fields> }>>(
    "GET",
    "monitoring/jobtypes",
  );
  expect(Object.keys(types)).toEqual(["ping", "tcp", "dns", "http"]);
  const defaults = (type: string) =>
    Object.fromEntries(Object.entries(types[type]!.config).map(([name, field]) => [name, field["default"]]));
  expect(defaults("ping")).toMatchObject({ host: null, count: "4", timeout: "2000", interval: "0" });
  expect(defaults("tcp")).toMatchObject({ port: null, connect_timeout: "2000", response_timeout: "1000", ssl: "0" });
  expect(types["tcp"]!.config["port"]).toMatchObject({ required: true, type: "number", validator: "number" });
  expect(types["ping"]!.results).toMatchObject({ rtt: { metric: true }, loss: { metric: true } });
  expect(types["tcp"]!.results["output"]).toMatchObject({ comparators: ["contains"], metric: false });
  for (const { desc } of Object.values<Fields>(types)) expect(desc).toMatch(/^Not built yet\. /);
});

test("the types of notifications have their settings", async () => {
  const types = await api.must<Record<string, { desc: string; config: Fields }>>("GET", "notifytypes");
  const settings = Object.entries(types).map(([name, { config }]) => [name, Object.keys(config)]);
  expect(Object.fromEntries(settings)).toMatchObject({ user: ["user"], email: ["email"], datafeed: ["sourceid"] });
  for (const { desc } of Object.values(types)) expect(desc).toMatch(/^Not built yet\. /);
});
