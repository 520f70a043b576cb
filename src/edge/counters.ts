/** What a worker counts, in shared memory that it alone writes and the edge's main thread reads. */
import { tcpCounts } from "../net/tcp.ts";
import { udpCounts } from "../net/udp/listener.ts";

/** Places in a worker's counts: those of its listener, then what it did with the queries. */
export const counted = {
  udp: udpCounts,
  tcp: tcpCounts,
  queries: 8,
  /** Left without an answer. */
  silent: 9,
  /** Queries that met a fault of ours. */
  faults: 10,
  /** Answers by the RCODE of their header: 16 places. */
  rcodes: 16,
} as const;

const places = 32;

/** Numbers up to 2^53: no counter runs over, and one is read whole wherever aligned 8 octets are. */
export const makeCounts = () => new Float64Array(new SharedArrayBuffer(places * Float64Array.BYTES_PER_ELEMENT));
