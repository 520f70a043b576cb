/** The state of a process: everybody sees less of it than the operator. */
import { expect, test } from "vitest";
import type { Extra } from "../../http/server.ts";
import { type Health, operatorExtras, publicExtras } from "./health.ts";

const edge = {
  ...{ ready: true, full: false, zones: 3, live: { unserved: 0 } },
  quarantined: { names: ["www.secret.example A"], zones: [] },
};
const progress = { unnumbered: 0, waited: 0, edges: 1, edges_behind: 0 };
const health = {
  store: async () => {},
  edge: async () => edge,
  changes: async () => progress,
  cutOff: async () => 2,
  metrics: async () => "fairlead_up 1\n",
} as unknown as Health;

async function get(extras: readonly Extra[], path: string) {
  const reply = await extras.find((extra) => extra.path === path)?.run();
  return reply && [reply.status ?? 200, reply.body.trim()];
}

test("everybody sees whether the process is ready, and no name", async () => {
  expect(await get(publicExtras(health), "/readyz")).toEqual([200, '{"ready":true}']);
  expect(await get(publicExtras(health), "/healthz")).toEqual([200, '{"status":"ok"}']);
  expect(await get(publicExtras(health), "/metrics")).toBeUndefined();
  const away = { ...health, store: () => Promise.reject(new Error("the store at db.secret.example is away")) };
  expect(await get(publicExtras(away), "/readyz")).toEqual([503, '{"ready":false}']);
});

test("the operator sees the parts, and the zones whose partners are not allowed", async () => {
  const [status, body] = (await get(operatorExtras(health), "/readyz"))!;
  expect(status).toBe(200);
  expect(JSON.parse(String(body))).toEqual({ ready: true, store: "ok", changes: progress, edge, zones_cut_off: 2 });
  expect(await get(operatorExtras(health), "/metrics")).toEqual([200, "fairlead_up 1"]);
});

test("partners that cannot be counted leave the process ready", async () => {
  const uncounted = { ...health, cutOff: () => Promise.reject(new Error("too slow")) };
  expect(await get(operatorExtras(uncounted), "/readyz")).toEqual([
    200,
    expect.stringContaining('"zones_cut_off":null'),
  ]);
});

test("readiness to answer and readiness to write are told apart", async () => {
  const statuses = async (parts: Partial<Health>) => {
    const extras = operatorExtras({ ...health, ...parts } as Health);
    const paths = ["/readyz", "/readyz/answers", "/readyz/writes"];
    return await Promise.all(paths.map(async (path) => (await get(extras, path))?.[0]));
  };
  const fails = () => Promise.reject(new Error("away"));
  expect(await statuses({})).toEqual([200, 200, 200]);
  expect(await statuses({ store: fails })).toEqual([503, 200, 503]);
  expect(await statuses({ changes: fails })).toEqual([503, 200, 503]);
  expect(await statuses({ edge: fails })).toEqual([503, 503, 200]);
  // a process says nothing about what it does not do
  expect(await statuses({ edge: undefined, changes: undefined, store: undefined, cutOff: undefined } as never)).toEqual(
    [undefined, undefined, undefined],
  );
});
