/** Thousands of clients that leave during or right after the TLS handshake: no crash, steady memory, answers. */
import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterAll, expect, test } from "vitest";
import { memoryOf } from "../machine/proc.ts";
import { freePort } from "../machine/processes.ts";
import { service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";
import { metric } from "./wire/metrics.ts";

const zone = "left.example";
const connections = 10_000;
const atOnce = 50;
/** One client in this many leaves after the handshake, the other clients leave during it. */
const whole = 10;
const port = await freePort();
const running = await service({ flags: ["--dot", `127.0.0.1:${port}`, "--workers", "1"] });
afterAll(() => running.stop());

async function leaveDuring(): Promise<void> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  // the beginning of a ClientHello that never arrives
  socket.write(Buffer.of(0x16, 3, 1, 0, 40), () => socket.resetAndDestroy());
  await once(socket, "close");
}

async function leaveAfter(): Promise<void> {
  const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }).on("error", () => {});
  await once(socket, "secureConnect");
  socket.destroy();
  await once(socket, "close");
}

test(`${connections} connections that end during or right after the handshake do no harm`, async () => {
  await running.zone(zone);
  await running.daemon.until(async () => (await running.ask(`${zone} SOA`)).length === 1);
  const [edge] = rolesOf(running).edge;
  const count = (name: string) => metric(`${running.operator}/metrics`, name);
  const megabytes: number[] = [];
  for (let n = 0; n < connections; n += atOnce) {
    const leave = (_: unknown, index: number) => (index % whole === 0 ? leaveAfter() : leaveDuring());
    await Promise.all(Array.from({ length: atOnce }, leave));
    if (n % 2000 === 0) {
      expect(await running.ask(`${zone} SOA`, "+tcp")).toHaveLength(1);
      megabytes.push(memoryOf(edge!).now);
    }
  }
  await expect.poll(() => count("fairlead_tcp_connections")).toBe(0);
  // some were gone before they were accepted
  expect(await count("fairlead_dot_accepted_total")).toBeGreaterThan(connections / 2);
  expect(await count("fairlead_edge_worker_restarts_total")).toBe(0);
  // the first rounds warm up
  expect(memoryOf(edge!).now - megabytes[2]!).toBeLessThan(64);
  expect(rolesOf(running).edge).toEqual([edge]);
});
