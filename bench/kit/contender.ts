/** Measures what an answer costs each of several servers, in turns. */
import { coreTime, cpuTime, runTime } from "../../test/machine/proc.ts";
import { serverCore } from "./cores.ts";
import { ask, type Load } from "./load.ts";
import { median } from "./measure.ts";

export interface Contender extends AsyncDisposable {
  readonly name: string;
  readonly port: number;
  /** The ids of all processes of the server. */
  pids(): readonly number[];
}

/** Microseconds a query, and queries a second. */
export interface Cost {
  readonly perSecond: number;
  readonly user: number;
  readonly total: number;
  /** All work of the server's core, including the kernel's threads. */
  readonly core: number;
}

/** Seconds of warm-up before the first round. */
const warmUp = 1;

export async function costOf(contender: Contender, load: Load): Promise<Cost> {
  const pids = contender.pids();
  const before = { cpu: cpuTime(pids), exact: runTime(pids), core: coreTime(serverCore) };
  const { completed, perSecond } = await ask(contender.port, load);
  const after = { cpu: cpuTime(pids), exact: runTime(pids), core: coreTime(serverCore) };
  const each = (seconds: number) => (seconds / completed) * 1e6;
  // in steps of 10 ms
  const user = each(after.cpu.user - before.cpu.user);
  return { perSecond, user, total: each((after.exact - before.exact) / 1e9), core: each(after.core - before.core) };
}

/**
 * The median costs of each server, by its name. The servers take turns, so that other work on the machine affects all.
 */
export async function inTurns<T extends Contender>(
  contenders: readonly T[],
  rounds: number,
  loadOf: (contender: T) => Load,
): Promise<ReadonlyMap<string, Cost>> {
  const costs = new Map(contenders.map(({ name }) => [name, [] as Cost[]]));
  for (const contender of contenders) await ask(contender.port, { ...loadOf(contender), seconds: warmUp });
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) costs.get(contender.name)!.push(await costOf(contender, loadOf(contender)));
  }
  return new Map([...costs].map(([name, all]) => [name, middleOf(all)]));
}

function middleOf(costs: readonly Cost[]): Cost {
  const middle = (value: (cost: Cost) => number) => median(costs.map(value));
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    user: middle(({ user }) => user),
    total: middle(({ total }) => total),
    core: middle(({ core }) => core),
  };
}
