/** A worker's counts, in shared memory: only the worker writes them, and the edge's main thread reads them. */
import { tcpCounts } from "../../net/tcp.ts";
import { udpCounts } from "../../net/udp/listener.ts";
import { typeIndex } from "../usage/counted-types.ts";

/** Indexes in a worker's counts: first of its listener, then of its queries. */
export const counted = {
  udp: udpCounts,
  tcp: tcpCounts,
  queries: 8,
  /** Queries without an answer. */
  silent: 9,
  /** Queries that met a fault of the server. */
  faults: 10,
  /** Answers that were held back: the client was beyond its limit. */
  limited: 15,
  /** Look-ups and hits in the cache of client facts. */
  geo: { asked: 11, found: 12 },
  /** Look-ups and hits in the cache of chains. */
  chains: { asked: 13, found: 14 },
  /** Queries over TLS and over HTTPS. */
  secure: { tls: 60, https: 61 },
  /** Answers by the RCODE of their header; 16 of them. */
  rcodes: 16,
  /** Questions by type: one for each of `countedTypes`, then one for all other types. */
  types: 32,
  /** Times of some answers: index `n` is for times up to `shortestTime` * 2^n, the last index for longer times. */
  times: 64,
  /** Total nanoseconds of these answers. */
  timed: 63,
} as const;

export function countType(counts: Float64Array, qtype: number): void {
  counts[counted.types + typeIndex(qtype)]!++;
}

/** Counts a look-up in a cache. */
export function countFound(
  counts: Float64Array,
  { asked, found }: typeof counted.geo | typeof counted.chains,
  isFound: boolean,
) {
  counts[asked]!++;
  if (isFound) counts[found]!++;
}

/** Nanoseconds. */
export const shortestTime = 1000;
/** Number of bounds; another bucket is for longer times. */
export const timeBounds = 16;

export function countTime(counts: Float64Array, nanoseconds: number): void {
  let bound = 0;
  while (bound < timeBounds && nanoseconds > shortestTime * 2 ** bound) bound++;
  counts[counted.times + bound]!++;
  counts[counted.timed]! += nanoseconds;
}

const size = 96;

/** Floating-point numbers count to 2^53 without overflow, and 8 aligned octets are read atomically. */
export const makeCounts = () => new Float64Array(new SharedArrayBuffer(size * Float64Array.BYTES_PER_ELEMENT));
