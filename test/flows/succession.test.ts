/** `systemctl reload` and `systemctl restart` of the units in the Debian package, under a stand-in for systemd. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTcp, openUdp } from "../../src/net/socket/sockets.ts";
import { clusterBelow, urlOf } from "../../src/storage/embedded/cluster.ts";
import { type Load, loadAddress, loadName, startLoad } from "../faults/load.ts";
import { freePort, output } from "../machine/processes.ts";
import { seededRandom } from "../machine/random.ts";
import { type UnitService, unitService } from "../service/unit.ts";

let running: UnitService;

const dig = (port: number, name = loadName) =>
  output("dig", ["@127.0.0.1", "-p", `${port}`, "+tries=1", "+time=2", name, "A", "+short"]).catch(() => "");
const answer = `${loadAddress}\n`;

async function fill({ must, ports }: UnitService): Promise<void> {
  await must("PUT", "zones/load.example");
  await must("PUT", `zones/load.example/${loadName}/A`, { answers: [{ answer: [loadAddress] }] });
  while ((await dig(ports.dns)) !== answer) await delay(50);
}

/** Asks over UDP and TCP while `act` runs, and a moment before and after it. */
async function underLoad(
  rate: number,
  act: () => Promise<void>,
  port = running.ports.dns,
): Promise<Awaited<ReturnType<Load["end"]>>> {
  const load = await startLoad({ port, rate, streams: 4, random: seededRandom(1) });
  await delay(500);
  await act();
  await delay(500);
  return await load.end();
}

/** Calls the API all the time while `act` runs. Returns the number of calls, and the failures. */
async function whileCalled(act: () => Promise<void>): Promise<{ calls: number; failures: string[] }> {
  const outcome = { calls: 0, failures: [] as string[] };
  let isOver = false;
  const calling = async () => {
    while (!isOver) {
      outcome.calls++;
      await running.must("POST", "zones/load.example", {}).catch((error) => outcome.failures.push(String(error)));
    }
  };
  const caller = calling();
  await act().finally(() => {
    isOver = true;
  });
  await caller;
  return outcome;
}

beforeAll(async () => {
  running = await unitService();
  await fill(running);
});

afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
});

describe("systemctl reload", () => {
  test("another supervisor takes over at 2,000 queries a second: no query and no call of the API is lost", async () => {
    const { systemd } = running;
    const before = systemd.processes();
    let called = { calls: 0, failures: [] as string[] };
    const { udp, tcp } = await underLoad(2000, async () => {
      called = await whileCalled(async () => {
        const { code, out, err } = await systemd.reload();
        expect([code, err]).toEqual([0, ""]);
        expect(out).toMatch(/^\d+ took over from \d+ in [\d.]+ s\n$/);
      });
    });
    process.stdout.write(`\nreload: ${udp.asked} queries, slowest ${udp.slowest} ms; ${called.calls} calls\n`);
    expect(udp).toMatchObject({ lost: 0, wrong: 0 });
    expect(tcp).toMatchObject({ lost: 0, wrong: 0 });
    expect(udp.asked).toBeGreaterThan(2000);
    expect(called.failures).toEqual([]);
    expect(before).not.toContain(systemd.mainPid);
    // the processes before have ended, and the store goes on
    await expect.poll(() => systemd.processes().filter((pid) => before.includes(pid))).toEqual([]);
    expect(systemd.processes()).toContain(systemd.mainPid);
    await running.must("POST", "zones/load.example", {});
    expect(systemd.refused).toEqual([]);
  });

  test("all settings are applied, and systemd keeps the sockets of those", async () => {
    const { systemd, ports, configure } = running;
    const other = await freePort();
    const { length } = systemd.stored;
    configure({ dns: [`127.0.0.1:${ports.dns}`, `127.0.0.1:${other}`], "deletion-guard": 100 });
    expect((await systemd.reload()).code).toBe(0);
    await expect.poll(() => dig(other)).toBe(answer);
    await expect.poll(() => systemd.stored).toContain(`tcp-127.0.0.1_${other}`);
    configure({});
    expect((await systemd.reload()).code).toBe(0);
    await expect.poll(() => systemd.stored.length).toBe(length);
    await expect.poll(() => dig(other)).toBe("");
  });

  test.each([
    ["whose settings are wrong", { nsid: "x".repeat(100) }, /nsid/],
    ["whose edge fails", { geo: ["/nowhere/geo.mmdb"] }, /nothing was reloaded: .*\/nowhere\/geo\.mmdb/],
  ])(
    "a service %s changes nothing, and the reason is reported",
    async (_, settings, reason) => {
      const { systemd, configure } = running;
      const before = systemd.mainPid;
      configure(settings);
      const { udp } = await underLoad(200, async () => {
        const { code, err } = await systemd.reload();
        expect([code, err]).toEqual([1, expect.stringMatching(reason)]);
      });
      configure({});
      expect(udp).toMatchObject({ lost: 0, wrong: 0 });
      expect(systemd.mainPid).toBe(before);
      await running.must("POST", "zones/load.example", {});
    },
    120_000,
  );
});

