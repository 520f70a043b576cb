/** A supervised child: started again when it dies, and when for a while it cannot be started at all. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../config.ts";
import { newLog } from "../lib/log.ts";
import { Child } from "./supervisor.ts";

/** Its role writes a line into `starts` whenever it starts, and then runs `body` with its start message. */
function supervise(body: string) {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-child-"));
  const [main, starts] = [join(directory, "main.mjs"), join(directory, "starts")];
  appendFileSync(starts, "");
  const line = `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(starts)}, "x");`;
  writeFileSync(main, `${line} process.once("message", () => { ${body} });`);
  const config = readConfig({}, {});
  const start = { kind: "start", config, storeUrl: "", listen: [] } as const;
  const log = newLog("silent", "test");
  const child = new Child({ role: "edge", main, log, start, descriptors: [], relay: async () => "" });
  onTestFinished(async () => {
    await child.stop();
    rmSync(directory, { recursive: true });
  });
  return { child, starts: () => readFileSync(starts, "utf8").length };
}

const diesSoon = 'process.send({ kind: "ready" }); setTimeout(() => process.exit(1), 20);';

test("a child that dies is started again", async () => {
  const { child, starts } = supervise(diesSoon);
  await child.ready;
  await expect.poll(starts, { timeout: 10_000 }).toBeGreaterThan(2);
}, 15_000);

test("a child that cannot be started again for a while is started after it", async () => {
  const { child, starts } = supervise(diesSoon);
  await child.ready;
  const { execPath } = process;
  process.execPath = "/nowhere/node";
  await delay(500);
  process.execPath = execPath;
  const before = starts();
  await expect.poll(starts, { timeout: 10_000 }).toBeGreaterThan(before);
}, 15_000);

test("a first start that fails says why", async () => {
  const { child } = supervise('process.send({ kind: "failed", message: "no such thing" }); process.exit(1);');
  await expect(child.ready).rejects.toThrow("no such thing");
});

test("a child that dies before it is ready is not started again", async () => {
  const { child, starts } = supervise("process.exit(3)");
  await expect(child.ready).rejects.toThrow("edge ended before it was ready (3)");
  await delay(300);
  expect(starts()).toBe(1);
});
