/** The buffers of the image, which a writer sends to readers in other threads. Structured-cloneable. */

export interface ImageShare {
  readonly header: SharedArrayBuffer;
  readonly nodes: TableShare;
  readonly zones: TableShare;
  /** All segments, or only new segments. */
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
