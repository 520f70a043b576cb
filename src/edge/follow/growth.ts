/** Estimates the memory that waiting change sets need, from their result, not from their steps. */
import { type Rrset, rrsetOf } from "../../answer/image/rrset/rrset.ts";
import type { ImageWriter } from "../../answer/image/writer/writer.ts";
import { Problem } from "../../lib/problem.ts";
import type { Change, ChangeSet, RecordState } from "../../sync/change.ts";

/** Octets of an RRset besides its data: for its name, and entries of tables and lists. */
const perRrset = 64;
const perZone = 512;

interface ZoneGrowth {
  /** Growth besides that of `rrsets`. */
  own: number;
  /** Whether the change sets remove all of the zone's data in the image. */
  isEmptied: boolean;
  /** By name and type. */
  readonly rrsets: Map<string, number>;
}

export class Growth {
  /** Below 0 when more is freed than taken. */
  octets = 0;
  readonly #image: ImageWriter;
  readonly #zones = new Map<string, ZoneGrowth>();

  constructor(image: ImageWriter) {
    this.#image = image;
  }

  add({ changes }: ChangeSet): void {
    for (const change of changes) {
      try {
        this.#add(change);
      } catch (error) {
        // a record that cannot be served takes no memory
        if (!(error instanceof Problem)) throw error;
      }
    }
  }

  #add(change: Change): void {
    switch (change.kind) {
      case "zone":
        if (!this.#image.zoneOf(change.zone.id)) this.#setOwn(this.#zone(change.zone.id), perZone);
        break;
      case "zone_removed":
      // the new contents are built already, and have their memory
      case "contents":
        this.#empty(change.zone_id);
        break;
      case "record":
        this.#put(change.record, rrsetOf(change.record));
        break;
      case "record_removed":
        this.#put(change, undefined);
        break;
    }
  }

  #empty(zoneId: string): void {
    const zone = this.#zone(zoneId);
    for (const octets of zone.rrsets.values()) this.octets -= octets;
    zone.rrsets.clear();
    zone.isEmptied = true;
    this.#setOwn(zone, -(this.#image.zoneOf(zoneId)?.records ?? 0) * perRrset);
  }

  #put(at: Pick<RecordState, "zone_id" | "domain" | "type">, rrset: Rrset | undefined): void {
    const zone = this.#zone(at.zone_id);
    const growth = sizeOf(rrset) - (zone.isEmptied ? 0 : sizeOf(this.#image.former(at)?.rrset));
    const key = `${at.domain} ${at.type}`;
    this.octets += growth - (zone.rrsets.get(key) ?? 0);
    zone.rrsets.set(key, growth);
  }

  #setOwn(zone: ZoneGrowth, octets: number): void {
    this.octets += octets - zone.own;
    zone.own = octets;
  }

  #zone(id: string): ZoneGrowth {
    const known = this.#zones.get(id);
    if (known) return known;
    const zone = { own: 0, isEmptied: false, rrsets: new Map() };
    this.#zones.set(id, zone);
    return zone;
  }
}

const sizeOf = (rrset: Rrset | undefined) => (rrset ? rrset.octets.length + perRrset : 0);
