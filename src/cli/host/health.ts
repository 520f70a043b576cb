/** Liveness, readiness and metrics of a control process or of an edge without a supervisor. */

import type { EdgeStatus } from "../../edge/edge.ts";
import type { Extra, ExtraReply } from "../../http/server.ts";

/** The parts that readiness depends on. `edge` is undefined if the process has no edge. */
export interface Health {
  /** Rejects if the store is unreachable; undefined for an edge without a supervisor, which answers without its store. */
  store: (() => Promise<void>) | undefined;
  edge: (() => Promise<EdgeStatus>) | undefined;
  /** The number of zones with a partner that the settings do not allow; undefined for an edge without a supervisor. */
  cutOff?: () => Promise<number>;
  metrics(): Promise<string>;
}

const plain = "text/plain; version=0.0.4; charset=utf-8";

/** For everybody who reaches the API: whether the process runs and is ready, without a reason or a name. */
export const publicExtras = (health: Health): Extra[] => [
  alive,
  {
    path: "/readyz",
    async run() {
      const { status = 200 } = await readiness(health);
      return json(status, { ready: status === 200 });
    },
  },
];

/** For the operator. */
export const operatorExtras = (health: Health): Extra[] => [
  alive,
  { path: "/readyz", run: () => readiness(health) },
  { path: "/metrics", run: async () => ({ type: plain, body: await health.metrics() }) },
];

const alive: Extra = { path: "/healthz", run: () => json(200, { status: "ok" }) };

/** 200 if all parts are ready, otherwise 503 with the reason of each part that is not. */
async function readiness({ store, edge, cutOff }: Health): Promise<ExtraReply> {
  const checks = [
    ...(store ? [["store", store().then(() => "ok")] as const] : []),
    ...(edge ? [["edge", edge().then(assertReady)] as const] : []),
    ...(cutOff ? [["zones_cut_off", cutOff().catch(() => null)] as const] : []),
  ];
  const results = await Promise.allSettled(checks.map(([, check]) => check));
  const parts = Object.fromEntries(checks.map(([name], i) => [name, outcome(results[i]!)]));
  const ready = results.every((result) => result.status === "fulfilled");
  return json(ready ? 200 : 503, { ready, ...parts });
}

/** An edge that lacks memory still answers, but without newer changes, or without some values of feeds. */
function assertReady(status: EdgeStatus): EdgeStatus {
  if (!status.ready) throw new Error("has no configuration yet");
  if (status.full) throw new Error("changes are held back: the zones need more memory than --edge-memory-limit");
  if (status.live.unserved > 0)
    throw new Error(`${status.live.unserved} values of feeds are not served: they have no room`);
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
