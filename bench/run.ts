/**
 * Runs the named benches, or all, one after another: `npm run bench [-- NAMES]`. Prints one table, and replaces the rows of
 * these benches in bench/results.json and bench/RESULTS.md. With `--share 0.05`, times and sizes are a twentieth and
 * nothing is written: such a run only shows that the benches work.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { node, tree } from "../test/service/kit.ts";
import { keepResults } from "./kit/results.ts";
import { cellsOf, printRows, type Row } from "./kit/rows.ts";

/** All benches, in the order of the table. */
const benches = [
  ...["static", "default", "nxdomain", "delegation", "wildcard", "steered", "workers", "tcp", "dot"],
  ...[
    "engine",
    "chain",
    "udp",
    "xdp",
    "zones",
    "records",
    "ten-million",
    "memory",
    "idle",
    "cold",
    "zonefile",
    "import",
  ],
  ...["latency", "change", "takeover", "restart", "secondary", "transfer", "push", "api", "store", "keys", "requests"],
  ...["activity", "portal"],
] as const;
/** Milliseconds after which a bench is killed. */
const longest = 10 * 60_000;

const { values, positionals } = parseArgs({ options: { share: { type: "string" } }, allowPositionals: true });
const unknown = positionals.filter((name) => !benches.some((known) => known === name));
if (unknown.length > 0) throw new Error(`unknown bench: ${unknown.join(", ")}; the benches are ${benches.join(", ")}`);
const share = values.share ?? "1";
const chosen = positionals.length > 0 ? benches.filter((name) => positionals.includes(name)) : benches;

const all: Row[] = [];
for (const name of chosen) {
  process.stdout.write(`${name} ...\n`);
  const began = performance.now();
  const rows = await runBench(name);
  process.stdout.write(`${rows.map((row) => `  ${cellsOf(row).slice(1).filter(Boolean).join(" | ")}\n`).join("")}`);
  process.stdout.write(`  took ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
  all.push(...rows);
  if (share === "1") await keepResults(benches, name, rows);
}
printRows(all);
process.exitCode = all.some(({ met }) => met === false) ? 1 : 0;

/** The rows of a bench, or one row with the error. */
async function runBench(name: string): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  const file = join(directory, "rows.json");
  try {
    const { code, printed } = await run(join(tree, "bench", `${name}.ts`), share, file);
    if (code === 0 && existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
    const reason = /^\w*Error: .*$/m.exec(printed)?.[0] ?? `it ended with ${code}`;
    process.stdout.write(printed);
    return [{ name, measure: `failed: ${reason}`, unit: "", peers: {}, target: "to be measured", met: false }];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function run(bench: string, ...args: readonly string[]): Promise<{ code: number | null; printed: string }> {
  return new Promise((done) => {
    const child = spawn(node, [bench, ...args], { cwd: tree, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        printed = (printed + text).slice(-10_000);
      });
    }
    const late = setTimeout(() => child.kill("SIGTERM"), longest);
    child.on("close", (code) => {
      clearTimeout(late);
      done({ code, printed });
    });
  });
}
