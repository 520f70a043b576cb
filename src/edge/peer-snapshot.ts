/** Keeps keys and partners of zones on disk, as the store has them: secrets are sealed. A line of JSON, and one that checks it. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import type { Log } from "../lib/log.ts";
import type { PeerRows } from "../sync/peers-postgres.ts";
import { previousOf, putInPlace, type SnapshotFiles, snapshotFiles } from "./snapshot-names.ts";

/** Changed when an older reader would misread the line. */
const format = 1;

export class PeerSnapshots {
  /** Snapshots that could not be written since the start. */
  failures = 0;
  readonly #files: SnapshotFiles;
  readonly #log: Log;

  constructor(directory: string, log: Log) {
    this.#files = snapshotFiles(directory, "partners");
    this.#log = log;
  }

  /** The newest good snapshot, else the one before; undefined when there is none. */
  read(): PeerRows | undefined {
    const { newest } = this.#files;
    for (const path of [newest, previousOf(newest)]) {
      try {
        return parse(readFileSync(path));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
        this.#log.error({ path, reason: reasonOf(error) }, "a snapshot of keys and partners cannot be used");
      }
    }
    return undefined;
  }

  /** Never rejects: what fails is logged and counted. Resolves with whether there is a new snapshot. */
  async write(rows: PeerRows): Promise<boolean> {
    const { writing } = this.#files;
    try {
      mkdirSync(dirname(writing), { recursive: true, mode: 0o700 });
      const octets = Buffer.from(`${JSON.stringify({ format, ...rows })}\n`);
      const file = await open(writing, "w", 0o600);
      try {
        await file.writeFile(Buffer.concat([octets, Buffer.from(endOf(octets))]));
        await file.sync();
      } finally {
        await file.close();
      }
      putInPlace(this.#files);
      return true;
    } catch (error) {
      this.failures++;
      this.#log.error({ reason: reasonOf(error) }, "a snapshot of keys and partners could not be written");
      rmSync(writing, { force: true });
      return false;
    }
  }
}

/** Throws an Error that says what is wrong with the octets. */
function parse(octets: Buffer): PeerRows {
  const end = octets.lastIndexOf("\n", -2) + 1;
  const line = octets.subarray(0, end);
  if (octets.toString("latin1", end) !== endOf(line)) throw new Error("it is damaged");
  const { format: found, keys, zones } = JSON.parse(line.toString());
  if (found !== format) throw new Error(`it has format ${found}; this version reads ${format}`);
  return { keys, zones };
}

const endOf = (octets: Buffer) => `{"crc32":${crc32(octets)}}\n`;

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
