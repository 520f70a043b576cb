/** Keeps the values of feeds on disk: lines of JSON, the first says what they stand for, the last checks all others. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import type { FeedState } from "../answer/live/share.ts";
import type { Log } from "../lib/log.ts";
import type { Place } from "../sync/subscription.ts";
import { previousOf, putInPlace, type SnapshotFiles, snapshotFiles } from "./snapshot-names.ts";

/** Changed when an older reader would misread the lines. */
const format = 1;
const feedsAtOnce = 200;

export class LiveSnapshots {
  /** Snapshots that could not be written since the start. */
  failures = 0;
  readonly #files: SnapshotFiles;
  readonly #log: Log;

  constructor(directory: string, log: Log) {
    this.#files = snapshotFiles(directory, "values");
    this.#log = log;
  }

  /** The newest good snapshot, else the one before; undefined when there is none. */
  read(): { readonly place: Place; readonly states: readonly FeedState[] } | undefined {
    const { newest } = this.#files;
    for (const path of [newest, previousOf(newest)]) {
      try {
        return parse(readFileSync(path));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
        this.#log.error({ path, reason: reasonOf(error) }, "a snapshot of the feeds' values cannot be used");
      }
    }
    return undefined;
  }

  /**
   * Never rejects: what fails is logged and counted. Resolves with whether there is a new snapshot. Values may be newer
   * than `place` says: what is followed from there puts whole feeds again.
   */
  async write(place: Place, states: Iterable<FeedState>): Promise<boolean> {
    try {
      mkdirSync(dirname(this.#files.writing), { recursive: true, mode: 0o700 });
      await writeLines(this.#files.writing, place, states);
      putInPlace(this.#files);
      return true;
    } catch (error) {
      this.failures++;
      this.#log.error({ reason: reasonOf(error) }, "a snapshot of the feeds' values could not be written");
      rmSync(this.#files.writing, { force: true });
      return false;
    }
  }
}

async function writeLines(path: string, place: Place, states: Iterable<FeedState>): Promise<void> {
  const file = await open(path, "w", 0o600);
  let sum = 0;
  const write = async (lines: readonly unknown[]) => {
    const octets = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    sum = crc32(octets, sum);
    await file.writeFile(octets);
  };
  try {
    await write([{ format, ...place }]);
    let batch: FeedState[] = [];
    for (const state of states) {
      if (batch.push(state) < feedsAtOnce) continue;
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

/** Throws an Error that says what is wrong with the octets. */
function parse(octets: Buffer): { place: Place; states: FeedState[] } {
  const end = octets.lastIndexOf("\n", -2) + 1;
  if (octets.toString("latin1", end) !== endOf(crc32(octets.subarray(0, end)))) throw new Error("it is damaged");
  const [head, ...states] = octets
    .toString("utf8", 0, end - 1)
    .split("\n")
    .map((line) => JSON.parse(line));
  if (head.format !== format) throw new Error(`it has format ${head.format}; this version reads ${format}`);
  const { revision, store, currentAt } = head;
  return { place: { revision, store, currentAt }, states };
}

const endOf = (sum: number) => `{"crc32":${sum}}\n`;

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
