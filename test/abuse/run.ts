/**
 * npm run abuse -- [--share N] [--seed N] [--log NAME] [ATTACK...]: each attack on a service of its own, with victims of
 * another tenant. Five times, in turn, they are measured while harmless load runs, and while the attack runs. The bar is
 * on the ratio of the medians, of p50 and of p99. A share below 1 shows that everything works, and judges nothing. A run
 * that does not come to its end says why, and fails.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { freePort, output } from "../machine/processes.ts";
import { savedLog } from "../machine/saved-log.ts";
import { clientOf } from "../service/client.ts";
import { node, type Service, service, tree } from "../service/kit.ts";
import type { Attack, Target } from "./attack.ts";
import { attacks } from "./attacks/index.ts";
import type { LoadOrder } from "./load.ts";
import { type Home, measure, prepareVictim, type Sample, type VictimKind } from "./victims.ts";

const { values, positionals } = parseArgs({
  options: {
    share: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    log: { type: "string" },
  },
  allowPositionals: true,
});
const [share, seed] = [Number(values.share), Number(values.seed)];
if (!(share > 0 && share <= 1) || !Number.isSafeInteger(seed)) throw new Error("--share and --seed are numbers");
const unknown = positionals.filter((name) => !attacks.some((attack) => attack.name === name));
if (unknown.length > 0) throw new Error(`no such attack: ${unknown.join(", ")}`);

const alternations = 5;
/** The files that a process of loads and victims has open. */
const descriptors = 6000;
const calls = Math.ceil(500 * share);
/** Milliseconds for which victims are measured at least. */
const longEnough = 1000 * share;
/** Milliseconds in which a load reaches its strength. */
const warmUp = 2000 * share;

const log = await savedLog(values.log ?? "abuse", seed, import.meta.dirname);
const above: string[] = [];
/** The attack that runs, until all have run, and its service. */
let under: string | undefined = "none yet";
let attacked: Service | undefined;

process.on("exit", (code) => {
  attacked?.daemon.child.kill();
  if (under === undefined) return;
  log.say(`the run ended early, with the code ${code}, in the attack ${under}`);
  if (values.log !== undefined) log.write();
  process.exitCode = code || 1;
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    process.stderr.write(`${signal} ends the run\n`);
    process.exit(128 + constants.signals[signal]);
  });
}

const most = Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Infinity);
if (most < descriptors) throw new Error(`loads open ${descriptors} files, but the limit is ${most}: ulimit -n`);
for (const attack of attacks.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  under = attack.name;
  if (!(await judge(attack))) above.push(attack.name);
  attacked = undefined;
  // also for a run that is killed later
  if (values.log !== undefined) log.write();
}
under = undefined;
log.say(above.length === 0 ? "none is above its bar" : `above their bars: ${above.join(", ")}`);
if (values.log !== undefined) log.write();
if (share === 1 && above.length > 0) process.exitCode = 1;

/** Runs an attack; false if it is above its bar. */
async function judge(attack: Attack): Promise<boolean> {
  const [dot, doh] = [await freePort(), await freePort()];
  const listeners = ["--dot", `127.0.0.1:${dot}`, "--doh", `127.0.0.1:${doh}`];
  await using running = await service({
    flags: ["--egress-allow", "127.0.0.0/8", ...listeners, ...(attack.flags ?? [])],
  });
  attacked = running;
  const { target, home } = await settle(running, attack.victim, { dot, doh });
  await attack.prepare?.(clientOf(target.url, target.key), target);
  const samples: Record<LoadOrder["kind"], Sample[]> = { harmless: [], attack: [] };
  const sample = () => measure(attack.victim, home, calls, longEnough);
  await sample();
  for (let turn = 0; turn < 2 * alternations; turn++) {
    const kind = turn % 2 === 0 ? "harmless" : "attack";
    samples[kind].push(await beside({ name: attack.name, kind, target }, sample));
  }
  if (running.daemon.ended) throw new Error(`the service ended:\n${running.daemon.printed}`);
  const ratios = (["p50", "p99"] as const).map((which) => {
    const [harmless, attacked] = [samples.harmless, samples.attack].map((all) => median(all.map((one) => one[which])));
    return { harmless: harmless!, attacked: attacked!, ratio: attacked! / harmless! };
  });
  const failed = samples.attack.reduce((sum, one) => sum + one.failed, 0);
  const reason = samples.attack.findLast((one) => one.reason !== undefined)?.reason;
  const isWithin = failed === 0 && ratios.every(({ ratio }) => ratio <= attack.bar);
  const shown = ratios.map(
    ({ harmless, attacked, ratio }, at) =>
      `${at === 0 ? "p50" : "p99"} ${harmless.toFixed(1)} to ${attacked.toFixed(1)} ms (${ratio.toFixed(2)} times)`,
  );
  log.say(
    `${attack.name}: ${attack.what}; ${attack.victim}: ${shown.join(", ")}, ${failed} failed${reason === undefined ? "" : ` (${reason})`}; bar ${attack.bar}${isWithin ? "" : ": ABOVE"}`,
  );
  return isWithin;
}

/** An account and a zone for victims; the attacker has the first account. */
async function settle(
  running: Service,
  kind: VictimKind,
  encrypted: { readonly dot: number; readonly doh: number },
): Promise<{ target: Target; home: Home }> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-abuse-"));
  const keyOf = async (name: string) => {
    const file = join(directory, `${name}.json`);
    const command = ["account", "create", name, "--key-file", file, "--data", running.data];
    await output(node, [join(tree, "bin/fairlead.js"), ...command]);
    return JSON.parse(readFileSync(file, "utf8")).key as string;
  };
  const [key, victimKey] = [await keyOf("attacker"), await keyOf("victim")];
  rmSync(directory, { recursive: true });
  const { url, port: dns } = running;
  const ports = { http: Number(new URL(url).port), dns, ...encrypted };
  const home = { url, ports, key: victimKey };
  await prepareVictim(kind, home);
  await delay(1000);
  return { target: { url, ports, key, share }, home };
}

/** Measures while a load runs, in a thread of its own. */
async function beside(order: LoadOrder, run: () => Promise<Sample>): Promise<Sample> {
  const thread = new Worker(new URL("./load.ts", import.meta.url), { workerData: order });
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    thread.once("exit", () => {
      isOver = true;
      resolve();
    });
  });
  let fault: unknown;
  thread.on("error", (error) => (fault = error));
  await delay(warmUp);
  const sample = await run();
  if (isOver) throw fault ?? new Error(`the load ${order.kind} of ${order.name} ended by itself`);
  thread.postMessage("end");
  const late = setTimeout(() => void thread.terminate(), 5000);
  await ended;
  clearTimeout(late);
  if (fault) throw fault;
  await delay(warmUp / 2);
  return sample;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
