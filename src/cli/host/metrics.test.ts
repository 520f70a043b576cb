/** The listener for metrics and health without the API. */
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../test/machine/processes.ts";
import { serveMetrics } from "./metrics.ts";

test("only the given paths are served, and an endpoint in use is reported with its flag", async () => {
  const endpoint = { address: "127.0.0.1", port: await freePort() };
  const { close } = await serveMetrics(endpoint, [
    { path: "/metrics", run: () => ({ body: "fairlead_up 1\n" }) },
    { path: "/readyz", run: () => ({ status: 503, type: "application/json", body: "{}\n" }) },
    { path: "/away", run: () => Promise.reject(new Error("away")) },
  ]);
  onTestFinished(close);
  const get = (path: string) => fetch(`http://${endpoint.address}:${endpoint.port}${path}`);
  expect(await (await get("/metrics")).text()).toBe("fairlead_up 1\n");
  const ready = await get("/readyz");
  expect([ready.status, ready.headers.get("content-type")]).toEqual([503, "application/json"]);
  expect((await get("/away")).status).toBe(503);
  expect((await get("/")).status).toBe(404);
  const again = serveMetrics(endpoint, []);
  await expect(again).rejects.toThrow(`--metrics: 127.0.0.1:${endpoint.port} is in use`);
});
