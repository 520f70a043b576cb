/** Queries with forged sources, and the source addresses of replies. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Namespace } from "../../machine/namespace.ts";
import { node, tree } from "../../service/kit.ts";
import { EdgeProcess } from "./edge-process.ts";
import { type Running, startRunning } from "./running.ts";
import type { Probed } from "./sources/probe.ts";

/** Ports inside a network namespace, where no other process uses any. */
const listeners = [
  { udp: "batched", dns: 5300, metrics: 9001 },
  { udp: "portable", dns: 5301, metrics: 9002 },
] as const;
const addresses = ["10.9.0.1/24", "10.9.0.2/24", "fd00::1/64", "fd00::2/64"];
const setup = ["ip link set lo up", ...addresses.map((address) => `ip address add ${address} dev lo nodad`)];

let running: Running;
let network: Namespace;
const edges: EdgeProcess[] = [];
let probed: readonly Probed[];

beforeAll(async () => {
  running = await startRunning();
  network = await Namespace.create("net", setup);
  for (const { udp, dns, metrics } of listeners) {
    const flags = ["--udp", udp, "--dns", `0.0.0.0:${dns}`, "--dns", `[::]:${dns}`, "--workers", "1"];
    edges.push(new EdgeProcess({ databaseUrl: running.databaseUrl, metrics, flags, inside: network.inside }));
  }
  const ports = listeners.flatMap(({ dns, metrics }) => [`${dns}`, `${metrics}`]);
  const probe = join(tree, "test/flows/wire/sources/probe.ts");
  probed = JSON.parse(await network.output(node, [probe, ...ports]));
});

afterAll(async () => {
  for (const edge of edges) await edge.stop();
  await network?.end();
  await running?.stop();
});

describe.each(listeners.map(({ udp }, index) => [udp, index] as const))("%s UDP", (_, index) => {
  test("after a query from a forged source the next one is answered", () => {
    const { after, restarts } = probed[index]!;
    expect(Object.keys(after)).toHaveLength(9);
    for (const [source, answer] of Object.entries(after)) expect(answer, source).toMatch(/^NOERROR \d+$/);
    expect(restarts).toBe(0);
  });

  test("packets from port 0 and from the server's own address are dropped", () => {
    expect(probed[index]!.dropped).toBe(6);
  });

  test("replies are never answered, neither forged replies nor our own that are sent back to us", () => {
    const { datagrams } = probed[index]!;
    expect(datagrams).toBeGreaterThanOrEqual(9 * 3 + 9 + 4);
    expect(datagrams).toBeLessThanOrEqual(9 * 3 + 9 + 4 + 6);
  });

  test("a reply has the queried address as its source", () => {
    for (const [asked, from] of Object.entries(probed[index]!.replies)) expect(from).toBe(asked);
    expect(Object.keys(probed[index]!.replies)).toHaveLength(4);
  });
});
