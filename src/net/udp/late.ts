/** Queries that were received and are answered later: a copy of each with its client, in memory of fixed size. */
import { sockaddrRoom } from "../socket/address.ts";
import { controlRoom } from "./mmsghdr.ts";

const mostQueries = 128;
/** Octets; longer queries are not kept. */
export const mostLateOctets = 512;
/** Milliseconds after which a client no longer waits. */
const mostAge = 2000;

/** The parts of a received datagram. */
export interface Datagram {
  readonly query: Uint8Array;
  readonly name: Uint8Array;
  readonly control: Uint8Array;
  readonly controlLength: number;
}

interface Kept {
  readonly query: Uint8Array;
  readonly name: Uint8Array;
  readonly control: Uint8Array;
  length: number;
  controlLength: number;
  at: number;
  isBegun: boolean;
}

export class LateQueries {
  readonly #kept: Kept[] = [];
  readonly #most: number;
  #first = 0;
  #count = 0;

  /** `most`: octets of the longest query that is kept, with what belongs to it. */
  constructor(most = mostLateOctets) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Copies a datagram; false when there is no room. */
  add({ query, name, control, controlLength }: Datagram, now: number): boolean {
    if (this.#count === mostQueries || query.length > this.#most) return false;
    const kept = this.#at(this.#count++);
    kept.query.set(query);
    kept.name.set(name);
    kept.control.set(control);
    kept.length = query.length;
    kept.controlLength = controlLength;
    kept.at = now;
    kept.isBegun = false;
    return true;
  }

  /** The oldest query whose client still waits; the same one until it is removed. */
  first(now: number): Datagram | undefined {
    while (this.#count > 0) {
      const kept = this.#at(0);
      kept.isBegun ||= now - kept.at <= mostAge;
      const { query, name, control, length, controlLength, isBegun } = kept;
      if (isBegun) return { query: query.subarray(0, length), name, control, controlLength };
      this.remove();
    }
    return undefined;
  }

  /** Removes the oldest query. */
  remove(): void {
    this.#first = (this.#first + 1) % mostQueries;
    this.#count--;
  }

  #at(position: number): Kept {
    const index = (this.#first + position) % mostQueries;
    this.#kept[index] ??= {
      query: new Uint8Array(this.#most),
      name: new Uint8Array(sockaddrRoom),
      control: new Uint8Array(controlRoom),
      ...{ length: 0, controlLength: 0, at: 0, isBegun: false },
    };
    return this.#kept[index];
  }
}
