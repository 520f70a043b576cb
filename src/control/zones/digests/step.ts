/** One step through the zones of the store: composes the next ones as an edge would, and stores their digests. */
import { ZoneDigest } from "../../../answer/image/zone-digest.ts";
import { LongWork } from "../../../lib/fair/yield.ts";
import type { RecordState, ZoneState } from "../../../sync/change.ts";
import {
  type DigestConnection,
  firstPlace,
  type ReadZone,
  type ZonePlace,
  type ZonesReading,
} from "../../../sync/postgres/digests.ts";

const mostZones = 500;
/** Records after which the zones that are left wait for the next step. */
const mostRecords = 20_000;

/** A zone that no edge can answer, or a record of it. */
export interface LeftOut {
  readonly zone: ZoneState;
  /** Undefined if it is the whole zone. */
  readonly record: RecordState | undefined;
  readonly reason: string;
}

export interface Step {
  /** The number of the stored batch. */
  readonly number: number;
  /** Where the zones end; `firstPlace` after the last one of all. */
  readonly last: ZonePlace;
  readonly zones: number;
  readonly records: number;
  /** Zones without a digest, since they had changes without numbers. */
  readonly unnumbered: number;
}

/** Zones in order, and where they end. */
interface Read {
  readonly digests: Readonly<Record<string, number>>;
  readonly last: ZonePlace;
  readonly zones: number;
  readonly records: number;
  /** Whether zones are left for later steps. */
  readonly more: boolean;
}

/** Reads the next zones after a place. Calls `leaveOut` with each zone and record that an image leaves out. */
export async function digestNext(
  connection: DigestConnection,
  place: ZonePlace,
  leaveOut: (left: LeftOut) => void = () => {},
): Promise<Step> {
  let result: { readonly reading: ZonesReading; readonly read: Read } | undefined;
  await connection.read(place, mostZones, async (reading) => {
    result = { reading, read: await digest(reading, leaveOut) };
  });
  const { reading, read } = result!;
  const { number, revision } = reading;
  const { zones, records } = read;
  const last = read.more || !reading.isLast ? read.last : firstPlace;
  const total = read.more ? null : reading.total;
  await connection.write({ number, revision, zones: read.digests, total }, last);
  const unnumbered = reading.zones.slice(0, zones).filter(({ isNumbered }) => !isNumbered).length;
  return { number, last, zones, records, unnumbered };
}

async function digest({ zones, records }: ZonesReading, leaveOut: (left: LeftOut) => void): Promise<Read> {
  const work = new LongWork();
  const indexes = new Map(zones.map(({ zone_id }, index) => [zone_id, index]));
  const digests: Record<string, number> = {};
  const begin = (read: ReadZone | undefined) =>
    read &&
    unlessRefused(
      () => new ZoneDigest(read.zone, read.serial),
      (reason) => leaveOut({ zone: read.zone, record: undefined, reason }),
    );
  let at = 0;
  let zone = begin(zones[at]);
  let count = 0;
  const complete = () => {
    const { zone_id, isNumbered } = zones[at]!;
    if (isNumbered && zone) digests[zone_id] = zone.value;
  };
  /** Completes the zones before the one with this index, which is begun. */
  const move = (index: number) => {
    for (; at < index; zone = begin(zones[++at])) complete();
  };
  for await (const rows of records()) {
    for (const record of rows) {
      const index = indexes.get(record.zone_id);
      // of a zone that is deleted or being loaded
      if (index === undefined) continue;
      const isNext = index > at;
      if (isNext && count >= mostRecords) {
        // the zone of the record waits; those before it are complete
        move(index - 1);
        complete();
        return { digests, last: zones[index - 1]!, zones: index, records: count, more: true };
      }
      move(index);
      unlessRefused(
        () => zone?.add(record),
        (reason) => leaveOut({ zone: zones[index]!.zone, record, reason }),
      );
      count++;
    }
    await work.giveWay();
  }
  move(zones.length);
  return { digests, last: zones.at(-1) ?? firstPlace, zones: zones.length, records: count, more: false };
}

/** Images leave out whatever cannot be made. */
function unlessRefused<T>(make: () => T, refused: (reason: string) => void): T | undefined {
  try {
    return make();
  } catch (error) {
    refused(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
