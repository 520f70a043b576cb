/** The common interface of the two UDP listeners: options, counters and stopping. */
import type { Client, QueryService } from "../socket/service.ts";
import type { SocketSource } from "../socket/sockets.ts";

export interface UdpOptions {
  readonly socket: SocketSource;
  readonly service: QueryService;
  /** Word 0 in shared memory: set and notified (`Atomics`) from any thread to end the listener. */
  readonly stop: Int32Array<SharedArrayBuffer>;
  /** Lets a batched listener sleep while idle; `wake` must be called after `stop` is set or an update is posted. */
  readonly waker?: number | undefined;
  /** Shared memory that only the listener writes; see `udpCounts`. */
  readonly counts: Float64Array;
  readonly onListening?: (port: number) => void;
}

/** The index of each counter in `counts`. */
export const udpCounts = {
  /** Receive calls that returned datagrams. */
  batches: 0,
  datagrams: 1,
  /** Datagrams not passed to the service: source port 0, our own address, or longer than the buffer. */
  dropped: 2,
  /** Answers that the system refused to send. */
  unsent: 3,
  /** Datagrams not answered because the process was suspended for longer than clients wait. */
  late: 4,
} as const;

/**
 * Whether a datagram may be answered. Port 0 cannot receive, and a query from the address and port that it was sent to
 * is a loop. The destination address of the query is in `own` at `at`.
 */
export function isAnswerable(client: Client, ownPort: number, own: Uint8Array, at: number): boolean {
  if (client.port === 0) return false;
  if (client.port !== ownPort) return true;
  return client.address.some((octet, index) => octet !== own[at + index]);
}

/** The longest answer over UDP in octets, far above the size that paths carry without fragments (RFC 9715). */
export const replyRoom = 4096;
