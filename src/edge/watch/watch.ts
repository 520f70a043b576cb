/**
 * Compares the zones in memory with the store: control reads all zones in turn and stores their digests. After a
 * difference, which should never be, everything is read from the store again.
 */
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";
import type { AboutEdge, DigestBatch, Digests, EdgeReport, Site } from "../../sync/site.ts";
import type { EdgeState } from "../follow/state.ts";
import { Differed } from "./differed.ts";

export interface WatchOptions {
  readonly site: Pick<Site, "digests" | "reasonOf">;
  /** Name of this edge at its site. */
  readonly id: string;
  readonly zones: EdgeState;
  /** Goes with each report. */
  readonly about: () => AboutEdge;
  /** Milliseconds between two looks for new digests. */
  readonly every?: number | undefined;
  readonly log: Log;
}

/** What the comparisons found, for display. */
export interface WatchStatus {
  /** Comparisons since the start. */
  readonly compared: number;
  /** Differences since the start. */
  readonly differences: number;
  /** The first zones that differ now: until everything has been read again. */
  readonly differing: readonly string[];
}

const defaultEvery = 30_000;
/** Milliseconds for which a zone does not cause another reading of everything: a difference that comes back has another cause. */
const renewEvery = 60 * 60_000;
/** Maximum zones in a status. */
const mostShown = 20;

export class Watch {
  readonly #options: WatchOptions;
  readonly #loop: Loop;
  #compared = 0;
  #differences = 0;
  /** Names by id. */
  readonly #differing = new Map<string, string>();
  /** The last batch that was compared; undefined for an image that no batch is known to be later than. */
  #last: number | undefined;
  /** The number up to which batches were not compared with the current image. */
  #since = 0;
  readonly #differed = new Differed();
  /** The number of baselines before the current image. */
  #baselines = -1;
  /** Ids of zones that have caused a reading of everything, and when the last one was. */
  readonly #causes = new Set<string>();
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(options: WatchOptions) {
    this.#options = options;
    const { log, site, every = defaultEvery } = options;
    this.#loop = loop({
      turn: () => this.#turn(),
      every,
      complain: (error) => log.warn({ reason: site.reasonOf(error) }, "zones cannot be compared with the store"),
    });
  }

  status(): WatchStatus {
    const differing = [...this.#differing.values()].slice(0, mostShown);
    return { compared: this.#compared, differences: this.#differences, differing };
  }

  /** The number of zones that differ now. */
  get differing(): number {
    return this.#differing.size;
  }

  /** Compares now: somebody waits for it. */
  wake(): void {
    this.#loop.wake();
  }

  async close(): Promise<void> {
    await this.#loop.close();
  }

  async #turn(): Promise<void> {
    const { site, zones, id } = this.#options;
    const { baselines, revision } = zones;
    if (revision === undefined) return;
    if (baselines !== this.#baselines) {
      this.#baselines = baselines;
      this.#last = undefined;
      this.#differing.clear();
    }
    try {
      await site.digests(id, this.#last, (digests) =>
        zones.baselines === baselines ? this.#compareAll(digests, revision) : undefined,
      );
    } finally {
      if (zones.baselines === baselines && this.#differing.size > 0) this.#renew();
    }
  }

  #compareAll({ last, batches }: Digests, revision: number): EdgeReport {
    // a baseline has changes without numbers, which zones read before it may lack
    if (this.#last === undefined || last < this.#last) this.#since = this.#last = last;
    else for (const batch of batches) if (!this.#compare(batch)) break;
    const differing = this.#differed.names(mostShown);
    return {
      comparison: { revision, since: this.#since, compared: this.#last, differing },
      about: this.#options.about(),
    };
  }

  /** Returns false if the edge does not have all changes of the batch yet. */
  #compare(batch: DigestBatch): boolean {
    const { zones } = this.#options;
    const { number, revision, total } = batch;
    if (zones.revision === undefined || zones.revision < revision) return false;
    for (const [id, digest] of Object.entries(batch.zones)) {
      const own = zones.digestAt(id, revision);
      if (own === undefined) continue;
      this.#compared++;
      this.#note(id, zones.image()?.zoneOf(id)?.zone ?? id, { isEqual: own === digest, revision });
    }
    const count = total === null ? undefined : zones.zonesAt(revision);
    if (count !== undefined) {
      this.#note("", `${count} zones instead of ${total}`, { isEqual: count === total, revision });
    }
    if (total !== null) this.#differed.endRound();
    this.#last = number;
    return true;
  }

  #note(id: string, zone: string, { isEqual, revision }: { isEqual: boolean; revision: number }): void {
    this.#differed.note(id, zone, isEqual);
    if (!isEqual) this.#differs(id, zone, revision);
  }

  #differs(id: string, zone: string, revision: number): void {
    if (this.#differing.has(id)) return;
    this.#differing.set(id, zone);
    this.#differences++;
    this.#options.log.error({ zone, zone_id: id, revision }, "a zone is not answered as the store has it");
  }

  #renew(): void {
    const now = performance.now();
    if (now - this.#renewedAt > renewEvery) this.#causes.clear();
    const fresh = [...this.#differing].filter(([id]) => !this.#causes.has(id));
    if (fresh.length === 0) return;
    for (const [id] of fresh) this.#causes.add(id);
    this.#renewedAt = now;
    const names = fresh.slice(0, mostShown).map(([, name]) => name);
    this.#options.zones.giveUp(`not as the store has it: ${names.join(", ")}`);
  }
}
