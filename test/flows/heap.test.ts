/** A worker with a full heap: it alone is replaced, and the edge continues. */
import { expect, test } from "vitest";
import { exchangeUdp } from "../dns/exchange.ts";
import { question } from "../dns/message.ts";
import { labels } from "../dns/names.ts";
import { PatchedTree } from "../machine/patched.ts";
import { service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";
import { metric } from "./wire/metrics.ts";

const zone = "heap.example";
/** A worker has 512 MB. */
const mutant = {
  what: "each query holds some 800 KB",
  file: "src/edge/workers/session.ts",
  from: "const isTimed = ",
  to: 'Object.assign(this.#later, { held: [new Array(100_000).fill(1.5), Reflect.get(this.#later, "held")] });\n    const isTimed = ',
};

test("an edge survives workers that run out of memory", async () => {
  using patched = new PatchedTree();
  await using running = await patched.with(mutant, () =>
    service({ sources: patched.path, flags: ["--workers", "2"] }).then(async (started) => {
      // a worker that is started again reads the sources again
      await exhaust(started.port, started.operator);
      return started;
    }),
  );
  const { edge } = rolesOf(running);
  expect(running.daemon.printed).toContain("ERR_WORKER_OUT_OF_MEMORY");
  await running.zone(zone);
  await running.daemon.until(async () => (await running.ask(`${zone} SOA`).catch(() => [])).length === 1, 60_000);
  expect(rolesOf(running).edge).toEqual(edge);
  expect(running.daemon.printed).not.toContain("child ended");
});

/** Asks until a worker was replaced. */
async function exhaust(port: number, operator: string): Promise<void> {
  const restarts = () => metric(`${operator}/metrics`, "fairlead_edge_worker_restarts_total");
  const queries = Array.from({ length: 200 }, () => question(labels(zone), 6));
  for (let round = 0; round < 100 && (await restarts()) === 0; round++) {
    // a worker that ends loses the queries that it has read
    await exchangeUdp(port, queries).catch(() => {});
  }
  expect(await restarts()).toBeGreaterThan(0);
}
