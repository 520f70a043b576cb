/**
 * Change sets that cannot be applied yet, in groups: a set waits behind the waiting sets of its zones, and all other
 * sets pass. So each set stays whole, and the changes of each zone keep their order.
 */
import type { ImageWriter } from "../../answer/image/writer/writer.ts";
import type { Change, ChangeSet } from "../../sync/change.ts";
import { Growth } from "./growth.ts";

/** Sets that wait for one another. */
export class Group {
  /** Ordered by revision. */
  readonly sets: ChangeSet[] = [];
  steps = 0;
  /** Ids and names of the sets' zones. A new zone has to wait until the old zone of the same name is removed. */
  readonly zones = new Set<string>();
  readonly #image: ImageWriter;
  #growth: Growth;
  /** Number of sets that the growth includes. */
  #counted = 0;

  constructor(image: ImageWriter) {
    this.#image = image;
    this.#growth = new Growth(image);
  }

  /** Approximate octets by which the image will grow. */
  growth(): number {
    for (const set of this.sets.slice(this.#counted)) this.#growth.add(set);
    this.#counted = this.sets.length;
    return this.#growth.octets;
  }

  /** Takes over the sets of another group. */
  take({ sets, steps, zones }: Group): void {
    this.sets.push(...sets);
    this.steps += steps;
    this.sets.sort((one, other) => one.revision - other.revision);
    for (const zone of zones) this.zones.add(zone);
    this.#growth = new Growth(this.#image);
    this.#counted = 0;
  }
}

export class Backlog {
  readonly #groups = new Set<Group>();

  /** Number of waiting sets. */
  get size(): number {
    return this.groups().reduce((sum, { sets }) => sum + sets.length, 0);
  }

  /** Number of steps in the waiting sets. */
  get steps(): number {
    return this.groups().reduce((sum, { steps }) => sum + steps, 0);
  }

  /** The revision before the first set that waits; undefined when no set waits. */
  before(): number | undefined {
    const all = this.groups().map(({ sets }) => sets[0]!.previous);
    return all.length === 0 ? undefined : Math.min(...all);
  }

  groups(): Group[] {
    return [...this.#groups];
  }

  /** Whether a set has to wait behind another set. */
  holdsUp(image: ImageWriter, set: ChangeSet): boolean {
    return this.#groups.size > 0 && this.#heldUpBy(zonesOf(image, set)).length > 0;
  }

  /** Must be called in the order of the sets. */
  add(image: ImageWriter, set: ChangeSet): void {
    const zones = zonesOf(image, set);
    const [group = new Group(image), ...others] = this.#heldUpBy(zones);
    for (const other of others) {
      group.take(other);
      this.#groups.delete(other);
    }
    group.sets.push(set);
    group.steps += set.changes.length + 1;
    for (const zone of zones) group.zones.add(zone);
    this.#groups.add(group);
  }

  remove(group: Group): void {
    this.#groups.delete(group);
  }

  clear(): void {
    this.#groups.clear();
  }

  #heldUpBy(zones: readonly string[]): Group[] {
    return this.groups().filter((group) => zones.some((zone) => group.zones.has(zone)));
  }
}

/** The zones that a set concerns, by their ids and names. */
function zonesOf(image: ImageWriter, { changes, serials }: ChangeSet): string[] {
  const zones = new Set(Object.keys(serials));
  for (const change of changes) {
    for (const zone of zonesIn(image, change)) zones.add(zone);
  }
  return [...zones];
}

function zonesIn(image: ImageWriter, change: Change): readonly string[] {
  switch (change.kind) {
    case "zone": {
      const { id, zone, link } = change.zone;
      return link ? [id, nameKey(zone), nameKey(link)] : [id, nameKey(zone)];
    }
    case "zone_removed": {
      const known = image.zoneOf(change.zone_id);
      return known ? [change.zone_id, nameKey(known.zone)] : [change.zone_id];
    }
    case "record":
      return [change.record.zone_id];
    default:
      return [change.zone_id];
  }
}

/** Distinct from all ids, because no id contains a space. */
const nameKey = (zone: string) => `zone ${zone}`;
