/** An edge without a supervisor: its output, readiness and metrics, and the flags that it refuses. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { Daemon, freePort } from "../../test/machine/processes.ts";
import { node, tree } from "../../test/service/kit.ts";
import { emptyDatabase, silent } from "../../test/store/store.ts";
import { openStore } from "../storage/db.ts";

const long = 60_000;
const data = mkdtempSync(join(tmpdir(), "fairlead-edge-"));
afterAll(() => rmSync(data, { recursive: true }));

function start(...flags: readonly string[]): Daemon {
  const args = [join(tree, "bin/fairlead.js"), "edge", "--data", data, ...flags];
  const daemon = new Daemon(node, args, { env: { PATH: process.env["PATH"] } });
  onTestFinished(async () => void (await daemon.end()));
  return daemon;
}

test(
  "an edge prints its endpoints, waits for a schema, and is ready once it answers",
  async () => {
    const [dns, metrics] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    const url = await emptyDatabase();
    const daemon = start("--dns", dns, "--metrics", metrics, "--database-url", url);
    const ask = (path: string) => fetch(`http://${metrics}/${path}`);
    const readiness = () => ask("readyz").then(async (reply) => [reply.status, await reply.json()]);
    await daemon.until(() => daemon.printed.includes(`DNS        ${dns} (UDP and TCP)`), long);
    await daemon.until(() => daemon.printed.includes("the store has no schema yet"), long);
    expect(daemon.printed).toContain(`http://${metrics}/readyz`);
    expect((await ask("healthz")).status).toBe(200);
    expect(await readiness()).toEqual([503, { ready: false, edge: { error: "has no configuration yet" } }]);
    await (await openStore(url, { log: silent })).close();
    await daemon.until(async () => (await ask("readyz")).status === 200, long);
    expect(await readiness()).toMatchObject([200, { ready: true, edge: { ready: true } }]);
    expect(await (await ask("metrics")).text()).toContain("fairlead_edge_rrsets 0");
    expect(await daemon.end()).toBe(0);
  },
  3 * long,
);

test(
  "an edge refuses an endpoint of the API",
  async () => {
    const daemon = start("--http", "127.0.0.1:1");
    await expect.poll(() => daemon.ended, { timeout: long }).toBe(true);
    expect(daemon.printed).toContain("--http does not apply to fairlead edge");
  },
  2 * long,
);
