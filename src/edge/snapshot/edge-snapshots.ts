/** The snapshots of an edge on disk, from which it answers at once when it starts, with or without its store. */
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";
import type { ServedNetworks } from "../../sync/change.ts";
import type { SealedPeers } from "../../sync/sealed-peers.ts";
import type { PeersFollowing } from "../../sync/site.ts";
import type { Position } from "../../sync/subscription.ts";
import type { LiveFollowing } from "../follow/live-following.ts";
import type { EdgeState } from "../follow/state.ts";
import { LineSnapshots } from "./line-snapshots.ts";
import { liveLines } from "./live-snapshot.ts";
import { removeUnfinished } from "./names.ts";
import { partnerLines } from "./partner-snapshot.ts";
import { Snapshots } from "./snapshots.ts";

export interface SnapshotOptions {
  readonly directory: string;
  /** Minimum milliseconds between two snapshots. */
  readonly every?: number;
  /** Networks whose zones the edge answers. */
  readonly networks: ServedNetworks;
  readonly log: Log;
}

/** State of the newest snapshot of the zones. */
export interface SnapshotStatus {
  /** 0 before the first snapshot. */
  readonly revision: number;
  /** Milliseconds since the snapshot's contents were known to be current; null before the first snapshot. */
  readonly age: number | null;
  /** Snapshots that could not be written since the start. */
  readonly failures: number;
  /** Snapshots that could not be read at the start. */
  readonly faults: number;
}

const defaultEvery = 30_000;
/** Writes take at most this share of the time. */
const share = 1 / 20;
const checkEvery = 5000;

/** The data that the snapshots contain. */
interface Followed {
  readonly state: EdgeState;
  readonly feeds: LiveFollowing;
  readonly partners: Pick<PeersFollowing, "rows">;
  /** Position of the zones; undefined before the first baseline. */
  readonly position: () => Position | undefined;
}

export class EdgeSnapshots {
  readonly #snapshots: Snapshots;
  readonly #values;
  readonly #partners;
  readonly #every: number;
  readonly #log: Log;
  /** Version of the quarantine in the newest snapshot of zones. */
  #writtenQuarantine = 0;
  /** Position of the newest snapshot of values. */
  #writtenValues: Position | undefined;
  #writtenPartners: SealedPeers | undefined;
  #loop: Loop | undefined;
  /** Earliest times of the next writes: of zones and values, and of partners. */
  #next = 0;
  #partnersNext = 0;
  /** Settles with the last requested write. */
  #queue: Promise<unknown> = Promise.resolve();
  #followed: Followed | undefined;

  constructor({ directory, every = defaultEvery, networks, log }: SnapshotOptions) {
    this.#snapshots = new Snapshots(directory, networks, log);
    this.#values = new LineSnapshots(liveLines, directory, log);
    this.#partners = new LineSnapshots(partnerLines, directory, log);
    this.#every = every;
    this.#log = log;
    removeUnfinished(directory);
  }

  restoreZones() {
    return this.#snapshots.restore();
  }

  restoreValues() {
    const restored = this.#values.read();
    this.#writtenValues = restored?.position;
    return restored;
  }

  restorePartners() {
    this.#writtenPartners = this.#partners.read();
    return this.#writtenPartners;
  }

  /** Writes changes from now on. */
  start(followed: Followed): void {
    this.#followed = followed;
    const every = Math.min(checkEvery, this.#every);
    this.#loop = loop({
      turn: (signal) => this.#turn(followed, signal),
      every,
      first: every,
      complain: (error) => this.#log.error({ reason: String(error) }, "snapshots cannot be written; trying again"),
    });
  }

  status(): SnapshotStatus {
    const { last, failures, faults } = this.#snapshots;
    const now = this.#followed?.position();
    const currentAt = now && now.revision === last?.revision ? now.currentAt : last?.currentAt;
    return {
      revision: last?.revision ?? 0,
      age: last && currentAt !== undefined ? Math.max(0, Date.now() - currentAt) : null,
      failures: failures + this.#values.failures + this.#partners.failures,
      faults,
    };
  }

  /** Writes the changes since the last time. */
  async write(): Promise<void> {
    if (!this.#followed) return;
    void this.#writePartners(this.#followed);
    await this.#write(this.#followed);
  }

  /** Writes nothing from now on: another edge uses the directory. */
  abandon(): void {
    void this.#loop?.close();
    this.#followed = undefined;
  }

  /** Writes the changes since the last time, and ends. */
  async close(): Promise<void> {
    await this.#loop?.close();
    await this.write();
  }

  async #turn(followed: Followed, signal: AbortSignal): Promise<void> {
    if (performance.now() >= this.#partnersNext) {
      await this.#writePartners(followed);
      this.#partnersNext = performance.now() + this.#every;
    }
    const began = performance.now();
    if (signal.aborted || began < this.#next || !(await this.#write(followed))) return;
    const ended = performance.now();
    this.#next = ended + Math.max(this.#every, (ended - began) / share);
  }

  /** Returns whether there was anything to write. Writes run one after another, because they use the same file. */
  #write(followed: Followed): Promise<boolean> {
    const write = this.#queue.then(() => this.#writeChanged(followed));
    this.#queue = write;
    return write;
  }

  async #writeChanged({ state, feeds, position }: Followed): Promise<boolean> {
    const zones = position();
    const { version } = state.quarantine;
    const { last, isDamaged } = this.#snapshots;
    const isCurrent = !isDamaged && isSame(zones, last) && version === this.#writtenQuarantine;
    const areZonesDue = zones !== undefined && !isCurrent;
    if (areZonesDue) {
      const isWritten = await this.#snapshots.write(() => {
        const image = state.imageForSnapshot();
        const now = position();
        return image && now ? { ...now, image, quarantined: state.quarantine.list() } : undefined;
      });
      if (isWritten) this.#writtenQuarantine = version;
    }
    const values = feeds.following.position();
    const areValuesDue = values !== undefined && !isSame(values, this.#writtenValues);
    if (areValuesDue && (await this.#writeValues(values, feeds))) this.#writtenValues = values;
    return areZonesDue || areValuesDue;
  }

  /** Without a store, an edge that starts from the values takes a baseline: the table lacks values. */
  #writeValues({ store, ...position }: Position, { live }: LiveFollowing): Promise<boolean> {
    const isWhole = live.stats().unserved === 0;
    return this.#values.write({ position: { ...position, store: isWhole ? store : undefined }, states: live.states() });
  }

  /** Queued with the other writes, and hardly delays them: the file is small. */
  #writePartners({ partners }: Followed): Promise<unknown> {
    this.#queue = this.#queue.then(async () => {
      const { rows } = partners;
      if (rows === undefined || rows === this.#writtenPartners) return;
      if (await this.#partners.write(rows)) this.#writtenPartners = rows;
    });
    return this.#queue;
  }
}

const isSame = (one: Position | undefined, other: Position | undefined) =>
  one?.revision === other?.revision && one?.mark === other?.mark && one?.store === other?.store;
