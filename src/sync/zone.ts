/** A zone that a site reads for a transfer: whole (AXFR), or as the changes since an earlier serial (IXFR). */
import type { RecordState, ZoneState } from "./change.ts";

/** A zone at one moment; it stays so until `close`. `now` is there at once, the rest is read when called. */
export interface ZoneReading {
  readonly now: ZoneAtSerial;
  /** All records, in no order; a linked one with its target's answers. */
  records(): AsyncIterable<readonly RecordState[]>;
  /** The changes since an earlier serial; undefined when they are not known any more, or are too many. */
  changesSince(serial: number): Promise<ZoneChanges | undefined>;
  close(): void;
}

export interface ZoneAtSerial {
  readonly zone: ZoneState;
  readonly serial: number;
}

/** The records that a zone lost and got between two serials. */
export interface ZoneChanges {
  readonly before: ZoneAtSerial;
  readonly removed: readonly RecordState[];
  readonly added: readonly RecordState[];
}

/** Undefined when the zone is not there. Rejects while the store is away. */
export type OpenZone<Options = unknown> = (
  options: Options,
  account_id: string,
  zone_id: string,
) => Promise<ZoneReading | undefined>;

/** Zones are read in a thread of low priority: it imports `module`, and gives its `openZone` the options. */
export interface ZoneSource {
  /** URL of a module that exports an `openZone`. */
  readonly module: string;
  /** Plain data, copied to the thread. */
  readonly options: unknown;
}
