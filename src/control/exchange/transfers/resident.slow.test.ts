/** A large incoming zone: no process holds it in memory at once, and other zones are still answered. */
import { expect, test } from "vitest";
import { memoryOf } from "../../../../test/machine/proc.ts";
import { messagesOf, record, scriptedPrimary, soa, stream } from "../../../../test/network/scripted-primary.ts";
import { service } from "../../../../test/service/kit.ts";
import { rolesOf } from "../../../../test/service/roles.ts";

/** On two cores shared with a dozen busy processes, 300,000 records take about two minutes. */
const patience = { timeout: 270_000, interval: 1000 };

function* whole(zone: string, records: number) {
  yield soa(zone, 1);
  for (let i = 0; i < records; i++) {
    yield record(`host${i}.${zone} 300 A 10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  }
  yield soa(zone, 1);
}

test("300,000 records are transferred without any process holding them at once", async () => {
  await using running = await service();
  const transferred = async (zone: string, records: number) => {
    const fqdn = `${zone}.`;
    const { port } = await scriptedPrimary({
      soa: soa(fqdn, 1),
      transfer: (query, socket) => stream(socket, messagesOf(query, whole(fqdn, records))),
    });
    await running.zone(zone, { secondary: { enabled: true, primary_ip: "127.0.0.1", primary_port: port } });
    await expect.poll(() => running.ask(`host${records - 1}.${zone} A`), patience).toHaveLength(1);
  };
  // code loaded and compiled at the first transfer is not counted as growth
  await transferred("first.example", 60_000);
  const pids = [rolesOf(running).control[0]!, rolesOf(running).edge[0]!];
  const before = pids.map((pid) => memoryOf(pid).now);
  await transferred("large.example", 300_000);
  const [control, edge] = pids.map((pid, i) => memoryOf(pid).most - before[i]!);
  // control also reads zones to compare edges with them
  expect(control).toBeLessThan(200);
  expect(edge).toBeLessThan(250);
}, 600_000);
