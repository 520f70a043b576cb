/** What a writer hands to readers in other threads: the buffers of the image. Structured-cloneable. */

export interface ImageShare {
  readonly header: SharedArrayBuffer;
  readonly nodes: TableShare;
  readonly zones: TableShare;
  /** All segments, or those that are new. */
  readonly segments: readonly SegmentShare[];
}

export interface TableShare {
  readonly number: number;
  readonly slots: SharedArrayBuffer;
}

export interface SegmentShare {
  readonly segment: number;
  readonly octets: SharedArrayBuffer;
}
