/** What an edge knows: takes baselines and change sets over into the zone image. */
import type { ImageShare } from "../answer/image/share.ts";
import { type ImageStats, ImageWriter } from "../answer/image/writer.ts";
import type { Log } from "../lib/log.ts";
import { dropMemory, sharedMemory } from "../net/pages.ts";
import {
  type Baseline,
  type Change,
  type ChangeSet,
  type Follower,
  type ServedNetworks,
  zoneServed,
} from "../sync/change.ts";

const noImage: ImageStats = { zones: 0, records: 0, octets: 0, free: 0, waiting: 0, emptied: 0 };

export interface StateOptions {
  /** All when left out. */
  readonly networks?: ServedNetworks;
  readonly log: Log;
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
  #image: ImageWriter | undefined;
  readonly #options: StateOptions;
  readonly #served: ServedNetworks;

  constructor(options: StateOptions) {
    this.#options = options;
    this.#served = options.networks ?? "all";
  }

  /** The image in use, for a worker that starts. */
  share(): ImageShare | undefined {
    return this.#image?.share();
  }

  /** For a snapshot: to be looked at only between two turns of the event loop. */
  image(): ImageWriter | undefined {
    return this.#image;
  }

  /** Goes on with an image that stands for this revision. */
  restore(image: ImageWriter, revision: number): void {
    image.onGrow(this.#options.onGrow);
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
    }
    for await (const records of baseline.records()) {
      for (const record of records) {
        this.#guard({ revision, domain: record.domain, type: record.type }, () => image.putRecord(record));
      }
      image.commit();
    }
    image.onGrow(this.#options.onGrow);
    this.#image = image;
    this.revision = revision;
    this.#options.onImage(image.share());
  }

  /** All of the sets become visible together, so each of them is seen whole. */
  apply(sets: readonly ChangeSet[]): void {
    const image = this.#image;
    if (!image) throw new Error("change sets came before a baseline");
    for (const set of sets) {
      for (const change of set.changes) {
        this.#guard({ revision: set.revision, ...nameOf(change) }, () =>
          stage(image, change, set.serials, this.#served),
        );
      }
      for (const [zoneId, serial] of Object.entries(set.serials)) image.setSerial(zoneId, serial);
    }
    image.commit();
    this.revision = sets.at(-1)?.revision ?? this.revision;
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

function stage(image: ImageWriter, change: Change, serials: ChangeSet["serials"], served: ServedNetworks): void {
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
  if (change.kind === "zone_removed") return { zone_id: change.zone_id };
  const { domain, type } = change.kind === "record" ? change.record : change;
  return { domain, type };
}
