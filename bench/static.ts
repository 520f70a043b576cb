/** CPU time of a static UDP answer beside NSD, in one run, in interleaved pairs. node bench/static.ts [seconds] [pairs] */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../src/lib/random.ts";
import { startNsd } from "../test/interop/nsd.ts";
import { type Service, service } from "../test/kit.ts";
import { coreTime, cpuTime } from "../test/proc.ts";
import { output } from "../test/processes.ts";
import { rolesOf } from "../test/roles.ts";
import { apiClient } from "./client.ts";
import { median, printTable } from "./measure.ts";

const seconds = Number(process.argv[2] ?? 10);
const pairs = Number(process.argv[3] ?? 3);
const names = 100_000;
const zone = "bench.example";
const serverCore = 1;
const clientCore = 0;
const pinned = (core: number) => ["taskset", "-c", `${core}`];
/** Queries a second; undefined for as many as can be. */
const rates = [undefined, 10_000, 1000];

interface Sample {
  readonly perSecond: number;
  /** Microseconds a query. */
  readonly user: number;
  readonly system: number;
  readonly core: number;
}

const nameOf = (n: number) => `h${n}.${zone}`;
const addressOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
const questions = join(directory, "questions");
writeQuestions();
await using ours = await startOurs();
await using theirs = await startNsd([{ name: `${zone}.`, text: zoneText() }], pinned(serverCore));

const rows: string[][] = [];
for (const rate of rates) {
  const samples: { ours: Sample; theirs: Sample }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    samples.push({
      ours: await measure(ours.port, ours.pids, rate),
      theirs: await measure(theirs.port, theirs.pids(), rate),
    });
  }
  const load = rate === undefined ? "all that can be" : `${rate}/s`;
  rows.push(
    row(
      `Fairlead, ${load}`,
      samples.map((sample) => sample.ours),
    ),
  );
  rows.push(
    row(
      `NSD, ${load}`,
      samples.map((sample) => sample.theirs),
    ),
  );
  rows.push(ratios(samples));
}
printTable(["server, load", "queries/s", "user us", "system us", "total us", "core us"], rows);
rmSync(directory, { recursive: true });

function writeQuestions() {
  const random = seededRandom(1);
  const lines = Array.from({ length: 500_000 }, () => `${nameOf(Math.floor(random() * names))} A`);
  writeFileSync(questions, `${lines.join("\n")}\n`);
}

function zoneText(): string {
  const records = Array.from({ length: names }, (_, n) => `${nameOf(n)}. 300 IN A ${addressOf(n)}`);
  return `${zone}. 3600 IN SOA ns1.${zone}. hostmaster.${zone}. 1 2 3 4 5\n${zone}. 3600 IN NS ns1.${zone}.\n${records.join("\n")}\n`;
}

/** The whole service, filled over its API; its edge, with one worker, is pinned. */
async function startOurs(): Promise<{ port: number; pids: readonly number[] } & AsyncDisposable> {
  const running = await service({ flags: ["--workers", "1", "--rate-limit", "100000000/1"] });
  await running.zone(zone, { ttl: 3600 });
  const { call, close } = await apiClient(running);
  for (let from = 0; from < names; from += 1000) {
    const put = Array.from({ length: 1000 }, (_, n) => ({
      domain: nameOf(from + n),
      type: "A",
      ttl: 300,
      answers: [{ answer: [addressOf(from + n)] }],
    }));
    await call({ method: "POST", path: `zones/${zone}/records`, body: { put } });
  }
  close();
  await isServed(running, `${nameOf(names - 1)} A`);
  const pids = rolesOf(running).edge;
  for (const pid of pids) await output("taskset", ["-a", "-p", "-c", `${serverCore}`, `${pid}`]);
  return { port: running.port, pids, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

async function isServed(running: Service, name: string) {
  while ((await running.ask(name)).length === 0);
}

async function measure(port: number, pids: readonly number[], rate: number | undefined): Promise<Sample> {
  const before = { cpu: cpuTime(pids), core: coreTime(serverCore) };
  const args = ["-s", "127.0.0.1", "-p", `${port}`, "-d", questions, "-l", `${seconds}`, "-c", "8", "-T", "1", "-e"];
  const paced = rate === undefined ? [] : ["-Q", `${rate}`];
  const printed = await output("taskset", ["-c", `${clientCore}`, "dnsperf", ...args, ...paced]);
  const after = { cpu: cpuTime(pids), core: coreTime(serverCore) };
  const answered = Number(/Queries completed:\s+(\d+)/.exec(printed)?.[1]);
  const each = (used: number) => (used / answered) * 1e6;
  return {
    perSecond: Number(/Queries per second:\s+([\d.]+)/.exec(printed)?.[1]),
    user: each(after.cpu.user - before.cpu.user),
    system: each(after.cpu.system - before.cpu.system),
    core: each(after.core - before.core),
  };
}

function row(name: string, samples: readonly Sample[]): string[] {
  const middle = (value: (sample: Sample) => number) => median(samples.map(value));
  const total = middle(({ user, system }) => user + system);
  const times = [middle(({ user }) => user), middle(({ system }) => system), total, middle(({ core }) => core)];
  return [name, middle(({ perSecond }) => perSecond).toFixed(0), ...times.map((time) => time.toFixed(2))];
}

/** Of the median pair. */
function ratios(samples: readonly { ours: Sample; theirs: Sample }[]): string[] {
  const ratio = (value: (sample: Sample) => number) =>
    `${median(samples.map(({ ours, theirs }) => value(ours) / value(theirs))).toFixed(2)} x`;
  const total = ({ user, system }: Sample) => user + system;
  return [
    "  ratio",
    ...[(s: Sample) => s.perSecond, (s: Sample) => s.user, (s: Sample) => s.system, total, (s: Sample) => s.core].map(
      ratio,
    ),
  ];
}
