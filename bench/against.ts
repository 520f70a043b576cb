/**
 * `npm run bench:against -- TREE [ROUNDS] [WORK...]`: the cost of this checkout in relation to another one whose
 * dependencies are installed. Both run the whole service with the same data, and take turns at each kind of work. A
 * round gives one ratio for each quantity: ours by theirs. Prints the medians, and fails if one of CPU time is above the
 * limit. At calls of the API, the ratios of several runs differ by a tenth: run it several times.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { cpuTime } from "../test/machine/proc.ts";
import { seededRandom } from "../test/machine/random.ts";
import { type Service, tree } from "../test/service/kit.ts";
import { rolesOf } from "../test/service/roles.ts";
import { askerOf } from "./kit/asker.ts";
import { apiClient } from "./kit/client.ts";
import { type Contender, costOf } from "./kit/contender.ts";
import { questionsIn, subnetOption } from "./kit/load.ts";
import { load, median } from "./kit/measure.ts";
import { printRatios, type Ratio, ratioOf } from "./kit/ratio.ts";
import { contenderOf, fill, unlimitedService } from "./kit/served.ts";
import { geoFile, putSteered, steered } from "./kit/steered.ts";
import { writesOf } from "./kit/writes.ts";
import { address, apex, delegations, host, hostsZone } from "./kit/zone.ts";

/** The highest median of a ratio of CPU time. */
const most = 1.03;
const hosts = 100_000;
const cuts = 10_000;
const clients = 16;
const changesARound = 400;
const warmUp = 6;
const seconds = { answers: 2, calls: 3 };
const questionCount = 200_000;
const changing = `changing.${apex}`;
const zoneOf = (client: number) => `zone${client}.example`;

const [, , other = "", rounds = "10", ...chosen] = process.argv;
if (other === "" || !(Number(rounds) >= 6)) {
  throw new Error("usage: npm run bench:against -- TREE [ROUNDS, at least 6] [static|steered|...|change]");
}

interface Side {
  readonly service: Service;
  readonly edge: Contender;
}

/** The cost of one round of work of one side, by quantity. */
type Work = (side: Side, round: number) => Promise<Readonly<Record<string, number>>>;

const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
try {
  await using ours = await start(tree);
  await using theirs = await start(resolve(other));
  const ratios: Ratio[] = [];
  for (const [name, work] of Object.entries({ ...answering(), api: writing, read: reading, change: changingOne })) {
    if (chosen.length === 0 || chosen.includes(name)) ratios.push(...(await alternate(work, ours.side, theirs.side)));
  }
  printRatios(ratios);
  process.exitCode = ratios.some(({ measure, median }) => measure.endsWith("CPU time") && median > most) ? 1 : 0;
} finally {
  rmSync(directory, { recursive: true });
}

async function start(sources: string): Promise<AsyncDisposable & { readonly side: Side }> {
  const flags = ["--workers", "1", "--geo", geoFile(directory)];
  const service = await unlimitedService({ sources, flags });
  const records = function* () {
    yield* delegations(cuts);
    // the last: whether it is answered shows that all are
    yield* hostsZone(hosts).records();
  };
  await fill(service, { apex, records });
  await putSteered(service);
  await service.put(apex, `${changing} A`, [address(0)]);
  for (let client = 0; client < clients; client++) await service.zone(zoneOf(client));
  const edge = await contenderOf(service);
  return { side: { service, edge }, [Symbol.asyncDispose]: () => edge[Symbol.asyncDispose]() };
}

/** Runs rounds of both sides, each side first in half of them. V8 compiles for about fifteen seconds of work: the first rounds warm up. */
async function alternate(work: Work, ours: Side, theirs: Side): Promise<Ratio[]> {
  const ratios = new Map<string, number[]>();
  for (let round = 1 - warmUp; round <= Number(rounds); round++) {
    const order = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
    const costs = new Map<Side, Readonly<Record<string, number>>>();
    for (const side of order) costs.set(side, await work(side, round));
    if (round < 1) continue;
    for (const [measure, cost] of Object.entries(costs.get(ours)!)) {
      ratios.set(measure, [...(ratios.get(measure) ?? []), cost / costs.get(theirs)![measure]!]);
    }
  }
  return [...ratios].map(([measure, each]) => ratioOf(measure, each));
}

/** Answers at saturation: the CPU time of the edge for each query. */
function answering(): Readonly<Record<string, Work>> {
  const random = seededRandom(1);
  const questions = {
    static: () => `${host(Math.floor(random() * hosts))} A`,
    steered: () => `${steered} A`,
    NXDOMAIN: () => `x${Math.floor(random() * 1e9)}.${apex} A`,
    delegation: () => `www.d${Math.floor(random() * cuts)}.${apex} A`,
  };
  const workOf = (name: string, question: () => string): Work => {
    const drawn = Array.from({ length: questionCount }, question);
    const load = {
      questions: questionsIn(join(directory, name), drawn),
      seconds: seconds.answers,
      option: subnetOption,
    };
    return async ({ edge }) => ({ [`${name}: CPU time`]: (await costOf(edge, load)).total });
  };
  return Object.fromEntries(Object.entries(questions).map(([name, question]) => [name, workOf(name, question)]));
}

/** Durable creation and update of records: the CPU time of API and store for each call. */
async function writing({ service }: Side, round: number) {
  const { create, update } = writesOf(`w${round}`, zoneOf);
  const created = await load(service, clients, seconds.calls, create);
  const updated = await load(service, clients, seconds.calls, update);
  return {
    "api, create: CPU time": created.control + created.store,
    "api, update: CPU time": updated.control + updated.store,
  };
}

async function reading({ service }: Side) {
  const { control, store } = await load(service, clients, seconds.calls, () => ({
    method: "GET",
    path: `zones/${apex}/${steered}/A`,
  }));
  return { "api, read: CPU time": control + store };
}

/** Changes one after another, each until DNS answers with it: the CPU time of API and store, and the median delay. */
async function changingOne({ service }: Side, round: number) {
  const { control, store } = rolesOf(service);
  const used = () => {
    const { user, system } = cpuTime([...control, ...store]);
    return user + system;
  };
  const client = await apiClient(service);
  const asker = await askerOf(service.port, changing);
  const before = used();
  const delays: number[] = [];
  for (let n = 0; n < changesARound; n++) {
    const to = address(round * changesARound + n);
    await client.call({ method: "POST", path: `zones/${apex}/${changing}/A`, body: { answers: [{ answer: [to] }] } });
    const acknowledged = performance.now();
    await asker.until(to);
    delays.push(performance.now() - acknowledged);
  }
  const after = used();
  client.close();
  asker.close();
  return { "change: CPU time": after - before, "change: median delay": median(delays) };
}