test("systemctl restart: queries and calls that come meanwhile wait in the sockets, and are answered", async () => {
  const { systemd } = running;
  const before = systemd.mainPid;
  let called = { calls: 0, failures: [] as string[] };
  // so few that they have room in buffers of any size
  const { udp } = await underLoad(50, async () => {
    const restarted = systemd.restart();
    await expect.poll(() => systemd.mainPid).not.toBe(before);
    called = await whileCalled(() => restarted);
  });
  process.stdout.write(`\nrestart: ${udp.asked} queries, slowest ${udp.slowest} ms\n`);
  expect(udp).toMatchObject({ lost: 0, wrong: 0 });
  expect(called.failures).toEqual([]);
});

test("an edge that runs alone is followed by another one, and finds its sockets after a restart", async () => {
  const store = urlOf(clusterBelow(running.data));
  await using edge = await unitService({ unit: "fairlead-edge", settings: { "database-url": store } });
  const { systemd, ports } = edge;
  await expect.poll(() => dig(ports.dns)).toBe(answer);
  const before = systemd.mainPid;
  const reloaded = await underLoad(
    2000,
    async () => {
      const { code, out, err } = await systemd.reload();
      expect([code, err]).toEqual([0, ""]);
      expect(out).toContain(`took over from ${before} in`);
    },
    ports.dns,
  );
  expect(reloaded).toMatchObject({ udp: { lost: 0, wrong: 0 }, tcp: { lost: 0, wrong: 0 } });
  await expect.poll(() => systemd.processes()).toEqual([systemd.mainPid]);
  expect(systemd.mainPid).not.toBe(before);
  const restarted = await underLoad(50, () => systemd.restart(), ports.dns);
  expect(restarted.udp).toMatchObject({ lost: 0, wrong: 0 });
  await running.must("PUT", `zones/load.example/later.load.example/A`, { answers: [{ answer: [loadAddress] }] });
  await expect.poll(() => dig(ports.dns, "later.load.example")).toBe(answer);
  expect(systemd.refused).toEqual([]);
});

test("systemctl stop ends everything, and systemd keeps no socket", async () => {
  const { systemd, ports } = running;
  await systemd.stop();
  expect([systemd.processes(), systemd.stored]).toEqual([[], []]);
  expect(await dig(ports.dns)).toBe("");
});

test("sockets of a socket unit are used, and one that no setting names is reported", async () => {
  const unnamed = await freePort();
  await using activated = await unitService({
    activated: ({ dns }) => [
      ...[openUdp("127.0.0.1", dns), openUdp("127.0.0.1", dns), openTcp("127.0.0.1", dns)],
      openUdp("127.0.0.1", unnamed),
    ],
  });
  await fill(activated);
  const { systemd, ports } = activated;
  expect(systemd.printed).toMatch(
    new RegExp(`"socket":"udp 127.0.0.1:${unnamed}".*no setting names this socket: it is closed`),
  );
  // the two descriptors that were passed, and no further socket
  const sockets = async () => (await output("ss", ["-Hlnu", `sport = :${ports.dns}`])).trim().split("\n").length;
  expect(await sockets()).toBe(2);
  await systemd.restart();
  await expect.poll(() => dig(ports.dns)).toBe(answer);
  expect(await sockets()).toBe(2);
});
