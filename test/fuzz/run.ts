/**
 * npm run fuzz -- [--seed N] [--packets N] [--log NAME]: one run. With --log, the result is saved as
 * test/fuzz/logs/NAME.txt.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commit } from "../machine/commit.ts";
import { fuzz, print, printFindings } from "./fuzz.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
    packets: { type: "string", default: "1000000" },
    log: { type: "string" },
  },
});
const [seed, packets] = [Number(values.seed), Number(values.packets)];
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(packets)) throw new Error("--seed and --packets are numbers");

const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => ending.abort());

const memory: string[] = [];
const report = await fuzz({
  seed,
  packets,
  signal: ending.signal,
  onSample: ({ seconds, edge, control }) => {
    memory.push(`${seconds} s: edge ${edge} MB, control ${control} MB`);
    if (memory.length % 5 === 1) process.stdout.write(`  ${memory.at(-1)}\n`);
  },
});
const line = print(report);
const findings = printFindings(report);
process.stdout.write(`${findings}${line}\n`);
if (values.log !== undefined) await writeLog(values.log);
process.exitCode = report.ledger.findings.length === 0 ? 0 : 1;

async function writeLog(name: string): Promise<void> {
  const counts = (of: ReadonlyMap<unknown, number>) => [...of].map(([what, count]) => `${what} ${count}`).join(", ");
  const { kinds, rcodes } = report.ledger;
  const directory = join(import.meta.dirname, "logs");
  mkdirSync(directory, { recursive: true });
  const lines = [
    `commit ${await commit()}, seed ${seed}, ${packets} packets, Node ${process.version}`,
    line,
    `kinds: ${counts(kinds)}`,
    `RCODEs: ${counts(rcodes)}`,
    `API: ${counts(report.statuses)}`,
    ...memory,
    findings,
  ];
  writeFileSync(join(directory, `${name}.txt`), `${lines.join("\n").trimEnd()}\n`);
}
