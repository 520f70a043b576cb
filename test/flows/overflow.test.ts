/** More queries than an edge can take: the system's drops are counted, and the next query is answered at once. */
import { createSocket } from "node:dgram";
import { afterAll, expect, test } from "vitest";
import { question } from "../dns/message.ts";
import { labels } from "../dns/names.ts";
import { memoryOf } from "../machine/proc.ts";
import { service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";
import { metric } from "./wire/metrics.ts";

const zone = "many.example";
const rounds = 4;
const atOnce = 20_000;
const running = await service({ flags: ["--workers", "1"] });
afterAll(() => running.stop());

/** Sends more than the buffers hold while the edge does not run. */
async function flood(edge: number): Promise<void> {
  const socket = createSocket("udp4");
  const query = question(labels(`www.${zone}`), 1);
  process.kill(edge, "SIGSTOP");
  try {
    const sent = () => new Promise<void>((done) => socket.send(query, running.port, "127.0.0.1", () => done()));
    for (let n = 0; n < atOnce; n += 100) await Promise.all(Array.from({ length: 100 }, sent));
  } finally {
    process.kill(edge, "SIGCONT");
    socket.close();
  }
}

test("dropped queries are counted, cost no memory, and do not stop answers", async () => {
  await running.zone(zone);
  await running.put(zone, `www.${zone} A`, ["192.0.2.1"]);
  await running.daemon.until(async () => (await running.ask(`www.${zone} A`)).length === 1);
  const [edge] = rolesOf(running).edge;
  const overflowed = () => metric(`${running.operator}/metrics`, "fairlead_udp_overflowed_total");
  expect(await overflowed()).toBe(0);
  let before = 0;
  const megabytes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await flood(edge!);
    expect(await running.ask(`www.${zone} A`)).toEqual([`www.${zone}. 3600 IN A 192.0.2.1`]);
    const now = await overflowed();
    expect(now).toBeGreaterThan(before);
    before = now;
    megabytes.push(memoryOf(edge!).now);
  }
  // the first rounds warm up
  expect(megabytes.at(-1)! - megabytes[1]!).toBeLessThan(32);
  expect(rolesOf(running).edge).toEqual([edge]);
});
