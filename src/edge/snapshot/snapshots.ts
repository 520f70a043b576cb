/** Snapshots of an edge's zones on disk: read at the start, written some time after a change. */
import { once } from "node:events";
import { isDeepStrictEqual } from "node:util";
import { Worker } from "node:worker_threads";
import { imageFormat } from "../../answer/image/memory/layout.ts";
import { ImageWriter } from "../../answer/image/writer/writer.ts";
import type { Log } from "../../lib/log.ts";
import { dropMemory, sharedMemory } from "../../net/socket/pages.ts";
import type { ServedNetworks } from "../../sync/change.ts";
import type { Position } from "../../sync/subscription.ts";
import type { Quarantined } from "../follow/quarantine.ts";
import { previousOf, type SnapshotFiles, snapshotFiles } from "./names.ts";
import { readSnapshot } from "./read.ts";
import type { SnapshotReply, SnapshotTask } from "./thread.ts";

export interface Restored extends Position {
  readonly image: ImageWriter;
  readonly quarantined: readonly Quarantined[];
  /** The image is of an earlier version: it can be answered, but not changed. */
  readonly isEarlier?: boolean;
}

/** The current image and its position; undefined before the first image. */
export type SnapshotSource = () => (Position & Pick<Restored, "image"> & Partial<Restored>) | undefined;

/** Rounds that copy the chunks changed during the round before; chunks changed since are then copied in one piece. */
const mostRounds = 6;
/** Chunks that are few enough to be copied in one piece: 4 MB take about a millisecond. */
const fewChunks = 256;

export class Snapshots {
  /** Position of the newest snapshot that was read or written. */
  last: Position | undefined;
  /** Snapshots that could not be written since the start. */
  failures = 0;
  /** Snapshots that could not be read at the start. */
  faults = 0;
  /** The newest snapshot on disk cannot be read: it has to be replaced. */
  isDamaged = false;
  readonly #files: SnapshotFiles;
  readonly #networks: ServedNetworks;
  readonly #log: Log;

  constructor(directory: string, networks: ServedNetworks, log: Log) {
    this.#files = snapshotFiles(directory, "zones");
    this.#networks = networks;
    this.#log = log;
  }

  /** The newest readable snapshot, otherwise the previous one; undefined when there is none. */
  restore(): Restored | undefined {
    const { newest } = this.#files;
    for (const path of [newest, previousOf(newest)]) {
      try {
        const { state, regions, octets } = readSnapshot(path, sharedMemory);
        if (!isDeepStrictEqual(state.networks, this.#networks)) throw new Error("it answers for other networks");
        const image = ImageWriter.restore({ state: state.image, regions }, { makeMemory: sharedMemory, dropMemory });
        const { revision, mark, store, currentAt } = state;
        this.last = { revision, mark, store, currentAt };
        this.#log.debug({ path, revision, octets, records: state.image.records }, "read a snapshot of the zones");
        const isEarlier = state.image.format !== imageFormat || state.image.sums === undefined;
        return { ...this.last, image, quarantined: state.quarantined, isEarlier };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
        this.faults++;
        this.isDamaged = true;
        this.#log.error({ path, reason: reasonOf(error) }, "a snapshot of the zones cannot be used");
      }
    }
    return undefined;
  }

  /** Never rejects: failures are logged and counted. Resolves with whether a snapshot was written. */
  async write(source: SnapshotSource): Promise<boolean> {
    const thread = new Worker(entry, { workerData: { files: this.#files }, name: "snapshot" });
    try {
      for (;;) {
        const written = await this.#attempt(thread, source);
        if (written === "again") continue;
        if (written) {
          this.last = written;
          this.isDamaged = false;
        }
        return written !== undefined;
      }
    } catch (error) {
      this.failures++;
      this.#log.error({ reason: reasonOf(error) }, "a snapshot of the zones could not be written");
      return false;
    } finally {
      await thread.terminate();
    }
  }

  /** Returns "again" when the image was replaced during the attempt, and undefined when there is no image. */
  async #attempt(thread: Worker, source: SnapshotSource): Promise<Position | "again" | undefined> {
    const begun = source();
    if (!begun) return undefined;
    const copy = begun.image.copy();
    try {
      for (let round = 0; round < mostRounds && copy.waiting() > fewChunks; round++) {
        await run(thread, { kind: "copy", regions: copy.regions(), chunks: copy.take() });
      }
      // nothing can change from here until the task is posted
      const now = source();
      const last = now?.image === begun.image ? copy.finish() : undefined;
      if (!now || !last) return "again";
      const { revision, mark, store, currentAt, quarantined = [] } = now;
      const { chunks, octets } = last;
      const state = { revision, mark, store, currentAt, networks: this.#networks, quarantined, image: last.state };
      copy.end();
      await run(thread, { kind: "finish", regions: copy.regions(), chunks, octets, state });
      return { revision, mark, store, currentAt };
    } finally {
      copy.end();
    }
  }
}

async function run(thread: Worker, task: SnapshotTask): Promise<void> {
  const failed = new AbortController();
  // a thread that throws emits an error, which `once` rejects with
  const replied = once(thread, "message", { signal: failed.signal });
  const exited = once(thread, "exit", { signal: failed.signal }).then(() => {
    throw new Error("its thread has ended");
  });
  try {
    thread.postMessage(task);
    const [reply]: SnapshotReply[] = (await Promise.race([replied, exited])) as SnapshotReply[];
    if (reply?.kind === "failed") throw new Error(reply.reason);
  } finally {
    failed.abort();
    await Promise.allSettled([replied, exited]);
  }
}

const entry = new URL("./thread.ts", import.meta.url);

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
