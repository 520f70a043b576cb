/** The data of geo files for all threads: prefix trees and records in shared memory, made once by `loadGeo`. */

/** The contents of all files. Can be posted to worker threads. */
export interface GeoData {
  /** In order of precedence: overrides first, then other files in the configured order. */
  readonly sources: readonly GeoSource[];
}

/** One file. */
export interface GeoSource extends ParsedGeo {
  readonly file: GeoFile;
}

/** The contents of a file. */
export interface ParsedGeo {
  readonly kind: "mmdb" | "ranges" | "overrides";
  /** For people: the kind, version or size of the file. */
  readonly description: string;
  readonly tree: GeoTree;
}

/** The attributes that reveal a changed file. */
export interface GeoFile {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly size: number;
  readonly inode: number;
}

/**
 * A binary tree over address bits. A word of 0 or more is a node, whose two words are at `2 * word` in `nodes`. A
 * negative word is a leaf with the record number `~word`; record 0 has no facts.
 */
export interface GeoTree {
  /** Int32 words. */
  readonly nodes: SharedArrayBuffer;
  /** The root words for IPv4 and IPv6 addresses. */
  readonly root4: number;
  readonly root6: number;
  /** Records of five Int32 words each, from number 0. */
  readonly records: SharedArrayBuffer;
  /** The bits of all facts that records state. For other facts the file is skipped, and does not affect the scope. */
  readonly states: number;
}
