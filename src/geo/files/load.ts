/** Reads geo files, detects their formats, and reads changed files again. */
import { open, stat } from "node:fs/promises";
import { invalid } from "../../lib/problem.ts";
import type { GeoData, GeoFile, GeoSource, ParsedGeo } from "../facts/data.ts";
import { isMmdb, parseMmdb } from "./mmdb.ts";
import { isOverrideTable, parseJsonOverrides, parseOverrides } from "./overrides.ts";
import { parseRanges } from "./ranges.ts";
import { rowsOf } from "./rows.ts";

/** The most octets of a text file: more might not fit into a string of the runtime. */
const longestText = 2 ** 28;

/**
 * Reads all files, in their order of precedence, but overrides before other files. Files whose time, size and inode are
 * the same as in `before` are not read again. Throws a Problem that names the file, and the line of a text file. Parsing
 * blocks the thread, for seconds per million networks.
 */
export async function loadGeo(paths: readonly string[], before?: GeoData): Promise<GeoData> {
  const sources: GeoSource[] = [];
  for (const path of paths) {
    const source = before?.sources.find(({ file }) => file.path === path);
    sources.push(source && (await isAsRead(source.file)) ? source : await loadFile(path));
  }
  const isOverride = ({ kind }: GeoSource) => kind === "overrides";
  return { sources: [...sources.filter(isOverride), ...sources.filter((source) => !isOverride(source))] };
}

/** Whether a file is unchanged since it was read. */
export async function isAsRead(file: GeoFile): Promise<boolean> {
  const { mtimeMs, size, ino } = await named(file.path, () => stat(file.path));
  return mtimeMs === file.modified && size === file.size && ino === file.inode;
}

async function loadFile(path: string): Promise<GeoSource> {
  const { octets, file } = await named(path, () => readWhole(path));
  return { ...(await parse(octets, path)), file };
}

/** Reads a file's octets, and its attributes at the same time. */
async function readWhole(path: string): Promise<{ octets: Buffer; file: GeoFile }> {
  await using handle = await open(path);
  const { mtimeMs, size, ino } = await handle.stat();
  const octets = await handle.readFile();
  if (octets.length !== size) throw invalid("the file changed while it was read");
  return { octets, file: { path, modified: mtimeMs, size, inode: ino } };
}

async function parse(octets: Buffer, path: string): Promise<ParsedGeo> {
  if (path.endsWith(".mmdb") || isMmdb(octets)) return named(path, async () => parseMmdb(octets));
  if (octets.includes(0) || octets.length > longestText) {
    throw invalid(`${path}: neither a MaxMind DB nor a text file of at most ${longestText} octets (is it compressed?)`);
  }
  const text = octets.toString("utf8").replace(/^\uFEFF/, "");
  if (path.endsWith(".json") || /^\s*[{[]/.test(text)) return parseJsonOverrides(text, path);
  const [first] = rowsOf(text, path);
  return first !== undefined && isOverrideTable(first) ? parseOverrides(text, path) : parseRanges(text, path);
}

/** Runs `run`; errors become Problems with the path as prefix. */
async function named<Result>(path: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw invalid(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
