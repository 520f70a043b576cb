/** Starting processes: a signal ends them at once, cleanly, and leaves nothing behind; control has its V8 flags. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { processesBelow } from "../../../test/machine/proc.ts";
import { Daemon, freePort } from "../../../test/machine/processes.ts";
import { node, tree } from "../../../test/service/kit.ts";

/** Starts a role whose `processes` all wait for a store that accepts connections and never replies. */
async function starting(role: string, processes: number): Promise<Daemon> {
  const data = mkdtempSync(join(tmpdir(), "fairlead-signals-"));
  const callers = new Set<Socket>();
  const store = createServer((socket) => callers.add(socket.on("error", () => {}))).listen(0, "127.0.0.1");
  await once(store, "listening");
  const url = `postgres://fairlead@127.0.0.1:${(store.address() as AddressInfo).port}/fairlead`;
  const flags = ["--metrics", `127.0.0.1:${await freePort()}`, "--dns", `127.0.0.1:${await freePort()}`];
  if (role === "serve") flags.push("--http", `127.0.0.1:${await freePort()}`);
  const args = [join(tree, "bin/fairlead.js"), role, "--data", data, ...flags, "--database-url", url];
  const daemon = new Daemon(node, args, { env: { PATH: process.env["PATH"] } });
  onTestFinished(async () => {
    await daemon.end("SIGKILL");
    for (const caller of callers) caller.destroy();
    store.close();
    rmSync(data, { recursive: true });
  });
  await daemon.until(() => callers.size >= processes);
  return daemon;
}

test("an edge that waits for its store ends at SIGTERM", async () => {
  const daemon = await starting("edge", 1);
  expect(await daemon.end("SIGTERM", 5000)).toBe(0);
}, 30_000);

test("control without a supervisor has the same V8 flags as with one", async () => {
  const alone = await starting("control", 1);
  const supervised = processesBelow((await starting("serve", 2)).pid).find(({ line }) => line.at(-1) === "control");
  const flag = "--no-parallel-scavenge";
  expect([supervised?.line, readFileSync(`/proc/${alone.pid}/cmdline`, "utf8")]).toEqual([
    expect.arrayContaining([flag]),
    expect.stringContaining(flag),
  ]);
}, 30_000);

test("SIGTERM ends a supervisor and its children while they start", async () => {
  const daemon = await starting("serve", 2);
  const children = processesBelow(daemon.pid).map(({ pid }) => pid);
  expect(children).toHaveLength(2);
  expect(await daemon.end("SIGTERM", 5000)).toBe(0);
  for (const pid of children) expect(() => process.kill(pid, 0)).toThrow();
}, 30_000);

test("a Ctrl-C that arrives twice, as under npm, ends everything in order", async () => {
  const daemon = await starting("serve", 2);
  process.kill(daemon.pid, "SIGINT");
  expect(await daemon.end("SIGINT", 5000)).toBe(0);
}, 30_000);

test("children that are still starting end when their supervisor is killed", async () => {
  const daemon = await starting("serve", 2);
  const children = processesBelow(daemon.pid).map(({ pid }) => pid);
  await daemon.end("SIGKILL");
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(() => children.filter(isAlive), { timeout: 5000 }).toEqual([]);
}, 30_000);
