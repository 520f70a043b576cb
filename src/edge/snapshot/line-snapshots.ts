/** Snapshots of a value as lines of JSON: a head with the format, data, and a checksum. The previous file is kept. */
import { mkdirSync, readFileSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import type { Log } from "../../lib/log.ts";
import { previousOf, putInPlace, type SnapshotFiles, snapshotFiles } from "./names.ts";

/** The conversion of a value to lines and back. */
export interface LineFormat<In, Out = In> {
  /** Name of the file. */
  readonly name: string;
  /** Name of the value in log messages. */
  readonly what: string;
  /** Changed when an older reader would misread the lines. */
  readonly format: number;
  /** The fields of the first line besides the format. */
  head(value: In): object;
  /** The values of the lines after the first. */
  lines(value: In): Iterable<unknown>;
  /** Restores a value. Checksum and format were verified, so the input is exactly as it was written. */
  parse(head: unknown, lines: readonly unknown[]): Out;
  /** The same for earlier formats. */
  readonly earlier?: Readonly<Record<number, (head: never, lines: readonly never[]) => Out>>;
}

const linesAtOnce = 200;

export class LineSnapshots<In, Out = In> {
  /** Snapshots that could not be written since the start. */
  failures = 0;
  readonly #format: LineFormat<In, Out>;
  readonly #files: SnapshotFiles;
  readonly #log: Log;

  constructor(format: LineFormat<In, Out>, directory: string, log: Log) {
    this.#format = format;
    this.#files = snapshotFiles(directory, format.name);
    this.#log = log;
  }

  /** The newest readable snapshot, otherwise the previous one; undefined when there is none. */
  read(): Out | undefined {
    const { newest } = this.#files;
    for (const path of [newest, previousOf(newest)]) {
      try {
        return parse(this.#format, readFileSync(path));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
        this.#log.error({ path, reason: reasonOf(error) }, `a snapshot of ${this.#format.what} cannot be used`);
      }
    }
    return undefined;
  }

  /** Never rejects: failures are logged and counted. Resolves with whether a snapshot was written. */
  async write(value: In): Promise<boolean> {
    const { writing } = this.#files;
    try {
      mkdirSync(dirname(writing), { recursive: true, mode: 0o700 });
      await writeLines(writing, linesOf(this.#format, value));
      putInPlace(this.#files);
      return true;
    } catch (error) {
      this.failures++;
      this.#log.error({ reason: reasonOf(error) }, `a snapshot of ${this.#format.what} could not be written`);
      // if the file cannot be removed, the next snapshot overwrites it
      await rm(writing, { force: true }).catch(() => {});
      return false;
    }
  }
}

function* linesOf<In>(kind: LineFormat<In, unknown>, value: In): Iterable<unknown> {
  yield { [markOf(kind)]: kind.format, ...kind.head(value) };
  yield* kind.lines(value);
}

async function writeLines(path: string, lines: Iterable<unknown>): Promise<void> {
  const file = await open(path, "w", 0o600);
  let sum = 0;
  const write = async (batch: readonly unknown[]) => {
    const octets = Buffer.from(batch.map((line) => `${JSON.stringify(line)}\n`).join(""));
    sum = crc32(octets, sum);
    await file.writeFile(octets);
  };
  try {
    let batch: unknown[] = [];
    for (const line of lines) {
      if (batch.push(line) < linesAtOnce) continue;
      await write(batch);
      batch = [];
    }
    await write(batch);
    await file.writeFile(endOf(sum));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Throws an Error with the reason when the octets are not a valid snapshot. */
function parse<Out>(kind: LineFormat<never, Out>, octets: Buffer): Out {
  const end = octets.lastIndexOf("\n", -2) + 1;
  if (octets.toString("latin1", end) !== endOf(crc32(octets.subarray(0, end)))) throw new Error("it is damaged");
  const text = octets.toString("utf8", 0, end - 1);
  const [head, ...lines] = text.split("\n").map((line) => JSON.parse(line));
  const format = head[markOf(kind)];
  if (format === undefined) throw new Error("it is not a snapshot that this version can read");
  const read = format === kind.format ? kind.parse : kind.earlier?.[format];
  if (!read) throw new Error(`it has format ${format}; this version reads ${kind.format}`);
  return read(head as never, lines as never[]);
}

/** Name of the field that contains the format, in the first line. */
const markOf = ({ name }: Pick<LineFormat<never, unknown>, "name">) => `fairlead_${name}`;

const endOf = (sum: number) => `{"crc32":${sum}}\n`;

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
