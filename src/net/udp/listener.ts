/** What the two UDP listeners have in common: the service that they call, how they are fed, counted and stopped. */

/** Who asks. The listener keeps the object for itself: it holds another client's address after `answer` returned. */
export interface Client {
  readonly family: 4 | 6;
  /** 4 or 16 octets. */
  readonly address: Uint8Array;
  readonly port: number;
}

/**
 * Writes the answer to octets `from` up to `to` of `query` into `out`, at `at`, in at most `room` octets.
 * Returns the number of octets written; 0 is silence.
 */
export type Answer = (
  query: Uint8Array,
  from: number,
  to: number,
  client: Client,
  out: Uint8Array,
  at: number,
  room: number,
) => number;

/** What a listener calls, on its own thread: `begin`, then `answer` for each query that has arrived, then `end`. */
export interface QueryService {
  /** Comes after the queries were received: what was told to this thread before they came is taken in here. */
  begin(): void;
  readonly answer: Answer;
  end(): void;
  /** `answer` threw. The query stays unanswered, the listener goes on. */
  failed(error: unknown): void;
}

/** Bound already (the listener takes the descriptor over and closes it), or to be bound by the listener. */
export type UdpSocket = { readonly fd: number } | { readonly address: string; readonly port: number };

export interface UdpOptions {
  readonly socket: UdpSocket;
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

/** What `answer` yields for one query, whatever it does: a fault in it is silence. */
export function askService(
  service: QueryService,
  query: Uint8Array,
  from: number,
  to: number,
  client: Client,
  out: Uint8Array,
  at: number,
): number {
  try {
    const written = service.answer(query, from, to, client, out, at, replyRoom);
    if (written <= replyRoom) return written;
    throw new RangeError(`an answer of ${written} octets does not fit ${replyRoom}`);
  } catch (error) {
    service.failed(error);
    return 0;
  }
}

/** Longest answer over UDP, far above what a path carries in one piece (RFC 9715). */
export const replyRoom = 4096;
