/** Processes without free descriptors: DNS over UDP continues, connections make room, nothing spins or dies. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { cpuTime } from "../machine/proc.ts";
import { output } from "../machine/processes.ts";
import { service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";

const most = 64;
const watched = 2000;

async function open(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1").on("error", () => {}));
  await Promise.all(sockets.map((socket) => once(socket, "connect").catch(() => {})));
  return sockets;
}

test("an edge and a control with 64 descriptors survive more connections than that", async () => {
  await using running = await service();
  await running.zone("few.example");
  await running.daemon.until(async () => (await running.ask("few.example SOA")).length === 1);
  const { edge, control } = rolesOf(running);
  const pids = [...edge, ...control];
  for (const pid of pids) await output("prlimit", ["--pid", `${pid}`, `--nofile=${most}:${most}`]);
  const http = Number(new URL(running.url).port);
  const sockets = [...(await open(running.port, 2 * most)), ...(await open(http, 2 * most))];
  const before = cpuTime(pids);
  await delay(watched);
  const after = cpuTime(pids);
  // accepts that fail again and again would take a whole core
  expect(after.user + after.system - before.user - before.system).toBeLessThan(watched / 2000);
  expect(await running.ask("few.example SOA")).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
  await running.daemon.until(async () => (await running.ask("few.example SOA", "+tcp").catch(() => [])).length === 1);
  await running.daemon.until(
    async () => (await running.api("GET", "zones/few.example").catch(() => undefined))?.status === 200,
  );
  expect(rolesOf(running)).toMatchObject({ edge, control });
});
