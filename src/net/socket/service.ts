/** What a listener calls with the queries that it received, whatever they came by. */

/** Who asks. The listener keeps the object for itself: it holds another client's address after `answer` returned. */
export interface Client {
  readonly family: 4 | 6;
  /** 4 or 16 octets. */
  readonly address: Uint8Array;
  readonly port: number;
  /** The encrypted transport that the query came by: DNS over TLS or over HTTPS. */
  readonly secure?: "tls" | "https";
  /** Its connection is one that zones may be transferred over (RFC 9103). */
  readonly isXot?: boolean;
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
  /** Tells of the queries of a batch, one by one, before the first is answered; they stay where they are until `end`. */
  foresee?(query: Uint8Array, from: number, to: number): void;
  readonly answer: Answer;
  end(): void;
  /**
   * The messages of an answer that goes on for longer, for a query over TCP or TLS that asks for one and may have it;
   * what fails in the middle is cut off. Undefined for all other queries, which `answer` answers.
   */
  transfer?(query: Uint8Array, from: number, to: number, client: Client): AsyncIterable<Uint8Array> | undefined;
  /** `answer` threw. The query stays unanswered, the listener goes on. */
  failed(error: unknown): void;
}

/** The same octets, of which a slice is a copy: that of a Buffer shares its memory. Queries are given to a service so. */
export const plainOctets = ({ buffer, byteOffset, length }: Uint8Array) => new Uint8Array(buffer, byteOffset, length);

/** What `answer` yields for one query, whatever it does: a fault in it is silence. */
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
    throw new RangeError(`an answer of ${written} octets does not fit ${room}`);
  } catch (error) {
    service.failed(error);
    return 0;
  }
}
