/**
 * Floods of names that do not exist, at a running service: they are denied, cost no memory, and are limited per zone.
 */
import { createSocket } from "node:dgram";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { exchangeUdp } from "../../dns/exchange.ts";
import { question } from "../../dns/message.ts";
import { labels } from "../../dns/names.ts";
import { ask } from "../../engine/states.ts";
import { processesBelow } from "../../machine/proc.ts";
import { freePort } from "../../machine/processes.ts";
import { EdgeProcess } from "./edge-process.ts";
import { proportionalOctets } from "./memory.ts";
import { metric } from "./metrics.ts";
import { type Running, startRunning } from "./running.ts";
import { apex, zone } from "./zone.ts";

const other = "other.lab";
const perSecond = 20;
let running: Running;
let limited: EdgeProcess;
let port: number;

beforeAll(async () => {
  running = await startRunning();
  await running.service.zone(other);
  port = await freePort();
  const limits = ["--dns-limit", `${perSecond}`, "--dns-limit-exempt", "192.0.2.0/24"];
  limited = new EdgeProcess({
    databaseUrl: running.databaseUrl,
    metrics: await freePort(),
    flags: ["--dns", `127.0.0.1:${port}`, ...limits],
  });
  await limited.ready();
  const server = { address: "127.0.0.1", port };
  const answered = async () => expect(await ask(server, `${other} SOA`)).toMatch(/^NOERROR/);
  await vi.waitFor(answered, { timeout: 60_000, interval: 200 });
});

afterAll(async () => {
  await limited?.stop();
  await running?.stop();
});

const flood = (count: number, round: number) =>
  Array.from({ length: count }, (_, number) => question(labels(`n${number}.r${round}.nx.${zone}`), 1));

test("50,000 different names that do not exist are all denied, and leave no memory behind", async () => {
  const edge = processesBelow(running.service.daemon.pid).find(({ line }) => line.at(-1) === "edge")!;
  const octets: number[] = [];
  for (let round = 0; round < 5; round++) {
    const replies = await exchangeUdp(running.ports.dns, flood(10_000, round));
    expect(replies.filter((reply) => (reply[3]! & 15) === 3)).toHaveLength(10_000);
    octets.push(proportionalOctets(edge.pid));
  }
  // the first rounds warm up
  expect(octets.at(-1)! - octets[1]!).toBeLessThan(32 << 20);
  await running.assertUnharmed();
});

test("a flood of one zone's missing names hinders neither answers nor another zone's denials", async () => {
  const server = { address: "127.0.0.1", port, attempts: 1, timeout: 5000 };
  const held = () => metric(limited.metricsUrl, "fairlead_dns_limited_total");
  const socket = createSocket("udp4");
  for (const packet of flood(2000, 9)) socket.send(packet, port, "127.0.0.1");
  await expect.poll(held).toBeGreaterThan(1000);
  // few enough for the limits of answers, and of another zone's denials
  expect(await ask(server, `nx.${other} A`)).toBe("NXDOMAIN");
  expect(await ask(server, `www.${apex} A`)).toBe("NOERROR 192.0.2.10");
  expect(await ask({ ...server, transport: "tcp" }, `nx.${apex} A`)).toBe("NXDOMAIN");
  socket.close();
});
