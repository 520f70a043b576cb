/** CPU time of the UDP listeners for each query, with a service that only turns queries into answers; needs dnsperf. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenBatched } from "../src/net/udp/batched.ts";
import type { ListenUdp } from "../src/net/udp/listener.ts";
import { listenPortable } from "../src/net/udp/portable.ts";
import { Daemon, output } from "../test/processes.ts";

const listeners: Readonly<Record<string, ListenUdp>> = { batched: listenBatched, portable: listenPortable };
const rounds = 3;
const seconds = 4;
const port = 20_953;
const serverCore = "1";
const loadCore = "0";
/** Of /proc/PID/stat. */
const ticksPerSecond = 100;

const [listener] = process.argv.slice(2);
await (listener === undefined ? compare() : listen(listeners[listener]!));

async function listen(run: ListenUdp): Promise<void> {
  await run({
    socket: { address: "127.0.0.1", port },
    stop: new Int32Array(new SharedArrayBuffer(4)),
    counts: new Float64Array(8),
    onListening: () => console.log("listening"),
    service: {
      begin() {},
      answer(query, from, to, _, out, at) {
        for (let octet = from; octet < to; octet++) out[at + octet - from] = query[octet]!;
        out[at + 2]! |= 0x80;
        return to - from;
      },
      end() {},
      failed(error) {
        throw error;
      },
    },
  });
}

interface Cost {
  readonly user: number;
  readonly system: number;
  readonly rate: number;
}

/** In turns, so that what else the machine does falls on both. */
async function compare(): Promise<void> {
  const questions = join(tmpdir(), `fairlead-questions-${process.pid}`);
  writeFileSync(questions, Array.from({ length: 10_000 }, (_, number) => `host${number}.example.com A\n`).join(""));
  const costs: Record<string, Cost[]> = { batched: [], portable: [] };
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(listeners)) costs[name]!.push(await measure(name, questions));
  }
  rmSync(questions);
  const [batched, portable] = [median(costs["batched"]!), median(costs["portable"]!)];
  console.log("listener    user us/query   system us/query   total   queries/s");
  for (const [name, cost] of Object.entries({ batched, portable })) console.log(line(name, cost));
  const ratio = (portable.user + portable.system) / (batched.user + batched.system);
  console.log(
    `portable costs ${ratio.toFixed(2)} times as much, its user part ${(portable.user / batched.user).toFixed(1)} times`,
  );
}

async function measure(name: string, questions: string): Promise<Cost> {
  const server = new Daemon("taskset", ["-c", serverCore, process.execPath, import.meta.filename, name]);
  try {
    await server.until(() => server.printed.includes("listening"));
    await load(questions, 1);
    const before = cpuOf(server.pid);
    const { completed, rate } = await load(questions, seconds);
    const after = cpuOf(server.pid);
    const each = (ticks: number) => (ticks / ticksPerSecond / completed) * 1e6;
    return { user: each(after.user - before.user), system: each(after.system - before.system), rate };
  } finally {
    server.child.kill("SIGKILL");
  }
}

async function load(questions: string, duration: number) {
  const flags = ["-s", "127.0.0.1", "-p", `${port}`, "-d", questions, "-l", `${duration}`, "-c", "8", "-T", "1"];
  const text = await output("taskset", ["-c", loadCore, "dnsperf", ...flags]);
  const figure = (label: string) => Number(new RegExp(`${label}:\\s+([\\d.]+)`).exec(text)?.[1]);
  return { completed: figure("Queries completed"), rate: figure("Queries per second") };
}

/** Ticks that all threads of a process have used. */
function cpuOf(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return { user: Number(fields[11]), system: Number(fields[12]) };
}

function median(costs: readonly Cost[]): Cost {
  return costs.toSorted((a, b) => a.user + a.system - b.user - b.system)[Math.floor(costs.length / 2)]!;
}

function line(name: string, { user, system, rate }: Cost): string {
  const figures = [user.toFixed(2).padEnd(16), system.toFixed(2).padEnd(18), (user + system).toFixed(2).padEnd(8)];
  return `${name.padEnd(12)}${figures.join("")}${Math.round(rate)}`;
}
