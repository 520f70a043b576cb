/** A supervised child: restarts, failing starts and replacements. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../config/config.ts";
import { newLog } from "../../lib/log.ts";
import { Child } from "./child.ts";

/** Each process writes a line with its process id into `starts`, and then runs `body` with its start message. */
function supervise(body: string) {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-child-"));
  const [main, starts] = [join(directory, "main.mjs"), join(directory, "starts")];
  appendFileSync(starts, "");
  const line = `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(starts)}, process.pid + "\\n");`;
  const listen = `process.on("message", (message) => {
    if (message.kind === "retire") process.exit(0);
    if (message.kind === "start") { ${body} }
  });`;
  writeFileSync(main, `${line} ${listen}`);
  const config = readConfig({}, {});
  const start = { kind: "start", config, storeUrl: "", listen: [] } as const;
  const launch = { start, descriptors: [] };
  const log = newLog("silent", "test");
  const child = new Child({ ...launch, role: "edge", main, log, relay: async () => "", readyWithin: 1000 });
  onTestFinished(async () => {
    await child.stop();
    rmSync(directory, { recursive: true });
  });
  const pids = () => readFileSync(starts, "utf8").trim().split("\n").map(Number);
  return { child, pids, starts: () => readFileSync(starts, "utf8").split("\n").length - 1, launch };
}

const diesSoon = 'process.send({ kind: "ready" }); setTimeout(() => process.exit(1), 20);';

test("a child that dies is restarted", async () => {
  const { child, starts } = supervise(diesSoon);
  await child.ready;
  await expect.poll(starts).toBeGreaterThan(2);
}, 15_000);

test("restarts that fail for a while are repeated until one succeeds", async () => {
  const { child, starts } = supervise(diesSoon);
  await child.ready;
  const { execPath } = process;
  process.execPath = "/nowhere/node";
  await delay(500);
  process.execPath = execPath;
  const before = starts();
  await expect.poll(starts).toBeGreaterThan(before);
}, 15_000);

test("a first start that fails reports its reason", async () => {
  const { child } = supervise('process.send({ kind: "failed", message: "no such thing" }); process.exit(1);');
  await expect(child.ready).rejects.toThrow("no such thing");
});

test("a child that dies before it is first ready is not restarted", async () => {
  const { child, starts } = supervise("process.exit(3)");
  await expect(child.ready).rejects.toThrow("edge ended before it was ready (3)");
  await delay(300);
  expect(starts()).toBe(1);
});

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const runs =
  'process.send({ kind: "ready" }); process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000);';
/** A process that becomes ready only if it takes over from no other process. */
const firstOnly = `if (message.takesOver) setInterval(() => {}, 1000); else { ${runs} }`;
const takesOver = { revision: 1, live: 1 };

test("a replacement is ready before the old child ends", async () => {
  const { child, pids, launch } = supervise(runs);
  await child.ready;
  const { pid, retired } = await child.replace(launch);
  await retired;
  expect(pids()).toEqual([expect.any(Number), pid]);
  expect(pids().map(isAlive)).toEqual([false, true]);
  expect(child.pid).toBe(pid);
});

test("a child stays if its replacement does not become ready", async () => {
  const { child, pids, launch } = supervise(firstOnly);
  await child.ready;
  await expect(child.replace(launch, takesOver)).rejects.toThrow("the new edge was not ready within 1 s");
  expect(pids().map(isAlive)).toEqual([true, false]);
  expect(child.pid).toBe(pids()[0]);
}, 15_000);

test("a child stays if its replacement dies or cannot start", async () => {
  const { child, pids, launch } = supervise(`if (message.takesOver?.live === 2) process.exit(7);
    if (message.takesOver) process.send({ kind: "failed", message: "no such thing" }); else { ${runs} }`);
  await child.ready;
  await expect(child.replace(launch, takesOver)).rejects.toThrow("no such thing");
  await expect(child.replace(launch, { ...takesOver, live: 2 })).rejects.toThrow("ended before it was ready (7)");
  expect(pids().map(isAlive)).toEqual([true, false, false]);
});

test("a child that dies during a failing replacement is restarted", async () => {
  const { child, pids, launch } = supervise(firstOnly);
  await child.ready;
  const replaced = child.replace(launch, takesOver);
  replaced.catch(() => {});
  process.kill(pids()[0]!, "SIGKILL");
  await expect(replaced).rejects.toThrow("was not ready");
  await expect.poll(() => pids().filter(isAlive).length).toBe(1);
  expect(pids()).toHaveLength(3);
});
