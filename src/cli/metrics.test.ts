/** The listener for metrics alone: what it serves, and what it says when its endpoint is taken. */
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../test/processes.ts";
import { serveMetrics } from "./metrics.ts";

test("metrics are served at their path only, and an endpoint that is taken is named with its flag", async () => {
  const endpoint = { address: "127.0.0.1", port: await freePort() };
  const { close } = await serveMetrics(endpoint, async () => "fairlead_up 1\n");
  onTestFinished(close);
  const get = (path: string) => fetch(`http://${endpoint.address}:${endpoint.port}${path}`);
  expect(await (await get("/metrics")).text()).toBe("fairlead_up 1\n");
  expect((await get("/")).status).toBe(404);
  const again = serveMetrics(endpoint, async () => "");
  await expect(again).rejects.toThrow(`--metrics: 127.0.0.1:${endpoint.port} is in use`);
});
