/** Stages the steps of a change set in an image. */
import type { ImageWriter } from "../../answer/image/writer/writer.ts";
import { type Change, type ChangeSet, type ServedNetworks, type ZoneContents, zoneServed } from "../../sync/change.ts";
import type { Building } from "./building.ts";

export interface Staging {
  readonly building: Building;
  readonly served: ServedNetworks;
}

export function stage(
  image: ImageWriter,
  change: Change,
  serials: ChangeSet["serials"],
  { building, served }: Staging,
): void {
  if (change.kind === "zone_removed") {
    image.removeZone(change.zone_id);
    return;
  }
  const serial = serials[zoneOf(change)];
  // the zone was removed before this change got its serial: the removal follows in another change set
  if (serial === undefined) return;
  switch (change.kind) {
    case "zone":
      image.putZone(zoneServed(change.zone, served), serial);
      break;
    case "contents": {
      const contents = building.take(change);
      if (contents) image.putContents(change.zone_id, contents);
      break;
    }
    case "record":
      image.putRecord(change.record);
      break;
    case "record_removed":
      image.removeRecord(change.zone_id, change.domain, change.type);
      break;
  }
}

/** The id of the zone that a change is about. */
export function zoneOf(change: Change): string {
  if (change.kind === "zone") return change.zone.id;
  return change.kind === "record" ? change.record.zone_id : change.zone_id;
}

/** The zone or record of a change, for the log. */
export function nameOf(change: Change): object {
  if (change.kind === "zone") return { zone: change.zone.zone };
  if (change.kind === "zone_removed" || change.kind === "contents") return { zone_id: change.zone_id };
  const { domain, type } = change.kind === "record" ? change.record : change;
  return { domain, type };
}

export const isContents = (change: Change): change is ZoneContents => change.kind === "contents";
