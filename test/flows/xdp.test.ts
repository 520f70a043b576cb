/**
 * `fairlead serve --xdp` between namespaces of the network: queries go past the system's stack, everything else goes to
 * the sockets, and so do queries while nobody reads the queues. Needs root; what is missing is named.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { obstacleOfBpf } from "../../src/net/xdp/bpf.ts";
import { closeXdpSocket, openXdpSocket } from "../../src/net/xdp/queue.ts";
import { question } from "../dns/message.ts";
import { labels } from "../dns/names.ts";
import { loadAddress, loadName } from "../faults/load.ts";
import { reload } from "../faults/reloads.ts";
import { Network } from "../machine/network.ts";
import { output } from "../machine/processes.ts";
import { composeFrame, type Datagram, readFrame } from "../network/frames.ts";
import { cloneTree } from "../service/clone.ts";
import { addresses, machines, XdpServer } from "./xdp/machine.ts";

function obstacle(): string | undefined {
  if (process.getuid?.() !== 0) return "only root can make the network";
  try {
    closeXdpSocket(openXdpSocket());
  } catch (error) {
    return String(error);
  }
  const reason = obstacleOfBpf();
  return reason && `programs of the kernel cannot be loaded: ${reason}`;
}

const missing = obstacle();
if (missing !== undefined) process.stdout.write(`\nnot run: queries through AF_XDP (${missing})\n`);
const patiently = { timeout: 60_000, interval: 100 };
const client4 = [192, 0, 2, 9];
const server4 = [192, 0, 2, 1];
const [client6, server6] = [9, 1].map((last) => [0x20, 0x01, 0x0d, 0xb8, ...Array(11).fill(0), last]) as [
  number[],
  number[],
];

describe.skipIf(missing !== undefined)(`a server with --xdp${missing ? `, not run: ${missing}` : ""}`, () => {
  const place = mkdtempSync(join(tmpdir(), "fairlead-xdp-tree-"));
  let network: Network;
  let server: XdpServer;

  beforeAll(async () => {
    chmodSync(place, 0o755);
    const sources = join(place, "clone");
    await cloneTree(sources);
    chmodSync(sources, 0o755);
    network = await Network.make(machines, 3);
    server = await XdpServer.start(network, { sources, flags: ["--dns-limit-exempt", machines.client[0]] });
    await server.daemon.until(() => server.isUp());
  });

  afterAll(async () => {
    await server?.stop();
    await network?.[Symbol.asyncDispose]();
    rmSync(place, { recursive: true, force: true });
  });

  const counts = async () => {
    const [all, xdp] = [
      await server.sum("fairlead_udp_datagrams_total"),
      await server.metric("fairlead_xdp_datagrams_total"),
    ];
    const queues = Object.values(xdp);
    return { all, queues, xdp: queues.reduce((sum, count) => sum + count, 0) };
  };

  test("answers over IPv4 and IPv6 through every queue, and nothing is lost on the way", async () => {
    const before = await counts();
    for (const address of Object.values(addresses)) {
      for (let n = 0; n < 20; n++) expect(await server.dig(`@${address}`)).toBe(`${loadAddress}\n`);
    }
    const after = await counts();
    expect([after.all - before.all, after.xdp - before.xdp]).toEqual([40, 40]);
    // the switch gives nothing to the last queue
    const asked = after.queues.filter((count, queue) => count > before.queues[queue]!);
    expect([after.queues.length, asked.length]).toEqual([3, 2]);
    expect(await server.sum("fairlead_xdp_lost_total")).toBe(0);
  });

  test("the sockets answer TCP and queries in fragments", async () => {
    const before = await counts();
    for (const address of Object.values(addresses)) {
      expect(await server.dig(`@${address}`, "+tcp")).toBe(`${loadAddress}\n`);
      const reply = await server.datagram(address, 3000);
      expect([...reply.subarray(6, 8)]).toEqual([0, 1]);
    }
    const after = await counts();
    expect([after.all - before.all, after.xdp - before.xdp]).toEqual([2, 0]);
    expect(await server.sum("fairlead_dns_queries_total")).toBeGreaterThan(0);
  });

  test("odd frames get no answer, and are counted; usual ones next to them do", async () => {
    const macs = { to: await server.mac("server"), from: await server.mac("client") };
    const payload = [...question(labels(loadName), 1)];
    const v4: Datagram = { source: client4, destination: server4, ports: [40_000, 53], payload, odd: { macs } };
    const v6: Datagram = { ...v4, source: client6, destination: server6 };
    const dropped = await server.sum("fairlead_udp_dropped_total");
    const odd = [v4, v6].flatMap((query) => [
      composeFrame({ ...query, odd: { macs, sum: "wrong" } }),
      composeFrame({ ...query, ports: [0, 53] }),
    ]);
    for (const source of [
      [0, 0, 0, 0],
      [127, 0, 0, 1],
      [224, 0, 0, 1],
      [255, 255, 255, 255],
    ]) {
      odd.push(composeFrame({ ...v4, source }));
    }
    const usual = [composeFrame(v4), composeFrame(v6), composeFrame({ ...v4, odd: { macs, padding: 7 } })];
    const replies = await server.raw([...odd, ...usual]);
    const read = replies.map((frame) => readFrame(frame));
    expect(read.length).toBe(3);
    for (const reply of read) expect(reply?.payload.slice(-4)).toEqual(loadAddress.split(".").map(Number));
    expect((await server.sum("fairlead_udp_dropped_total")) - dropped).toBe(odd.length);
    // the kernel judges what claims to come from here, and what is for everybody
    const passed = [
      composeFrame({ ...v4, source: server4 }),
      composeFrame({ ...v4, odd: { macs: { ...macs, to: Array(6).fill(255) } } }),
    ];
    expect(
      (await server.raw(passed)).filter((frame) => readFrame(frame)?.destination.join() === server4.join()),
    ).toEqual([]);
  });

  test("rate limits apply", async () => {
    const [before, limited] = [await counts(), await server.sum("fairlead_dns_limited_total")];
    const load = await server.load(1000, addresses[6]);
    await delay(1500);
    await load.abort();
    const asked = (await counts()).xdp - before.xdp;
    expect(asked).toBeGreaterThan(500);
    // 200 equal answers a second are not limited
    expect((await server.sum("fairlead_dns_limited_total")) - limited).toBeGreaterThan(asked / 4);
  });

  test("100 random frames do no harm", async () => {
    const macs = { to: await server.mac("server"), from: await server.mac("client") };
    const frames = Array.from({ length: 100 }, (_, n) => {
      const base = { source: client4, destination: server4, ports: [40_000, 53], payload: [n, n, n] } as const;
      const frame = composeFrame({ ...base, odd: { macs } });
      frame[14 + ((n * 7) % 31)] = (n * 37) & 255;
      return frame;
    });
    await server.raw(frames);
    expect(await server.dig(`@${addresses[4]}`)).toBe(`${loadAddress}\n`);
    expect(await server.isUp()).toBe(true);
  });

  test("the edge has no capability, and the supervisor has no right until it needs one", () => {
    const capabilities = (pid: number, kind: string) =>
      BigInt(`0x${new RegExp(`^${kind}:\\s*(\\w+)$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]}`);
    expect(readFileSync(`/proc/${server.edge}/status`, "utf8")).not.toMatch(/^Uid:\s*0/m);
    expect(capabilities(server.edge, "CapPrm")).toBe(0n);
    const binding = 1n << 10n;
    expect(capabilities(server.daemon.pid, "CapEff")).toBe(binding);
    const network = (1n << 12n) | (1n << 13n) | (1n << 39n);
    expect(capabilities(server.daemon.pid, "CapPrm") & network).toBe(network);
  });

  test("no query is lost while edges follow one another, and each reads the queues", async () => {
    const load = await server.load(1000);
    for (let round = 0; round < 3; round++) {
      const before = await counts();
      expect((await reload(server)).code).toBe(0);
      await expect.poll(() => server.isUp(), patiently).toBe(true);
      await delay(300);
      expect(before.xdp).toBeGreaterThan(0);
      expect((await counts()).xdp).toBeGreaterThan(0);
    }
    const tally = await load.end();
    process.stdout.write(`\nxdp: 3 reloads, ${JSON.stringify(tally)}\n`);
    expect(tally).toMatchObject({ lost: 0, wrong: 0 });
    expect(tally.asked).toBeGreaterThan(1000);
  });

  test("when the edge is killed, the sockets hold the queries for the next one", async () => {
    const load = await server.load(500);
    await delay(500);
    const before = server.edge;
    process.kill(before, "SIGKILL");
    await expect.poll(() => server.isUp(), patiently).toBe(true);
    expect(server.edge).not.toBe(before);
    await delay(500);
    const tally = await load.end();
    process.stdout.write(`\nxdp: a killed edge, ${JSON.stringify(tally)}\n`);
    // nothing but what was in hand
    expect(tally.wrong).toBe(0);
    expect(tally.lost).toBeLessThan(10);
  });

  test("a new address of the machine is answered", async () => {
    const [ip = "", ...rest] = [...network.inside("server"), "ip"];
    const before = await counts();
    await output(ip, [...rest, "address", "add", "192.0.2.77/24", "dev", "eth0"]);
    expect(await server.dig("@192.0.2.77")).toBe(`${loadAddress}\n`);
    const grown = async () => {
      await server.dig("@192.0.2.77");
      return (await counts()).xdp > before.xdp;
    };
    await expect.poll(grown, patiently).toBe(true);
  });

  test("without the rights, a warning says what is missing, and the sockets answer", async () => {
    const lacking = ["setpriv", "--bounding-set=-net_admin,-net_raw,-bpf,-sys_admin"];
    const bare = await XdpServer.start(network, { machine: "bare", before: lacking, flags: ["--user", "root"] });
    try {
      expect(bare.daemon.printed).toMatch(
        /"reason":"needs root, or CAP_NET_ADMIN, CAP_NET_RAW and CAP_BPF.*no AF_XDP: the sockets answer/,
      );
      expect(await bare.dig(`@${machines.bare[0]}`)).toBe(`${loadAddress}\n`);
      expect(await bare.metric("fairlead_xdp_queue_up")).toEqual({});
    } finally {
      await bare.stop();
    }
  });
});
