/** What an edge knows: takes baselines and change sets over into the zone image. */
import { setImmediate as turn } from "node:timers/promises";
import { plainRrset } from "../answer/image/rrset.ts";
import type { ImageShare } from "../answer/image/share.ts";
import { type ImageContents, type ImageStats, ImageWriter } from "../answer/image/writer.ts";
import type { Log } from "../lib/log.ts";
import { dropMemory, sharedMemory } from "../net/pages.ts";
import {
  type Baseline,
  type Change,
  type ChangeSet,
  type Follower,
  type ServedNetworks,
  type ZoneContents,
  zoneServed,
} from "../sync/change.ts";
import { readPart } from "../sync/contents.ts";
import { type DataFault, Quarantine, type Quarantined } from "./quarantine.ts";
import { Room } from "./room.ts";

const noImage: ImageStats = { zones: 0, records: 0, octets: 0, free: 0, waiting: 0, emptied: 0 };

export interface StateOptions {
  /** All when left out. */
  readonly networks?: ServedNetworks;
  /** Octets that the image may have; no limit when it is left out. */
  readonly memoryLimit?: number | undefined;
  readonly log: Log;
  /** Awaited between slices of long work. */
  readonly rest?: () => Promise<void>;
  /** There is another image to answer from; complete already. */
  readonly onImage: (share: ImageShare) => void;
  /** The image in use got more memory. */
  readonly onGrow: (share: ImageShare) => void;
}

/**
 * Follows the change stream. What cannot be served is logged and left out, so that one bad record never holds up the
 * others: whatever was served in its place before is served on.
 */
export class EdgeState implements Follower {
  /** Zones and records that were left out since the start. */
  refused = 0;
  /** Applied last; undefined before the first baseline. */
  revision: number | undefined;
  readonly quarantine: Quarantine;
  readonly room: Room;
  #image: ImageWriter | undefined;
  #building = false;
  readonly #options: StateOptions;
  readonly #served: ServedNetworks;

  constructor(options: StateOptions) {
    this.#options = options;
    this.#served = options.networks ?? "all";
    this.quarantine = new Quarantine(options.log);
    this.room = new Room(options.memoryLimit ?? 0, options.log);
  }

  /** The image in use, for a worker that starts. */
  share(): ImageShare | undefined {
    return this.#image?.share();
  }

  /**
   * For a snapshot: to be looked at only between two turns of the event loop. There is none while contents are built,
   * which nobody would find again in it.
   */
  image(): ImageWriter | undefined {
    return this.#building ? undefined : this.#image;
  }

