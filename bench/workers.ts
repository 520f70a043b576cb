/** The cost of an answer with two UDP workers on all cores, compared with one worker, and how they share the queries. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bench } from "./kit/bench.ts";
import { inTurns } from "./kit/contender.ts";
import { startEdge } from "./kit/edge.ts";
import { ask, questionsIn } from "./kit/load.ts";
import { atLeast, atMost, type Row } from "./kit/rows.ts";
import { host, hostsZone, imageOf } from "./kit/zone.ts";

const name = "workers";
/** Queries a second for each worker. The rate is fixed, since larger batches cost less per query. */
const rate = 20_000;
const clients = 64;

await bench(async (scale): Promise<Row[]> => {
  const hosts = scale(100_000, 1000);
  const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  try {
    const questions = questionsIn(
      join(directory, "questions"),
      Array.from({ length: hosts }, (_, i) => `${host((i * 7919) % hosts)} A`),
    );
    const image = imageOf([hostsZone(hosts)]);
    const probe = `${host(hosts - 1)} A`;
    await using single = await startEdge(image, probe, { workers: 1, isFree: true });
    await using double = await startEdge(image, probe, { workers: 2, isFree: true });
    const contenders = [
      { ...single, name: "1" },
      { ...double, name: "2" },
    ];
    const costs = await inTurns(contenders, scale(5), ({ name }) => ({
      ...{ questions, seconds: scale(5), clients },
      rate: rate * Number(name),
    }));
    const [one, two] = [costs.get("1")!.total, costs.get("2")!.total];
    const [pid] = double.pids();
    const before = threadTimes(pid!);
    await ask(double.port, { questions, seconds: scale(5), rate: rate * 2, clients });
    const used = [...threadTimes(pid!)].map(([thread, ticks]) => ticks - (before.get(thread) ?? 0));
    const [busiest = 0, next = 0] = used.sort((a, b) => b - a);
    const share = next / (busiest + next);
    const row = { name, peers: {} };
    return [
      { ...row, measure: `one worker, ${rate}/s: CPU time`, unit: "us a query", ours: one, target: "" },
      { ...row, measure: `two workers, ${rate * 2}/s: CPU time`, unit: "us a query", ours: two, target: "" },
      { ...row, measure: "the second by the first", unit: "x", ours: two / one, ...atMost(two / one, 1.1, "x") },
      {
        ...row,
        measure: "of two workers' time, that of the one with less",
        unit: "%",
        ours: share * 100,
        ...atLeast(share * 100, 40, "%"),
      },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
});

/** Ticks of CPU time that each thread has used. */
function threadTimes(pid: number): Map<string, number> {
  const threads = readdirSync(`/proc/${pid}/task`);
  return new Map(
    threads.map((thread) => {
      const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8").split(") ").at(-1)!.split(" ");
      return [thread, Number(fields[11]) + Number(fields[12])];
    }),
  );
}
