/** Compares the cost of an answer of a small and of a large server, in turns. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../../test/machine/random.ts";
import type { Scale } from "./bench.ts";
import { inTurns } from "./contender.ts";
import { startEdge } from "./edge.ts";
import { questionsIn } from "./load.ts";
import { atMost, type Row } from "./rows.ts";
import { type BenchZone, imageOf } from "./zone.ts";

export interface Setup {
  readonly count: number;
  readonly zones: () => Iterable<BenchZone>;
  readonly question: (random: number) => string;
  /** A question with an answer, asked until the server is ready. */
  readonly probe: string;
}

const questionCount = 500_000;
const most = 1.3;
const rounds = 5;

export async function flatness(
  name: string,
  what: string,
  [few, many]: readonly Setup[],
  scale: Scale,
): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  try {
    await using small = await contender(few!, directory);
    await using large = await contender(many!, directory);
    const both = [small, large];
    const costs = await inTurns(both, scale(rounds), ({ questions }) => ({ questions, seconds: scale(5) }));
    const [little, much] = both.map((one) => costs.get(one.name)!.total);
    const row = (measure: string, ours: number): Row => ({
      name,
      measure,
      unit: "us a query",
      ours,
      peers: {},
      target: "",
    });
    const ratio = much! / little!;
    return [
      row(`${few!.count} ${what}: CPU time`, little!),
      row(`${many!.count} ${what}: CPU time`, much!),
      { name, measure: "the second by the first", unit: "x", ours: ratio, peers: {}, ...atMost(ratio, most, "x") },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function contender({ count, zones, question, probe }: Setup, directory: string) {
  const random = seededRandom(1);
  const drawn = Array.from({ length: questionCount }, () => question(random()));
  const questions = questionsIn(join(directory, `${count}`), drawn);
  return { ...(await startEdge(imageOf(zones()), probe)), name: `${count}`, questions };
}
