/** The zones of an edge: applies baselines and change sets to the zone image. */
import type { ImageShare } from "../../answer/image/memory/share.ts";
import { type ImageStats, ImageWriter } from "../../answer/image/writer/writer.ts";
import type { Log } from "../../lib/log.ts";
import { dropMemory, sharedMemory } from "../../net/socket/pages.ts";
import { type Baseline, type ChangeSet, type Follower, type ServedNetworks, zoneServed } from "../../sync/change.ts";
import { StreamBroken } from "../../sync/subscription.ts";
import { Backlog, type Group } from "./backlog.ts";
import { Building } from "./building.ts";
import { FormerDigests } from "./former-digests.ts";
import { Growth } from "./growth.ts";
import { MemoryBudget } from "./memory-budget.ts";
import { type DataFault, Quarantine, type Quarantined } from "./quarantine.ts";
import { isContents, nameOf, stage, zoneOf } from "./staging.ts";

const noImage: ImageStats = { zones: 0, records: 0, octets: 0, free: 0, waiting: 0, emptied: 0 };

export interface StateOptions {
  /** Networks whose zones are answered; all when left out. */
  readonly networks?: ServedNetworks;
  /** Octets that the image may use; no limit when left out. */
  readonly memoryLimit?: number | undefined;
  readonly log: Log;
  /** Awaited between slices of long work. */
  readonly rest?: () => Promise<void>;
  /** Called with a new, complete image to answer from. */
  readonly onImage: (share: ImageShare) => void;
  /** Called after changes to the current image. */
  readonly onApplied?: () => void;
  /** Called when the memory of the current image has grown. */
  readonly onGrow: (share: ImageShare) => void;
}

/** Maximum number of steps in waiting sets; no further sets are accepted above it. */
export const mostWaiting = 100_000;

/**
 * Applies the change stream. A record that cannot be served is logged and left out, so that it never delays other
 * records; its former answers stay.
 */
export class EdgeState implements Follower {
  /** Zones and records that were left out since the start. */
  refused = 0;
  readonly quarantine: Quarantine;
  readonly memory: MemoryBudget;
  #image: ImageWriter | undefined;
  /** The last accepted revision; undefined before the first baseline. */
  #taken: number | undefined;
  readonly #backlog = new Backlog();
  readonly #building: Building;
  /** Set when a waiting set can never be applied. */
  #failure: { readonly error: unknown } | undefined;
  /** Settled when a waiting set has made progress or has failed. */
  #progress = Promise.withResolvers<void>();
  #awaitsMemory = false;
  /** Baselines that were taken. */
  baselines = 0;
  readonly #former = new FormerDigests();
  /** Ids of zones that are on purpose not as the store has them, until the next baseline. */
  readonly #different = new Set<string>();
  /** Aborted when another image is about to replace this one. */
  #givenUp = new AbortController();
  readonly #options: StateOptions;
  readonly #served: ServedNetworks;

