/** Compares the cost of one kind of answer between our server and peers, under several loads in one run. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../../test/machine/random.ts";
import { agreeing } from "./agreement.ts";
import type { Scale } from "./bench.ts";
import { type Contender, type Cost, inTurns } from "./contender.ts";
import { startEdge } from "./edge.ts";
import { type Load, questionsIn } from "./load.ts";
import { type Peer, startPeers } from "./peer.ts";
import { atMostPeers, type Row } from "./rows.ts";
import { type BenchZone, imageOf, writeZone } from "./zone.ts";

export interface Comparison {
  readonly name: string;
  readonly zone: BenchZone;
  /** The question for a random number from 0 to 1. */
  readonly question: (random: number) => string;
  readonly peers: readonly Peer[];
  readonly loads?: readonly KindOfLoad[];
  /** Our server; by default, an edge that starts with the zone. */
  readonly start?: (probe: string) => Promise<Contender>;
}

export interface KindOfLoad extends Omit<Load, "questions" | "seconds" | "option"> {
  readonly label: string;
  /** Whether each query has the server's cookie, like the queries of resolvers. */
  readonly hasCookie?: boolean;
}

const saturated: KindOfLoad = { label: "at saturation" };
/** The peers that the target compares with. */
const targetPeers = ["NSD", "Knot", "gdnsd"];
/** A user part of fewer microseconds is too small to compare exactly. */
const smallUserPart = 1;
const smallFactor = 1.3;
/** Our share of NSD's CPU time for queries that come one by one. */
const pacedFactor = 1.1;
const questionCount = 200_000;
/** The number of questions that all contenders must answer equally. */
const comparedCount = 3;
const rounds = 3;

export async function compare(comparison: Comparison, scale: Scale): Promise<Row[]> {
  const { name, zone, question, peers, loads = [saturated] } = comparison;
  const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  try {
    const random = seededRandom(1);
    const drawn = Array.from({ length: questionCount }, () => question(random()));
    const questions = questionsIn(join(directory, "questions"), drawn);
    const files = { ...writeZone(directory, zone), probe: `${zone.apex} SOA` };
    await using ours = await (comparison.start ?? ((probe) => startEdge(imageOf([zone]), probe)))(files.probe);
    await using others = await startPeers(peers, files);
    const { contenders, differing, cookies } = await agreeing([ours, ...others.running], drawn.slice(0, comparedCount));
    const rows: Row[] = [];
    for (const { label, hasCookie = false, ...kind } of loads) {
      const load = { ...kind, questions, seconds: scale(5) };
      const asked = hasCookie ? contenders.filter((one) => cookies.has(one.name)) : contenders;
      const costs = await inTurns(asked, scale(rounds), (one) =>
        hasCookie ? { ...load, option: cookies.get(one.name)! } : load,
      );
      const silent = contenders.filter((one) => !asked.includes(one)).map((one) => [one.name, "sends no cookie"]);
      const missing = { ...others.missing, ...differing, ...Object.fromEntries(silent) };
      rows.push(...(kind.rate === undefined ? costRows : pacedRows)(name, label, costs, missing));
    }
    return rows;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

type RowsOf = (
  name: string,
  label: string,
  costs: ReadonlyMap<string, Cost>,
  missing: Readonly<Record<string, string>>,
) => Row[];

/** Rows for the total cost of a query, its user time, and all work of the core. */
export const costRows: RowsOf = (name, label, costs, missing) => {
  const [total, user, core] = rowsOf(name, label, costs, missing);
  const nsd = user!.peers["NSD"];
  const factor = typeof nsd === "number" && nsd < smallUserPart ? smallFactor : 1;
  return [
    { ...total!, ...atMostPeers(total!.ours!, total!.peers, targetPeers) },
    { ...user!, ...atMostPeers(user!.ours!, user!.peers, ["NSD"], factor) },
    core!,
  ];
};

const pacedRows: RowsOf = (...parts) => {
  const [total, ...others] = rowsOf(...parts);
  return [{ ...total!, ...atMostPeers(total!.ours!, total!.peers, ["NSD"], pacedFactor) }, ...others];
};

const rowsOf: RowsOf = (name, label, costs, missing) => {
  const row = (measure: string, value: (cost: Cost) => number): Row => {
    const ours = value(costs.get("Fairlead")!);
    const peers = peersOf(costs, missing, value);
    return { name, measure: `${label}: ${measure}`, unit: "us a query", ours, peers, target: "" };
  };
  return [
    row("CPU time", ({ total }) => total),
    row("its user part", ({ user }) => user),
    row("all of the core", ({ core }) => core),
  ];
};

export function peersOf(
  costs: ReadonlyMap<string, Cost>,
  missing: Readonly<Record<string, string>>,
  value: (cost: Cost) => number,
): Record<string, number | string> {
  const measured = [...costs].filter(([name]) => name !== "Fairlead").map(([name, cost]) => [name, value(cost)]);
  return { ...Object.fromEntries(measured), ...missing };
}
