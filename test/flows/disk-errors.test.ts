/** A disk whose fsync fails: nothing is acknowledged that is missing afterwards. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ask } from "../engine/states.ts";
import { processesBelow } from "../machine/proc.ts";
import { Daemon, freePort } from "../machine/processes.ts";
import { service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";
import { testDatabase } from "../store/store.ts";
import { EdgeProcess } from "./wire/edge-process.ts";

const zone = "failing.example";
const patient = 60_000;
const mostWrites = 200;

/** From now on, this number of sync calls works in each of the processes; all later ones fail. */
function failAfter(calls: number, pids: readonly number[]): Daemon {
  const inject = ["-e", `inject=fsync,fdatasync:error=EIO:when=${calls + 1}+`];
  const traced = pids.flatMap((pid) => ["-p", `${pid}`]);
  const flags = ["-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", ...inject, ...traced];
  const tracer = new Daemon("strace", flags);
  onTestFinished(async () => void (await tracer.end()));
  return tracer;
}

/** Waits until each process is traced; a tracer without permission reports why. */
async function tracing(tracer: Daemon, pids: readonly number[]): Promise<void> {
  const isTraced = (pid: number) => /^TracerPid:\t[1-9]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  await tracer.until(() => pids.every(isTraced));
}

/** Continues all processes: one that was created just as its tracer ended would stay stopped. */
function continueAll(ancestor: number): void {
  for (const { pid } of processesBelow(ancestor)) {
    try {
      process.kill(pid, "SIGCONT");
    } catch {
      // it has ended
    }
  }
}

test("when the store's log cannot be synced, writes are refused, and all acknowledged ones exist afterwards", async () => {
  await using running = await service();
  await running.zone(zone);
  await running.put(zone, `www.${zone} A`, ["192.0.2.1"]);
  await running.daemon.until(async () => (await running.ask(`www.${zone} A`)).length === 1);
  const { store } = rolesOf(running);
  const tracer = failAfter(3, store);
  await tracing(tracer, store.slice(0, 1));
  const put = (n: number) =>
    running.api("PUT", `zones/${zone}/n${n}.${zone}/A`, { answers: [{ answer: ["192.0.2.2"] }] });
  const acknowledged: number[] = [];
  for (let n = 0; ; n++) {
    expect(n, tracer.printed).toBeLessThan(mostWrites);
    const { status } = await put(n);
    if (status !== 200) {
      expect(status).toBe(503);
      break;
    }
    acknowledged.push(n);
  }
  expect(await running.ask(`www.${zone} A`)).toHaveLength(1);
  await tracer.end();
  const isWritable = async () => {
    // again and again: a process may have been forked while the tracer ended
    continueAll(running.daemon.pid);
    return (await put(mostWrites)).status === 200;
  };
  await running.daemon.until(isWritable, patient);
  expect(running.daemon.printed).toMatch(/PANIC.*could not f(data)?sync/);
  for (const n of [...acknowledged, mostWrites]) {
    expect((await running.api("GET", `zones/${zone}/n${n}.${zone}/A`)).status).toBe(200);
    await running.daemon.until(async () => (await running.ask(`n${n}.${zone} A`)).length === 1, patient);
  }
});

test("an edge whose snapshot cannot be synced reports it, and starts from the previous one", async () => {
  const data = mkdtempSync(join(tmpdir(), "fairlead-edge-"));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const databaseUrl = await testDatabase();
  await using running = await service({ flags: ["--database-url", databaseUrl] });
  await running.zone(zone);
  const port = await freePort();
  const start = async (url: string) => {
    const flags = ["--dns", `127.0.0.1:${port}`];
    const edge = new EdgeProcess({ databaseUrl: url, metrics: await freePort(), flags, data });
    await edge.ready();
    return edge;
  };
  const answers = async (address: string) => {
    const asked = () => ask({ address: "127.0.0.1", port }, `www.${zone} A`).catch(String);
    await expect.poll(asked, { timeout: patient }).toBe(`NOERROR ${address}`);
  };
  await running.put(zone, `www.${zone} A`, ["192.0.2.1"]);
  const first = await start(databaseUrl);
  await answers("192.0.2.1");
  await first.stop();
  const failing = await start(databaseUrl);
  const tracer = failAfter(0, [failing.daemon.pid]);
  await tracing(tracer, [failing.daemon.pid]);
  await running.put(zone, `www.${zone} A`, ["192.0.2.2"]);
  await answers("192.0.2.2");
  // the edge writes another snapshot as it ends; then it is killed, because it may not end if its output cannot be
  // synced
  failing.daemon.child.kill("SIGTERM");
  await failing.daemon.until(
    () => /EIO.*a snapshot of the zones could not be written/.test(failing.daemon.printed),
    patient,
  );
  await failing.daemon.end("SIGKILL");
  const last = await start("postgres://127.0.0.1:1/none");
  await answers("192.0.2.1");
  await last.stop();
});
