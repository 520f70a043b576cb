/** Records of a draft, which are laid over those of the store. */
import { isSubdomain, nameFromApi } from "../../../dns/wire/name.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { recordKey } from "../../../sync/net-difference.ts";

/** A record of a draft. Without `after` the draft deletes it. */
export interface LaidRecord extends Pick<RecordRow, "zone_id" | "domain" | "type"> {
  readonly after: RecordRow | undefined;
}

type Zone = Pick<ZoneRow, "id">;

export class Overlay {
  /** By zone id, then by name and type. */
  readonly #zones = new Map<string, Map<string, LaidRecord>>();

  constructor(records: readonly LaidRecord[]) {
    for (const record of records) {
      const inZone = this.#zones.get(record.zone_id) ?? new Map<string, LaidRecord>();
      this.#zones.set(record.zone_id, inZone.set(recordKey(record), record));
    }
  }

  /** The record of the draft with this name and type, deleted or not; undefined if the draft has none. */
  find({ id }: Zone, name: Pick<RecordRow, "domain" | "type">): LaidRecord | undefined {
    return this.#zones.get(id)?.get(recordKey(name));
  }

  /** Like `find`, in any zone. */
  findAnywhere(name: Pick<RecordRow, "domain" | "type">): LaidRecord | undefined {
    for (const inZone of this.#zones.values()) {
      const laid = inZone.get(recordKey(name));
      if (laid) return laid;
    }
    return undefined;
  }

  /** The records at these names: `stored` are those of the store. */
  over(zone: Zone, names: readonly string[], stored: readonly RecordRow[]): RecordRow[] {
    const there = new Set(names);
    const laid = this.#in(zone).flatMap(({ after }) => (after && there.has(after.domain) ? after : []));
    return [...stored.filter((row) => !this.find(zone, row)), ...laid];
  }

  /** A record of the draft below a name, if there is any. */
  below(zone: Zone, name: string): RecordRow | undefined {
    const above = nameFromApi(name);
    const isBelow = ({ domain }: RecordRow) => domain !== name && isSubdomain(nameFromApi(domain), above);
    return this.#in(zone)
      .flatMap(({ after }) => after ?? [])
      .find(isBelow);
  }

  /** Whether the draft deletes records of a zone. */
  deletesIn(zone: Zone): boolean {
    return this.#in(zone).some(({ after }) => !after);
  }

  #in({ id }: Zone): LaidRecord[] {
    return [...(this.#zones.get(id)?.values() ?? [])];
  }
}

export const noOverlay = new Overlay([]);
