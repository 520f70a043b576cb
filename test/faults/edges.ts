/** Rounds in which the edge of a service is killed, terminated or suspended, under load or idle. */
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "../machine/random.ts";
import type { Service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";
import { type Load, loadAddress, loadName, startLoad } from "./load.ts";

export interface EdgeRounds {
  /** The signal that ends or stops the edge; after SIGSTOP, the edge continues after `halt` milliseconds. */
  readonly signal: "SIGKILL" | "SIGTERM" | "SIGSTOP";
  readonly halt?: number;
  readonly rounds: number;
  /** Queries a second; 0 for none. */
  readonly rate: number;
  readonly seed: number;
  readonly onRound?: (line: string) => void;
}

export interface EdgeReport {
  /** For each round, the longest time without an answer in milliseconds; without load, the time to the first answer. */
  readonly silences: readonly number[];
  readonly udp: Awaited<ReturnType<Load["end"]>>["udp"] | undefined;
  /** Descriptors that the supervisor has open, after the first round and after the last. */
  readonly descriptors: readonly [number, number];
}

/** At most this many milliseconds pass before the next signal. */
const longestRun = 300;

/** `running` must have the zone that the load asks for (`prepare`). */
export async function edgeRounds(running: Service, options: EdgeRounds): Promise<EdgeReport> {
  const { signal, halt = 1000, rounds, rate, seed, onRound } = options;
  const random = seededRandom(seed);
  const load = rate > 0 ? await startLoad({ port: running.port, rate, streams: 0, random }) : undefined;
  const silences: number[] = [];
  const descriptors: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await delay(random() * longestRun);
    load?.silence();
    const since = performance.now();
    if (signal === "SIGSTOP") await haltEdge(running, halt);
    else await replaceEdge(running, signal);
    await answers(running);
    const silence = load ? load.silence() : Math.round(performance.now() - since);
    silences.push(silence);
    descriptors.push(readdirSync(`/proc/${running.daemon.pid}/fd`).length);
    onRound?.(`${`${round + 1}`.padStart(3)}  ${signal}, ${silence} ms without an answer`);
  }
  const tally = await load?.end();
  return { silences, udp: tally?.udp, descriptors: [descriptors[0]!, descriptors.at(-1)!] };
}

/** Ends the edge, and waits until there is another one. */
async function replaceEdge(running: Service, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  const before = edgeOf(running)!;
  process.kill(before, signal);
  await running.daemon.until(() => ![undefined, before].includes(edgeOf(running)));
}

async function haltEdge(running: Service, milliseconds: number): Promise<void> {
  const edge = edgeOf(running)!;
  process.kill(edge, "SIGSTOP");
  await delay(milliseconds);
  process.kill(edge, "SIGCONT");
}

const edgeOf = (running: Service) => rolesOf(running).edge[0];

const answers = (running: Service) =>
  running.daemon.until(async () => {
    const lines = await running.ask(`${loadName} A`).catch(() => []);
    return lines.some((line) => line.endsWith(loadAddress));
  });
