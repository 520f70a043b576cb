/** Liveness, readiness and metrics of a control process or of an edge without a supervisor. */

import type { EdgeStatus } from "../../edge/edge.ts";
import type { Extra, ExtraReply } from "../../http/server.ts";
import type { StreamProgress } from "../../storage/sequencer/progress.ts";

/** The parts that readiness depends on. `edge` is undefined if the process has no edge. */
export interface Health {
  /** Rejects if the store takes no writes; undefined for an edge without a supervisor, which answers without its store. */
  store: (() => Promise<void>) | undefined;
  /** Rejects if changes are stored and not numbered; undefined like `store`. */
  changes?: () => Promise<StreamProgress>;
  edge: (() => Promise<EdgeStatus>) | undefined;
  /** The number of zones with a partner that the settings do not allow; undefined for an edge without a supervisor. */
  cutOff?: () => Promise<number>;
  metrics(): Promise<string>;
}

const plain = "text/plain; version=0.0.4; charset=utf-8";

/** For everybody who reaches the API: whether the process runs and is ready, without a reason or a name. */
export const publicExtras = (health: Health): Extra[] => [
  alive,
  ...readinesses(health).map(({ path, run }) => ({
    path,
    async run() {
      const { status = 200 } = await run();
      return json(status, { ready: status === 200 });
    },
  })),
];

/** For the operator. */
export const operatorExtras = (health: Health): Extra[] => [
  alive,
  ...readinesses(health),
  { path: "/metrics", run: async () => ({ type: plain, body: await health.metrics() }) },
];

/** Readiness for everything, and apart from each other to answer and to write: each may be possible without the other. */
function readinesses({ store, changes, edge, cutOff }: Health): Extra[] {
  const answers: readonly Part[] = [["edge", edge && (() => edge().then(assertReady))]];
  const writes: readonly Part[] = [
    ["store", store && (() => store().then(() => "ok"))],
    ["changes", changes],
  ];
  // an installation is ready with zones that are cut off, but the operator should see them
  const shown: Part = ["zones_cut_off", cutOff && (() => cutOff().catch(() => null))];
  const all: readonly (readonly [path: string, parts: readonly Part[]])[] = [
    ["/readyz", [...writes, ...answers, shown]],
    ["/readyz/answers", answers],
    ["/readyz/writes", writes],
  ];
  const own = all.filter(([, parts]) => parts.some(([, check]) => check));
  return own.map(([path, parts]) => ({ path, run: () => readiness(parts) }));
}

/** The name of a part, and its check; undefined when the process does not have the part. */
type Part = readonly [name: string, check: (() => Promise<unknown>) | undefined];

const alive: Extra = { path: "/healthz", run: () => json(200, { status: "ok" }) };

/** 200 if all parts are ready, otherwise 503 with the reason of each part that is not. */
async function readiness(parts: readonly Part[]): Promise<ExtraReply> {
  const checks = parts.flatMap(([name, check]) => (check ? [[name, check()] as const] : []));
  const results = await Promise.allSettled(checks.map(([, check]) => check));
  const outcomes = Object.fromEntries(checks.map(([name], i) => [name, outcome(results[i]!)]));
  const ready = results.every((result) => result.status === "fulfilled");
  return json(ready ? 200 : 503, { ready, ...outcomes });
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
