/** A zone that a site reads for a transfer: whole (AXFR), or as the changes since an earlier serial (IXFR). */
import type { RecordState, ZoneState } from "./change.ts";

/** A zone at one moment, unchanged until `close`. `now` is available at once, the rest is read when called. */
export interface ZoneReading {
  readonly now: ZoneAtSerial;
  /** All records, in no order; a linked record has its target's answers. */
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

/** Undefined when the zone does not exist. Rejects while the store is unreachable. */
export type OpenZone<Options = unknown> = (
  options: Options,
  account_id: string,
  zone_id: string,
) => Promise<ZoneReading | undefined>;

/** Zones are read in a thread of low priority, which imports `module` and passes `options` to its `openZone`. */
export interface ZoneSource {
  /** URL of a module that exports an `openZone`. */
  readonly module: string;
  /** Plain data, copied to the thread. */
  readonly options: unknown;
}
