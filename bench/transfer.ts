/** Transfers of a large zone, in from its primary and out to its secondaries, and their effect on other queries. */
import { setTimeout as delay } from "node:timers/promises";
import { scanRdata } from "../src/dns/rdata/codec.ts";
import type { ResourceRecord } from "../src/dns/reply.ts";
import { typeNamed } from "../src/dns/type-names.ts";
import { scanName } from "../src/dns/wire/name.ts";
import { cpuTime, memoryOf, timeOfEnded } from "../test/machine/proc.ts";
import type { Service } from "../test/service/kit.ts";
import { rolesOf } from "../test/service/roles.ts";
import { askerOf } from "./kit/asker.ts";
import { bench } from "./kit/bench.ts";
import { startEcho } from "./kit/echo.ts";
import { temporary } from "./kit/files.ts";
import { askTimed, questionsIn } from "./kit/load.ts";
import { percentile } from "./kit/measure.ts";
import { primaryOf } from "./kit/primary.ts";
import { atMost, type Row } from "./kit/rows.ts";
import { transferred } from "./kit/secondary.ts";
import { unlimitedService } from "./kit/served.ts";

const name = "transfer";
const queriesPerSecond = 5000;
const quiet = "quiet.example";
/** The highest ratio of answer times during a transfer to those before. */
const slower = 2;
/** The number of simultaneous transfer requests. */
const together = 50;
/** Milliseconds between two queries for a new zone. */
const askEvery = 20;
/** Megabytes by which a process may grow while a zone passes through it. */
const mostGrowth = 250;
const secondaries = { enabled: true, secondaries: [{ ip: "127.0.0.1" }] };

await bench((scale) =>
  temporary(async (directory): Promise<Row[]> => {
    const records = scale(1_000_000, 60_000);
    await using running = await unlimitedService();
    await running.zone(quiet);
    await running.put(quiet, `www.${quiet} A`, ["192.0.2.1"]);
    const questions = questionsIn(`${directory}/questions`, [`www.${quiet} A`]);
    await using echo = await startEcho("batched", false);
    const p99 = async (seconds: number, happens: Promise<unknown>) =>
      await p99Until([running.port, echo.port], questions, seconds, happens);
    const seconds = scale(2.5);
    // the first transfer loads and compiles code, which is not growth
    await takenOver(running, "first.example", 60_000);
    const before = await p99(seconds, delay(seconds * 4000));
    const [control] = rolesOf(running).control;
    const resident = memoryOf(control!).now;
    const alone = await takenOver(running, "idle.example", records);
    const grown = memoryOf(control!).most - resident;
    const loading = takenOver(running, "big.example", records);
    const during = await p99(seconds, loading);
    await loading;
    const sent = await passedOn(running, "big.example", records);
    const edges = memoryOf(rolesOf(running).edge[0]!).now;
    const ending = new AbortController();
    const all = Array.from({ length: together }, () =>
      transferred(running.port, "big.example", records + 2, ending.signal),
    );
    const out = await p99(seconds, delay(scale(20) * 1000));
    const edgeGrown = memoryOf(rolesOf(running).edge[0]!).most - edges;
    ending.abort();
    const refused = (await Promise.all(all)).filter((each) => each.refused).length;
    const row = { name, peers: {}, target: "" };
    const growth = { unit: "MB", peers: {}, name };
    const slowed = (measure: string, { ours, echo }: P99): Row[] => {
      const times = ours / before.ours;
      return [
        { ...row, measure: `p99 of answers ${measure}`, unit: "x", ours: times, ...atMost(times, slower, "x") },
        { ...row, measure: `p99 of an empty echo ${measure}`, unit: "x", ours: echo / before.echo },
      ];
    };
    return [
      { ...row, measure: `${records} records taken over and answered`, unit: "/s", ours: alone.rate },
      { ...row, measure: "CPU time of API, store and edge", unit: "us a record", ours: alone.cpu },
      { ...growth, measure: "growth of control meanwhile", ours: grown, ...atMost(grown, mostGrowth, "MB") },
      { ...row, measure: "p99 of answers before", unit: "ms", ours: before.ours },
      { ...row, measure: "p99 of an empty echo before", unit: "ms", ours: before.echo },
      ...slowed("meanwhile by that", during),
      { ...row, measure: "passed on to one secondary", unit: "/s", ours: sent.rate },
      { ...row, measure: "CPU time of store and edge", unit: "us a record", ours: sent.cpu },
      ...slowed(`while ${together} ask for it, by that before`, out),
      { ...growth, measure: "growth of the edge meanwhile", ours: edgeGrown, ...atMost(edgeGrown, mostGrowth, "MB") },
      { ...row, measure: `refused of ${together}`, unit: "", ours: refused },
    ];
  }),
);

/** 99th percentiles in milliseconds: of our answers, and of an empty echo, which shows how quiet the machine is. */
interface P99 {
  readonly ours: number;
  readonly echo: number;
}

/** Samples answers in rounds of `seconds` until `happens` settles. */
async function p99Until(
  ports: readonly [ours: number, echo: number],
  questions: string,
  seconds: number,
  happens: Promise<unknown>,
): Promise<P99> {
  let isOver = false;
  void happens.finally(() => (isOver = true)).catch(() => {});
  const all = ports.map((): number[] => []);
  while (!isOver) {
    for (const [i, port] of ports.entries()) {
      const { times } = await askTimed(port, { questions, seconds, rate: queriesPerSecond, isRemote: true });
      for (const time of times) all[i]!.push(time);
    }
  }
  const [ours, echo] = all.map((times) =>
    percentile(
      times.sort((a, b) => a - b),
      0.99,
    ),
  );
  return { ours: ours!, echo: echo! };
}

/** The records of a zone with one address per name. */
function* zoneOf(apex: string, records: number): Generator<ResourceRecord> {
  const record = (owner: string, type: string, rdata: string): ResourceRecord => ({
    owner: scanName(`${owner}${apex}.`),
    type: typeNamed(type)!,
    ttl: 600,
    rdata: scanRdata(typeNamed(type)!, rdata),
  });
  yield record("", "SOA", "ns.example. admin.example. 1 7200 3600 1209600 300");
  for (let n = 0; n < records; n++)
    yield record(`host${n}.`, "A", `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`);
}

/** Measures from the zone's creation to the first answer for one of its names. */
async function takenOver(running: Service, zone: string, records: number) {
  await using primary = await primaryOf(zoneOf(zone, records));
  const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port };
  return await timed(running, records, async () => {
    await running.zone(zone, { secondary, primary: secondaries });
    const asker = await askerOf(running.port, `host10.${zone}`, askEvery);
    await asker.until("10.0.0.10");
    asker.close();
  });
}

async function passedOn(running: Service, zone: string, records: number) {
  return await timed(running, records, async () => {
    const { records: came } = await transferred(running.port, zone, records + 2);
    if (came !== records + 2) throw new Error(`only ${came} of ${records + 2} records arrived`);
  });
}

async function timed(running: Service, records: number, act: () => Promise<void>) {
  const { control, edge } = rolesOf(running);
  const used = () => {
    const { store } = rolesOf(running);
    const times = [cpuTime([...control, ...store, ...edge]), timeOfEnded(store[0]!)];
    return times.reduce((sum, { user, system }) => sum + user + system, 0) * 1e6;
  };
  const cpu = used();
  const began = performance.now();
  await act();
  return { rate: records / ((performance.now() - began) / 1000), cpu: (used() - cpu) / records };
}
