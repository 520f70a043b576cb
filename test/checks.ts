/** The checks of the code: format, types and dead code. A check that passed reads only files that changed since then. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Ended, run, tree } from "./programs.ts";

interface Check {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** Whether the result for a file depends on that file alone; such a check is given only the changed files. */
  readonly isByFile?: true;
}

const checks: readonly Check[] = [
  { name: "format", command: ["biome", "check", "--error-on-warnings"], isByFile: true },
  { name: "types", command: ["tsc", "--noEmit", "--singleThreaded"] },
  { name: "types of the portal", command: ["tsc", "--noEmit", "--singleThreaded", "--project", "portal"] },
  { name: "dead", command: ["knip"] },
];

/** A change of one of these can change the result for every file: the settings of the checks, and their versions. */
const settings = ["biome.json", ".gitignore", "package.json", "node_modules/.package-lock.json"];

/** The content of files when a check passed: their digests by their paths. */
type Digests = Readonly<Record<string, string>>;

/** Runs the checks one after another; `show` receives the name of each and what it printed. */
export async function runChecks(
  show: (name: string, printed: string) => void,
): Promise<{ name: string; code: number }[]> {
  const results: { name: string; code: number }[] = [];
  for (const check of checks) {
    const { code, printed } = await runCheck(check);
    show(check.name, printed);
    results.push({ name: check.name, code });
  }
  return results;
}

async function runCheck({ name, command: [program, ...args], isByFile }: Check): Promise<Ended> {
  const record = join(tree, "node_modules/.cache/checked", `${name}.json`);
  const present = digests();
  if (!present) return await run(program, args);
  const passed = readRecord(record);
  const paths = new Set([...Object.keys(passed), ...Object.keys(present)]);
  const changed = [...paths].filter((path) => passed[path] !== present[path]);
  if (changed.length === 0) return { code: 0, printed: "nothing changed since it passed\n" };
  const isWhole = !isByFile || changed.some((path) => settings.includes(path));
  const existing = changed.filter((path) => path in present);
  const files = isWhole ? [] : ["--no-errors-on-unmatched", "--files-ignore-unknown=true", "--", ...existing];
  const ended = isWhole || existing.length > 0 ? await run(program, [...args, ...files]) : { code: 0, printed: "" };
  if (ended.code === 0) {
    mkdirSync(join(record, ".."), { recursive: true });
    writeFileSync(record, JSON.stringify(present));
  }
  return ended;
}

/** Empty when the check has not passed yet. */
function readRecord(path: string): Digests {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}

/** All files that git tracks or would track, and the settings; undefined without git. */
function digests(): Digests | undefined {
  const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { status, stdout } = spawnSync("git", listing, { cwd: tree, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (status !== 0) return undefined;
  const found: Record<string, string> = {};
  for (const path of new Set([...stdout.split("\0"), ...settings])) {
    const content = contentOf(path);
    if (content) found[path] = createHash("sha1").update(content).digest("base64");
  }
  return found;
}

/** Undefined when the file was deleted, or is not a regular file. */
function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(join(tree, path));
  } catch {
    return undefined;
  }
}
