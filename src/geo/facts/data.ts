/** Geo files in the form that threads share: prefix trees and records in shared memory, made once by `loadGeo`. */

/** What all files hold. Can be posted to worker threads as it is. */
export interface GeoData {
  /** As they were given. */
  readonly paths: readonly string[];
  /** In the order in which they are asked: overrides first, then as given. */
  readonly sources: readonly GeoSource[];
}

/** One file. */
export interface GeoSource extends ParsedGeo {
  readonly file: GeoFile;
}

/** What a file holds. */
export interface ParsedGeo {
  readonly kind: "mmdb" | "ranges" | "overrides";
  /** For people: what the file says of itself, and how much is in it. */
  readonly description: string;
  readonly tree: GeoTree;
}

/** What tells that a file is another than the one that was read. */
export interface GeoFile {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly size: number;
  readonly inode: number;
}

/**
 * A binary tree over address bits. A word of 0 or more is a node, whose two words stand at `2 * word` in `nodes`; a
 * negative one is a leaf, `~word` the number of its record, and record 0 says that nothing is known.
 */
export interface GeoTree {
  /** Int32 words. */
  readonly nodes: SharedArrayBuffer;
  /** The words from which an IPv4 and an IPv6 address start. */
  readonly root4: number;
  readonly root6: number;
  /** Records of five Int32 words each, from number 0 on. */
  readonly records: SharedArrayBuffer;
  /** Bits of the facts that any record states: a file is not asked for the others, and no prefix depends on it there. */
  readonly states: number;
}