  constructor(options: StateOptions) {
    this.#options = options;
    this.#served = options.networks ?? "all";
    this.quarantine = new Quarantine(options.log);
    this.memory = new MemoryBudget(options.memoryLimit ?? 0, options.log);
    this.#building = new Building({
      memory: this.memory,
      rest: options.rest,
      attempt: (what, run) => this.#attempt(what, run),
      onBuilt: () => this.#continue(),
      onFailed: (error) => this.#fail(error),
    });
  }

  /** The revision up to which everything is applied; undefined before the first baseline. */
  get revision(): number | undefined {
    return this.#backlog.before() ?? this.#taken;
  }

  /** Number of waiting change sets. */
  get waiting(): number {
    return this.#backlog.size;
  }

  /** The image in use, for a worker that starts. */
  share(): ImageShare | undefined {
    return this.#image?.share();
  }

  /** The current image; to be read only synchronously, within one turn of the event loop. */
  image(): ImageWriter | undefined {
    return this.#image;
  }

  /** The image for a snapshot; undefined while sets wait, because the image may contain later sets. */
  imageForSnapshot(): ImageWriter | undefined {
    return this.#backlog.before() === undefined ? this.#image : undefined;
  }

  /** Continues with an image of this revision. */
  restore(image: ImageWriter, revision: number, quarantined: readonly Quarantined[] = []): void {
    image.onGrow(this.#options.onGrow);
    this.quarantine.restore(quarantined);
    this.#image = image;
    this.#taken = revision;
    this.#former.clear(revision);
    for (const { zoneId } of quarantined) this.#different.add(zoneId);
  }

  stats(): ImageStats {
    return this.#image?.stats() ?? noImage;
  }

  /** Builds a new image; until it is complete, queries are answered from the previous one. */
  async start(baseline: Baseline): Promise<void> {
    this.#givenUp.abort();
    const image = ImageWriter.create({ makeMemory: sharedMemory, dropMemory });
    const { revision } = baseline;
    const served = this.#served;
    const refused = new Set<string>();
    for await (const zones of baseline.zones()) {
      for (const { zone, serial } of zones) {
        const put = () => image.putZone(zoneServed(zone, served), serial);
        if (!this.#attempt({ revision, zone: zone.zone }, put)) refused.add(zone.id);
      }
      image.commit();
      await this.memory.wait(image);
    }
    for await (const records of baseline.records()) {
      for (const record of records) {
        this.#attempt({ revision, domain: record.domain, type: record.type }, () => image.putRecord(record));
      }
      image.commit();
      await this.memory.wait(image);
    }
    image.onGrow(this.#options.onGrow);
    this.quarantine.clear();
    this.#givenUp = new AbortController();
    this.#backlog.clear();
    this.#building.clear();
    this.#failure = undefined;
    this.#image = image;
    this.#taken = revision;
    this.#former.clear(revision);
    this.#different.clear();
    for (const id of refused) this.#different.add(id);
    this.baselines++;
    this.#options.onImage(image.share());
  }

  /**
   * Sets that can be applied become visible together, each as a whole. A set with zone contents waits until these are
   * built, a set that would grow an image at its memory limit waits until memory is free, and a set waits behind
   * waiting sets of the same zone.
   */
  apply(sets: readonly ChangeSet[]): Promise<void> | void {
    const image = this.#image;
    if (!image) throw new Error("change sets came before a baseline");
    if (this.#backlog.steps >= mostWaiting) return this.#progress.promise.then(() => this.apply(sets));
    const hasMemory = this.memory.allows(image);
    for (const set of sets) {
      if (this.#backlog.holdsUp(image, set) || set.changes.some(isContents)) this.#wait(image, set);
      else if (hasMemory || growthOf(image, set) <= 0) this.#stage(image, set);
      else this.#wait(image, set);
      this.#taken = set.revision;
    }
    this.#release(image);
  }

  /** Returns `revision`; throws when a waiting set cannot be applied: a baseline is needed. */
  applied(): number | undefined {
    if (this.#failure) throw this.#failure.error;
    return this.revision;
  }

  /**
   * The digest that a zone had at a revision, which must be applied; null if there was no such zone. Undefined if it is
   * not known, or if the zone is on purpose not as the store has it.
   */
  digestAt(zoneId: string, revision: number): number | null | undefined {
    if (this.#different.has(zoneId)) return undefined;
    return this.#former.digestAt(zoneId, revision, () => this.#image?.digestOf(zoneId) ?? null);
  }

  /** The number of zones at a revision, which must be applied; undefined if it is not known. */
  zonesAt(revision: number): number | undefined {
    return this.#different.size > 0 ? undefined : this.#former.zonesAt(revision, () => this.stats().zones);
  }

  /** Gives up the image, which answers until a baseline replaces it. */
  giveUp(reason: string): void {
    this.#fail(new StreamBroken(reason));
  }

  #wait(image: ImageWriter, set: ChangeSet): void {
    this.#backlog.add(image, set);
    for (const change of set.changes) {
      if (change.kind === "zone_removed" || isContents(change)) this.#building.drop(image, change.zone_id);
      if (!isContents(change) || set.serials[change.zone_id] === undefined) continue;
      if (!set.parts) throw new Error("contents of a zone came without a way to fetch them");
      const order = { change, revision: set.revision, parts: set.parts(change.load) };
      this.#building.begin(image, order, this.#givenUp.signal);
    }
  }

  #continue(): void {
    if (this.#image && !this.#givenUp.signal.aborted) this.#release(this.#image);
  }

  /** Applies the sets that no longer have to wait, and makes all staged changes visible. */
  #release(image: ImageWriter): void {
    let lacksMemory = false;
    for (const group of this.#backlog.groups()) {
      if (!this.#isBuilt(group)) continue;
      if (!this.memory.allows(image) && group.growth() > 0) {
        lacksMemory = true;
        continue;
      }
      for (const set of group.sets) this.#stage(image, set);
      this.#backlog.remove(group);
    }
    image.commit();
    this.#options.onApplied?.();
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
    if (lacksMemory) void this.#awaitMemory(image);
  }

  #isBuilt({ sets }: Group): boolean {
    return sets.every(({ changes }) => changes.every((change) => !isContents(change) || this.#building.isDone(change)));
  }

  async #awaitMemory(image: ImageWriter): Promise<void> {
    if (this.#awaitsMemory) return;
    this.#awaitsMemory = true;
    const { signal } = this.#givenUp;
    const hasMemory = await this.memory.wait(image, signal).then(
      () => true,
      (error) => {
        if (!signal.aborted) this.#fail(error);
        return false;
      },
    );
    this.#awaitsMemory = false;
    if (hasMemory) this.#continue();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#progress.promise.catch(() => {});
    this.#progress.reject(error);
  }

  #stage(image: ImageWriter, set: ChangeSet): void {
    this.#former.note(image, set);
    this.quarantine.reopen(image, set);
    for (const change of set.changes) {
      this.#attempt({ revision: set.revision, ...nameOf(change) }, () =>
        this.quarantine.note(image, change, set.revision),
      );
      const isStaged = this.#attempt({ revision: set.revision, ...nameOf(change) }, () =>
        stage(image, change, set.serials, { building: this.#building, served: this.#served }),
      );
      if (!isStaged) this.#different.add(zoneOf(change));
    }
    for (const [zoneId, serial] of Object.entries(set.serials)) image.setSerial(zoneId, serial);
  }

  /** Reacts to data in the image that made a worker fail. */
  fault(fault: DataFault): void {
    const image = this.#image;
    const zone = image?.zoneAt(fault.data);
    if (zone) this.#different.add(zone.id);
    if (image) this.#attempt({ ...fault }, () => this.quarantine.fault(image, fault) && image.commit());
  }

  #attempt(what: object, run: () => void): boolean {
    try {
      run();
      return true;
    } catch (error) {
      this.refused++;
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log.error({ ...what, reason }, "a zone or record cannot be served and was left out");
      return false;
    }
  }
}

function growthOf(image: ImageWriter, set: ChangeSet): number {
  const growth = new Growth(image);
  growth.add(set);
  return growth.octets;
}