  /** Goes on with an image that stands for this revision. */
  restore(image: ImageWriter, revision: number, quarantined: readonly Quarantined[] = []): void {
    image.onGrow(this.#options.onGrow);
    this.quarantine.restore(quarantined);
    this.#image = image;
    this.revision = revision;
  }

  stats(): ImageStats {
    return this.#image?.stats() ?? noImage;
  }

  /** Builds an image aside; until it is complete, queries are answered from the one before. */
  async start(baseline: Baseline): Promise<void> {
    const image = ImageWriter.create({ makeMemory: sharedMemory, dropMemory });
    const { revision } = baseline;
    const served = this.#served;
    for await (const zones of baseline.zones()) {
      for (const { zone, serial } of zones) {
        this.#guard({ revision, zone: zone.zone }, () => image.putZone(zoneServed(zone, served), serial));
      }
      image.commit();
      await this.room.wait(image);
    }
    for await (const records of baseline.records()) {
      for (const record of records) {
        this.#guard({ revision, domain: record.domain, type: record.type }, () => image.putRecord(record));
      }
      image.commit();
      await this.room.wait(image);
    }
    image.onGrow(this.#options.onGrow);
    this.quarantine.clear();
    this.#image = image;
    this.#building = false;
    this.revision = revision;
    this.#options.onImage(image.share());
  }

  /**
   * All of the sets become visible together, so each of them is seen whole. Contents of zones are built aside before.
   * Waits while there is no room.
   */
  apply(sets: readonly ChangeSet[]): Promise<void> | void {
    const image = this.#image;
    if (!image) throw new Error("change sets came before a baseline");
    if (!this.room.has(image)) return this.room.wait(image).then(() => this.apply(sets));
    if (!sets.some(({ changes }) => changes.some(isContents))) return this.#apply(image, sets, new Map());
    return this.#build(image, sets).then((built) => this.#apply(image, sets, built));
  }

  #apply(image: ImageWriter, sets: readonly ChangeSet[], built: Built): void {
    for (const set of sets) {
      this.quarantine.reopen(image, set);
      for (const change of set.changes) {
        this.#guard({ revision: set.revision, ...nameOf(change) }, () =>
          this.quarantine.note(image, change, set.revision),
        );
        this.#guard({ revision: set.revision, ...nameOf(change) }, () =>
          stage(image, change, set.serials, { built, served: this.#served }),
        );
      }
      for (const [zoneId, serial] of Object.entries(set.serials)) image.setSerial(zoneId, serial);
    }
    image.commit();
    this.revision = sets.at(-1)?.revision ?? this.revision;
  }

  /** In slices, between which the edge does what else there is to do. */
  async #build(image: ImageWriter, sets: readonly ChangeSet[]): Promise<Built> {
    const built: Built = new Map();
    // when it fails there is a baseline next, in another image
    this.#building = true;
    for (const { revision, changes, serials, parts } of sets) {
      for (const change of changes.filter(isContents)) {
        if (serials[change.zone_id] === undefined) continue;
        if (!parts) throw new Error("contents of a zone came without a way to fetch them");
        const contents = image.beginContents(change.zone_id, change.zone);
        built.set(change, contents);
        for await (const part of parts(change.load)) await this.#addPart(image, contents, part, revision);
      }
    }
    this.#building = false;
    return built;
  }

  async #addPart(image: ImageWriter, contents: ImageContents, part: Uint8Array, revision: number): Promise<void> {
    let since = performance.now();
    for (const { owner, type, ttl, rdata } of readPart(part)) {
      this.#guard({ revision, type }, () => {
        const rrset = plainRrset(type, ttl, rdata);
        if (rrset) image.addToContents(contents, owner, rrset);
      });
      if (performance.now() - since < slice) continue;
      image.commit();
      await (this.#options.rest ?? turn)();
      await this.room.wait(image);
      since = performance.now();
    }
    image.commit();
  }

  /** Data in the image made a worker fail. */
  fault(fault: DataFault): void {
    const image = this.#image;
    if (image) this.#guard({ ...fault }, () => this.quarantine.fault(image, fault) && image.commit());
  }

  #guard(what: object, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.refused++;
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log.error({ ...what, reason }, "cannot be served and was left out");
    }
  }
}

/** Contents of zones that are complete and not seen yet. */
type Built = Map<Change, ImageContents>;

const isContents = (change: Change): change is ZoneContents => change.kind === "contents";

/** Milliseconds that contents are built at once. */
const slice = 5;

interface Staging {
  readonly built: Built;
  readonly served: ServedNetworks;
}

function stage(image: ImageWriter, change: Change, serials: ChangeSet["serials"], { built, served }: Staging): void {
  if (change.kind === "zone_removed") {
    image.removeZone(change.zone_id);
    return;
  }
  const serial = serials[zoneOf(change)];
  // the zone was removed before this change got its number: the removal is a change set that follows
  if (serial === undefined) return;
  switch (change.kind) {
    case "zone":
      image.putZone(zoneServed(change.zone, served), serial);
      break;
    case "contents":
      image.putContents(change.zone_id, built.get(change)!);
      break;
    case "record":
      image.putRecord(change.record);
      break;
    case "record_removed":
      image.removeRecord(change.zone_id, change.domain, change.type);
      break;
  }
}

function zoneOf(change: Exclude<Change, { kind: "zone_removed" }>): string {
  if (change.kind === "zone") return change.zone.id;
  return change.kind === "record" ? change.record.zone_id : change.zone_id;
}

/** For the log: which zone or record a change is about. */
function nameOf(change: Change): object {
  if (change.kind === "zone") return { zone: change.zone.zone };
  if (change.kind === "zone_removed" || change.kind === "contents") return { zone_id: change.zone_id };
  const { domain, type } = change.kind === "record" ? change.record : change;
  return { domain, type };
}
