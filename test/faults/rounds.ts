/** Rounds of kills during writes; after each, every acknowledged write must exist. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { runningPostgres } from "../../src/storage/embedded/postgres.ts";
import { freePort } from "../machine/processes.ts";
import { seededRandom } from "../machine/random.ts";
import { type Service, service } from "../service/kit.ts";
import { check } from "./check.ts";
import { Journal } from "./journal.ts";
import { kill, type Victim, victims } from "./kill.ts";
import { makeSource, sharedZones, thingsOf, write } from "./writer.ts";

/** Writes that are acknowledged in a round before anything is killed. */
export const leastWrites = 20;

export interface Round {
  readonly victim: Victim;
  readonly killed: number;
  /** Writes that were acknowledged in this round before it ended. */
  readonly acknowledged: number;
  readonly inDoubt: number;
  /** Milliseconds from the kill until all acknowledged writes were found. */
  readonly recovered: number;
  readonly wrong: readonly string[];
}

export interface Report {
  readonly settings: Readonly<Record<string, string>>;
  readonly rounds: readonly Round[];
}

export interface Options {
  readonly rounds: number;
  readonly seed: number;
  readonly writers?: number;
  readonly onRound?: (round: Round, number: number) => void;
}

export async function durability({ rounds, seed, writers = 8, onRound }: Options): Promise<Report> {
  const random = seededRandom(seed);
  const data = mkdtempSync(join(tmpdir(), "fairlead-durable-"));
  const ports = { http: await freePort(), dns: await freePort() };
  const start = () => service({ data, ports });
  let running = await start();
  try {
    const settings = await settingsOf(data);
    for (const zone of sharedZones) await running.zone(zone);
    const source = await makeSource(running, writers);
    const journals = Array.from({ length: writers }, (_, writer) => new Journal(thingsOf(writer, source)));
    const done: Round[] = [];
    while (done.length < rounds) {
      const victim = victims[done.length % victims.length]!;
      const before = sum(journals);
      const killed = await killUnderWrites(running, journals, victim, random);
      const since = performance.now();
      running = await recover(running, start);
      const inDoubt = journals.flatMap(({ entries }) => entries.filter(({ doubt }) => doubt)).length;
      const wrong = await check(running, journals);
      const recovered = Math.round(performance.now() - since);
      const round = { victim, killed, acknowledged: sum(journals) - before, inDoubt, recovered, wrong };
      done.push(round);
      onRound?.(round, done.length);
    }
    return { settings, rounds: done };
  } finally {
    await running.stop();
    await (await runningPostgres(data))?.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

const sum = (journals: readonly Journal[]) => journals.reduce((total, { acknowledged }) => total + acknowledged, 0);

/** All writers write; the victim is killed at a random moment; a writer stops at its first missing reply. */
async function killUnderWrites(running: Service, journals: readonly Journal[], victim: Victim, random: () => number) {
  const stopped = new AbortController();
  const seeds = journals.map(() => Math.floor(random() * 2 ** 32));
  const writing = journals.map((journal, n) => write(running, journal, seededRandom(seeds[n]!), stopped.signal));
  const before = sum(journals);
  const deadline = performance.now() + 10_000;
  while (sum(journals) < before + leastWrites && performance.now() < deadline) await delay(5);
  await delay(random() * 900);
  const killed = kill(running, victim, random);
  // a killed edge stops no writer, so all writers are stopped a little later
  await delay(200);
  stopped.abort();
  await Promise.all(writing);
  return killed;
}

/** The supervisor restarts its children and the store; a service that has ended is started again. */
async function recover(running: Service, start: () => Promise<Service>): Promise<Service> {
  await delay(50);
  if (running.daemon.ended) return start();
  await running.daemon.until(async () => {
    const reply = await running.api("GET", `zones/${sharedZones[0]}`).catch(() => undefined);
    return reply?.status === 200;
  }, 60_000);
  return running;
}

async function settingsOf(data: string): Promise<Record<string, string>> {
  const store = await runningPostgres(data);
  const client = new pg.Client({ connectionString: store!.url });
  await client.connect();
  const settings: Record<string, string> = {};
  for (const name of ["fsync", "synchronous_commit", "full_page_writes"]) {
    settings[name] = (await client.query(`show ${name}`)).rows[0][name];
  }
  await client.end();
  return settings;
}
