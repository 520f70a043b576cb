/** What the two UDP listeners have in common: how they are fed, counted and stopped. */
import type { Client, QueryService } from "../socket/service.ts";
import type { SocketSource } from "../socket/sockets.ts";

export interface UdpOptions {
  readonly socket: SocketSource;
  readonly service: QueryService;
  /** Word 0 in shared memory: set and notified (`Atomics`) from any thread to end the listener. */
  readonly stop: Int32Array<SharedArrayBuffer>;
  /** Shared memory that the listener alone writes; see `udpCounts`. */
  readonly counts: Float64Array;
  readonly onListening?: (port: number) => void;
}

/**
 * Listens until it is stopped. Rejects when the socket can no longer be used. A batched listener blocks its thread and
 * is the only thing that runs there.
 */
export type ListenUdp = (options: UdpOptions) => Promise<void>;

/** Where each count stands in `counts`. */
export const udpCounts = {
  /** Returns of the receiving call that brought datagrams. */
  batches: 0,
  datagrams: 1,
  /** Not handed to the service: source port 0, our own address, longer than the buffer. */
  dropped: 2,
  /** Answers that the system refused to send. */
  unsent: 3,
  /** Not answered because the listener was away for so long that nobody waits any more. */
  late: 4,
} as const;

/**
 * Nothing can be sent to port 0, and a query that comes from the very address and port that it was sent to is a loop.
 * The address that was asked stands in `own` at `at`.
 */
export function isAnswerable(client: Client, ownPort: number, own: Uint8Array, at: number): boolean {
  if (client.port === 0) return false;
  if (client.port !== ownPort) return true;
  return client.address.some((octet, index) => octet !== own[at + index]);
}

/** Longest answer over UDP, far above what a path carries in one piece (RFC 9715). */
export const replyRoom = 4096;
