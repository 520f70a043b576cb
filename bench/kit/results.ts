/** The last results of each bench with date and commit: bench/results.json, and RESULTS.md as a table. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import { commit } from "../../test/machine/commit.ts";
import { run } from "../../test/machine/processes.ts";
import { tree } from "../../test/service/kit.ts";
import { cellsOf, headings, type Row } from "./rows.ts";

export interface Result extends Row {
  readonly commit: string;
  /** In UTC. */
  readonly date: string;
}

const packages = ["nsd", "knot", "bind9", "pdns-server", "gdnsd", "dnsperf"];
const json = join(tree, "bench/results.json");
const table = join(tree, "bench/RESULTS.md");

/** Replaces the rows of a bench. */
export async function keepResults(order: readonly string[], name: string, rows: readonly Row[]): Promise<void> {
  const at = await commit();
  const date = new Date().toISOString().slice(0, 16).replace("T", " ");
  const before: Result[] = existsSync(json) ? JSON.parse(readFileSync(json, "utf8")) : [];
  const results = [
    ...before.filter((row) => row.name !== name),
    ...rows.map((row) => ({ ...row, commit: at, date })),
  ].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  writeFileSync(json, `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(table, await text(results));
}

async function text(results: readonly Result[]): Promise<string> {
  const rows = results.map((result) => [...cellsOf(result), result.commit, result.date]);
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const columns = [...headings, "commit", "date (UTC)"];
  return `# Results

Written by \`npm run bench\`; [README.md](README.md) describes what is measured, and how. The rows of one bench are from one run; do not compare figures from different runs.

${(await machine()).map((fact) => `- ${fact}\n`).join("")}
${[line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n")}
`;
}

async function machine(): Promise<string[]> {
  const versions = await Promise.all(
    packages.map(async (name) => {
      const { code, out } = await run("dpkg-query", ["-W", "-f", "$" + "{Version}", name]);
      return `${name} ${code === 0 ? out : "not installed"}`;
    }),
  );
  return [
    `${availableParallelism()} cores of ${cpus()[0]?.model ?? "unknown make"}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}`,
    `Node.js ${process.version.slice(1)}`,
    versions.join(", "),
  ];
}
