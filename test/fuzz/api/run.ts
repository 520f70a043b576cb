/**
 * npm run fuzz:api -- [--seed N] [--requests N] [--edition NAME] [--heap MB] [--log NAME]: one run. With --log, the
 * result is saved as test/fuzz/logs/NAME.txt.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commit } from "../../machine/commit.ts";
import { fuzzApi, printApi, printApiFindings } from "./fuzz.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
    requests: { type: "string", default: "20000" },
    edition: { type: "string", default: "managed" },
    heap: { type: "string", default: "220" },
    log: { type: "string" },
  },
});
const [seed, requests, heap] = [Number(values.seed), Number(values.requests), Number(values.heap)];
if (![seed, requests, heap].every(Number.isSafeInteger)) throw new Error("--seed, --requests and --heap are numbers");

const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => ending.abort());

const memory: string[] = [];
const report = await fuzzApi({
  seed,
  requests,
  edition: values.edition,
  heap,
  signal: ending.signal,
  onSample: ({ seconds, edge, control }) => {
    memory.push(`${seconds} s: edge ${edge} MB, control ${control} MB`);
    if (memory.length % 5 === 1) process.stdout.write(`  ${memory.at(-1)}\n`);
  },
});
const [line, findings] = [printApi(report), printApiFindings(report)];
const counts = (of: ReadonlyMap<unknown, number>) => [...of].map(([what, count]) => `${what} ${count}`).join(", ");
const { kinds, statuses, doneFor, slow } = report.ledger;
const details = [
  `kinds: ${counts(kinds)}`,
  `statuses: ${counts(new Map([...statuses].sort(([a], [b]) => a - b)))}`,
  `done for: ${counts(doneFor)}`,
  `slowest: ${slow.map(({ what, milliseconds }) => `${what} ${milliseconds} ms`).join(", ")}`,
];
process.stdout.write(`${findings}${details.join("\n")}\n${line}\n`);
if (values.log !== undefined) await writeLog(values.log);
process.exitCode = report.ledger.findings.length === 0 ? 0 : 1;

async function writeLog(name: string): Promise<void> {
  const directory = join(import.meta.dirname, "../logs");
  mkdirSync(directory, { recursive: true });
  const head = `commit ${await commit()}, seed ${seed}, ${requests} requests, edition ${values.edition}, heap ${heap} MB, Node ${process.version}`;
  writeFileSync(
    join(directory, `${name}.txt`),
    `${[head, line, ...details, ...memory, findings].join("\n").trimEnd()}\n`,
  );
}
