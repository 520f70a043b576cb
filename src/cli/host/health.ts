/** What operators' tools ask a control process, or an edge alone: is it alive, is it ready, and its numbers. */

import type { EdgeStatus } from "../../edge/edge.ts";
import type { Extra, ExtraReply } from "../../http/server.ts";

/** The parts whose health counts. `edge` is undefined when no edge belongs to this process. */
export interface Health {
  /** Rejects when the store cannot be reached; undefined for an edge alone, which answers without it. */
  store: (() => Promise<void>) | undefined;
  edge: (() => Promise<EdgeStatus>) | undefined;
  metrics(): Promise<string>;
}

const plain = "text/plain; version=0.0.4; charset=utf-8";

export const healthExtras = (health: Health): Extra[] => [
  { path: "/healthz", run: () => json(200, { status: "ok" }) },
  { path: "/readyz", run: () => readiness(health) },
];

export const metricsExtra = (health: Health): Extra => ({
  path: "/metrics",
  run: async () => ({ type: plain, body: await health.metrics() }),
});

/** 200 when everything answers; 503 with the reason of what does not. */
async function readiness({ store, edge }: Health): Promise<ExtraReply> {
  const checks = [
    ...(store ? [["store", store().then(() => "ok")] as const] : []),
    ...(edge ? [["edge", edge().then(assertReady)] as const] : []),
  ];
  const results = await Promise.allSettled(checks.map(([, check]) => check));
  const parts = Object.fromEntries(checks.map(([name], i) => [name, outcome(results[i]!)]));
  const ready = results.every((result) => result.status === "fulfilled");
  return json(ready ? 200 : 503, { ready, ...parts });
}

/** An edge that waits for memory answers, but not with what was changed since. */
function assertReady(status: EdgeStatus): EdgeStatus {
  if (!status.ready) throw new Error("has no configuration yet");
  if (status.full) throw new Error("changes wait: the zones need more memory than --edge-memory-limit");
  return status;
}

const outcome = (result: PromiseSettledResult<unknown>) =>
  result.status === "fulfilled"
    ? result.value
    : { error: result.reason instanceof Error ? result.reason.message : "failed" };

const json = (status: number, body: object): ExtraReply => ({
  status,
  type: "application/json",
  body: `${JSON.stringify(body)}\n`,
});
