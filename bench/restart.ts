/**
 * `systemctl reload` and `systemctl restart` of the whole service at 2,000 queries a second, under the stand-in for systemd
 * of the tests: lost queries, and the greatest delay of an answer. A restart is measured with the buffers that Linux grants
 * by default, with those that Fairlead asks for, and without systemd's store of sockets.
 */
import { setTimeout as delay } from "node:timers/promises";
import { libc, linux } from "../src/lib/system/libc.ts";
import { openTcp, openUdp } from "../src/net/socket/sockets.ts";
import { type Load, loadAddress, loadName, startLoad, type Tally } from "../test/faults/load.ts";
import { seededRandom } from "../test/machine/random.ts";
import { type UnitService, type UnitServiceOptions, unitService } from "../test/service/unit.ts";
import { bench } from "./kit/bench.ts";
import { atMost, type Row } from "./kit/rows.ts";

const rate = 2000;
/** UDP sockets, one for each worker. */
const workers = 2;
/** Octets: the default of net.core.rmem_max, and what Fairlead asks for. */
const buffers = { "rmem_max as by default": 212_992, "rmem_max raised": 4_194_304 } as const;
/** Milliseconds of queries before and after. */
const around = 1000;

async function reloads(rounds: number): Promise<Row[]> {
  await using running = await filled({});
  const steady: Tally[] = [];
  const during: Tally[] = [];
  for (let round = 0; round < rounds; round++) {
    steady.push(await asked(running, () => delay(2 * around)));
    during.push(
      await asked(running, async () => {
        const { code, err } = await running.systemd.reload();
        if (code !== 0) throw new Error(err);
      }),
    );
  }
  const lost = sum(during, "lost");
  const slowest = (tallies: readonly Tally[]) => Math.max(...tallies.map((tally) => tally.slowest));
  const added = Math.max(0, slowest(during) - slowest(steady));
  return [
    { ...row(`${rounds} reloads: lost of ${sum(during, "asked")} queries`, lost, ""), ...atMost(lost, 0, "") },
    { ...row("reload: slowest answer, above that without one", added, "ms"), ...atMost(added, 50, "ms") },
  ];
}

async function restarts(rounds: number): Promise<Row[]> {
  const rows: Row[] = [];
  const ways: [string, UnitServiceOptions][] = [
    ...Object.entries(buffers).map(([name, octets]): [string, UnitServiceOptions] => [
      `sockets kept, ${name}`,
      { activated: socketsOf(octets) },
    ]),
    ["sockets not kept", { isForgetful: true }],
  ];
  for (const [what, options] of ways) {
    await using running = await filled(options);
    const tallies: Tally[] = [];
    for (let round = 0; round < rounds; round++) tallies.push(await asked(running, () => running.systemd.restart()));
    const count = sum(tallies, "asked");
    rows.push(row(`${rounds} restarts, ${what}: lost of ${count} queries`, sum(tallies, "lost"), ""));
    rows.push(row(`restart, ${what}: slowest answer`, Math.max(...tallies.map(({ slowest }) => slowest)), "ms"));
  }
  return rows;
}

const sum = (tallies: readonly Tally[], of: "asked" | "lost") => tallies.reduce((total, tally) => total + tally[of], 0);

async function filled(options: UnitServiceOptions): Promise<UnitService> {
  const running = await unitService({ ...options, settings: { workers } });
  await running.must("PUT", "zones/load.example");
  await running.must("PUT", `zones/load.example/${loadName}/A`, { answers: [{ answer: [loadAddress] }] });
  await delay(around);
  return running;
}

/** Sockets with a buffer of the wanted size, as if this process could change net.core.rmem_max for itself alone. */
const socketsOf =
  (octets: number): UnitServiceOptions["activated"] =>
  ({ dns }) => {
    const udp = Array.from({ length: workers }, () => openUdp("127.0.0.1", dns));
    const value = new Uint8Array(Int32Array.of(octets).buffer);
    for (const fd of udp) libc().setsockopt(fd, linux.SOL_SOCKET, linux.SO_RCVBUF, value, value.length);
    return [...udp, openTcp("127.0.0.1", dns)];
  };

async function asked({ ports }: UnitService, act: () => Promise<void>): Promise<Tally> {
  const load: Load = await startLoad({ port: ports.dns, rate, streams: 0, random: seededRandom(1) });
  await delay(around);
  await act();
  await delay(around);
  return (await load.end()).udp;
}

const row = (measure: string, ours: number, unit: string): Row => ({
  ...{ name: "restart", measure, unit, ours, peers: {}, target: "" },
});

await bench(async (scale) => {
  const rounds = scale(10, 2);
  return [...(await reloads(rounds)), ...(await restarts(scale(5)))];
});
