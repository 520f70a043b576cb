/** An edge without a supervisor: its output, readiness and metrics, and the flags that it refuses. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { queryOf, summary } from "../../test/engine/states.ts";
import { Daemon, freePort } from "../../test/machine/processes.ts";
import { node, tree } from "../../test/service/kit.ts";
import { emptyDatabase, silent } from "../../test/store/store.ts";
import { StoreLink } from "../../test/store/store-link.ts";
import { exchange } from "../net/client/exchange.ts";
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
  "nothing that needs the store stands before the first answer: an edge whose store is frozen answers from its snapshot",
  async () => {
    const [port, metrics] = [await freePort(), `127.0.0.1:${await freePort()}`];
    const url = await emptyDatabase();
    await (await openStore(url, { log: silent })).close();
    await using link = await StoreLink.open(url);
    const flags = ["--dns", `127.0.0.1:${port}`, "--metrics", metrics, "--database-url", link.url];
    const answers = async () => {
      const server = { address: "127.0.0.1", port, transport: "udp", attempts: 1, timeout: 500 } as const;
      return summary(await exchange(server, queryOf("www.example.com A"))) === "REFUSED";
    };
    const isAnswered = () => answers().catch(() => false);
    const first = start(...flags);
    await first.until(isAnswered, long);
    await first.end();
    expect(existsSync(join(data, "edge", "zones"))).toBe(true);
    link.silence();
    const second = start(...flags);
    await second.until(isAnswered, long);
    // neither waits for values of feeds, nor has heard of the store
    await expect.poll(() => second.printed).toContain("the edge is ready");
    expect(second.printed).not.toContain("no values of feeds");
    // nor does it wait for the store at its end: one that must be killed has compiled its code in vain
    const ending = performance.now();
    expect(await second.end()).toBe(0);
    expect(performance.now() - ending).toBeLessThan(8000);
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
