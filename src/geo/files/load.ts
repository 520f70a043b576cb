/** Reads geo files, recognises what they are, and reads those again that have changed. */
import { open, stat } from "node:fs/promises";
import { invalid } from "../../lib/problem.ts";
import type { GeoData, GeoFile, GeoSource, ParsedGeo } from "../facts/data.ts";
import { isMmdb, parseMmdb } from "./mmdb.ts";
import { isOverrideTable, parseJsonOverrides, parseOverrides } from "./overrides.ts";
import { parseRanges } from "./ranges.ts";
import { rowsOf } from "./rows.ts";

/** Text beyond this does not fit into a string of the runtime. */
const longestText = 2 ** 28;

/**
 * Reads all files, in the order of precedence that they are given in; overrides come before the others all the same.
 * Throws a Problem that names the file, and in text files the line. Parsing is not interrupted, and takes seconds for each
 * million networks.
 */
export async function loadGeo(paths: readonly string[]): Promise<GeoData> {
  const sources: GeoSource[] = [];
  for (const path of paths) sources.push(await loadFile(path));
  return inOrder(paths, sources);
}

/**
 * Reads the files again whose time, size or inode is another. Returns the same object when there is none. Throws as
 * `loadGeo` does; the data at hand stay good.
 */
export async function reloadGeo(data: GeoData): Promise<GeoData> {
  const sources: GeoSource[] = [];
  for (const path of data.paths) {
    const source = data.sources.find(({ file }) => file.path === path);
    sources.push(source && (await isAsRead(source.file)) ? source : await loadFile(path));
  }
  return sources.every((source) => data.sources.includes(source)) ? data : inOrder(data.paths, sources);
}

const inOrder = (paths: readonly string[], sources: readonly GeoSource[]): GeoData => ({
  paths,
  sources: [
    ...sources.filter(({ kind }) => kind === "overrides"),
    ...sources.filter(({ kind }) => kind !== "overrides"),
  ],
});

/** Whether a file is the one that was read, by its marks. */
export async function isAsRead(file: GeoFile): Promise<boolean> {
  const { mtimeMs, size, ino } = await named(file.path, () => stat(file.path));
  return mtimeMs === file.modified && size === file.size && ino === file.inode;
}

async function loadFile(path: string): Promise<GeoSource> {
  const { octets, file } = await named(path, () => readWhole(path));
  return { ...parse(octets, path), file };
}

/** A file's octets, and its marks of the same moment. */
async function readWhole(path: string): Promise<{ octets: Buffer; file: GeoFile }> {
  await using handle = await open(path);
  const { mtimeMs, size, ino } = await handle.stat();
  const octets = await handle.readFile();
  if (octets.length !== size) throw invalid("it changed while it was read");
  return { octets, file: { path, modified: mtimeMs, size, inode: ino } };
}

function parse(octets: Buffer, path: string): ParsedGeo {
  if (path.endsWith(".mmdb") || isMmdb(octets)) return namedSync(path, () => parseMmdb(octets));
  if (octets.includes(0) || octets.length > longestText) {
    throw invalid(`${path}: neither a MaxMind DB nor a text file of up to ${longestText} octets (is it compressed?)`);
  }
  const text = octets.toString("utf8").replace(/^\uFEFF/, "");
  if (path.endsWith(".json") || /^\s*[{[]/.test(text)) return parseJsonOverrides(text, path);
  const [first] = rowsOf(text, path);
  const isOverrides = first !== undefined && isOverrideTable(first);
  return isOverrides ? parseOverrides(rowsOf(text, path), path) : parseRanges(rowsOf(text, path), path);
}

/** Runs `run`; what goes wrong is a Problem with the path in front. */
async function named<Result>(path: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw refusal(path, error);
  }
}

function namedSync<Result>(path: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw refusal(path, error);
  }
}

const refusal = (path: string, error: unknown) =>
  invalid(`${path}: ${error instanceof Error ? error.message : String(error)}`);
