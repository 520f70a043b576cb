/** The interface through which listeners of all transports have their queries answered. */

/** The client of a query. The listener reuses the object for another client after `answer` has returned. */
export interface Client {
  readonly family: 4 | 6;
  /** 4 or 16 octets. */
  readonly address: Uint8Array;
  readonly port: number;
  /** The encrypted transport of the query: DNS over TLS or over HTTPS. */
  readonly secure?: "tls" | "https";
  /** Zones may be transferred over this TLS connection (RFC 9103). */
  readonly isXot?: boolean;
}

/** Names the client's IPv4 address or IPv6 /64, for limits on one client: an IPv6 host has a whole /64. */
export const hostOf = ({ family, address }: Client) =>
  `${family} ${address.subarray(0, family === 4 ? 4 : 8).join(".")}`;

/**
 * Answers the query that is in `query` from `from` up to `to`: writes at most `room` octets into `out` at `at`. Returns
 * their number; 0 sends no answer.
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

/** Returned instead of a number of octets for a query that needs further turns. */
export const unfinished = -1;

/** A listener calls, on its own thread, `begin`, then `answer` for each query that has arrived, then `end`. */
export interface QueryService {
  /** Called after the queries were received; applies the updates that this thread was sent before. */
  begin(): void;
  /** Called for each query of a batch before the first is answered; the octets stay in place until `end`. */
  prefetch?(query: Uint8Array, from: number, to: number): void;
  readonly answer: Answer;
  end(): void;
  /**
   * Whether some queries are to be answered after all others: those for which `isLast`, which is called once for each
   * query, between `begin` and `end`.
   */
  readonly isCrowded?: boolean;
  isLast?(query: Uint8Array, from: number, to: number, client: Client): boolean;
  /**
   * As `answer`, for a query that comes last, in turns: after `unfinished`, this is called for the same query until it is
   * answered. Others may be answered in between, also after `end` and `begin`. Does not throw.
   */
  readonly answerInTurns?: Answer;
  /** Called when such a query gets no answer. */
  heldBack?(): void;
  /**
   * Returns the messages of a long answer, for a permitted zone transfer over TCP or TLS; a failure closes the
   * connection. Undefined for all other queries, which `answer` answers.
   */
  transfer?(query: Uint8Array, from: number, to: number, client: Client): AsyncIterable<Uint8Array> | undefined;
  /** Called when `answer` threw. The query gets no answer, and the listener continues. */
  failed(error: unknown): void;
}

/** The same octets as a Uint8Array, as services expect them: its slices are copies, a Buffer's slices are not. */
export const plainOctets = ({ buffer, byteOffset, length }: Uint8Array) => new Uint8Array(buffer, byteOffset, length);

/** Calls `answer`; a fault in it gives no answer. */
export function askService(
  service: QueryService,
  query: Uint8Array,
  from: number,
  to: number,
  client: Client,
  out: Uint8Array,
  at: number,
  room: number,
): number {
  try {
    const written = service.answer(query, from, to, client, out, at, room);
    if (written <= room) return written;
    throw new RangeError(`an answer of ${written} octets does not fit into ${room}`);
  } catch (error) {
    service.failed(error);
    return 0;
  }
}
