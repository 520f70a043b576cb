/** Response rate limiting: bounds the answers of each kind to the clients of a prefix, in memory of fixed size. */
import { contains, type IpPrefix } from "../../lib/address/ip.ts";
import type { Client } from "../../net/socket/service.ts";

/** Shared memory: tags of entries, and the times up to which their credit is used. Workers' updates may get lost. */
export interface RateTable {
  readonly tags: Int32Array<SharedArrayBuffer>;
  /** Milliseconds of the workers' clock. */
  readonly until: Float64Array<SharedArrayBuffer>;
  /** Prevents clients from predicting which prefixes share an entry. */
  readonly seed: number;
}

export interface RateLimits {
  /** Answers a second to a prefix, and as many denials of each zone; 0 for no limit. */
  readonly answers: number;
  /** Answers a second to a prefix with the same name, type and RCODE; 0 for no limit. */
  readonly equal: number;
  /** Error replies a second to a prefix; 0 for no limit. */
  readonly errors: number;
  /** Prefixes that have no limits. */
  readonly exempt: readonly IpPrefix[];
}

export const noLimits: RateLimits = { answers: 0, equal: 0, errors: 0, exempt: [] };

/** The share of answers beyond the limit that are sent truncated, so that a real client asks over TCP. */
const slip = 1 / 2;

/** `denial`: NXDOMAIN and NODATA. */
export const answerKind = { answer: 0, denial: 1, error: 2 } as const;
/** Distinguishes the credit of equal answers of a kind from that of all. */
const equalOf = 4;
type Kind = (typeof answerKind)[keyof typeof answerKind];

/** `slip`: the answer is replaced by a truncated one, after which real clients ask over TCP or with a cookie. */
export type Admission = "send" | "slip" | "drop";

/** Number of entries, of 12 octets each; a power of two. */
const entries = 65_536;
/** Number of entries that a tag may use: those from its own place on. */
const ways = 4;
/** Maximum milliseconds of credit, collected while there are no queries. */
const burst = 1000;
/** Octets of the network that clients are grouped by: an IPv4 /24, an IPv6 /56. */
const networkOctets = { 4: 3, 6: 7 } as const;

export const makeRateTable = (seed: number): RateTable => ({
  tags: new Int32Array(new SharedArrayBuffer(entries * Int32Array.BYTES_PER_ELEMENT)),
  until: new Float64Array(new SharedArrayBuffer(entries * Float64Array.BYTES_PER_ELEMENT)),
  seed,
});

/** One object per worker; all share one table. */
export class RateLimiter {
  /** Milliseconds, updated by the worker; the same clock in every worker. */
  now = 0;
  readonly #table: RateTable;
  readonly #exempt: readonly IpPrefix[];
  /** Milliseconds of credit that one answer of each kind takes; 0 for no limit. */
  readonly #costs: readonly number[];
  /** The same for one of equal answers. */
  readonly #equalCost: number;
  readonly #random: () => number;

  /** `random` chooses the truncated answers, so that nobody can keep them for itself. */
  constructor(table: RateTable, { answers, equal, errors, exempt }: RateLimits, random = Math.random) {
    this.#random = random;
    this.#table = table;
    this.#exempt = exempt;
    this.#costs = [answers, answers, errors].map(costOf);
    this.#equalCost = costOf(equal);
  }

  /**
   * `zone` identifies a denial's zone; 0 for other answers. Floods ask each random name only once, so all denials of a
   * zone share one limit. `question` is a hash that equal answers share.
   */
  admit(client: Client, kind: Kind, zone: number, question: number): Admission {
    const cost = this.#costs[kind]!;
    const equalCost = kind === answerKind.error ? 0 : this.#equalCost;
    if (cost === 0 && equalCost === 0) return "send";
    if (this.#isExempt(client)) return "send";
    const network = hashOfNetwork(client, this.#table.seed);
    const isWithin =
      (equalCost === 0 || this.#take(hash(network, kind + equalOf, question), equalCost)) &&
      (cost === 0 || this.#take(hash(network, kind, zone), cost));
    if (isWithin) return "send";
    if (kind === answerKind.error) return "drop";
    return this.#random() < slip ? "slip" : "drop";
  }

  /** Whether the network of the client has no credit for answers of this kind; takes none. */
  isSpent(client: Client, kind: Kind): boolean {
    const cost = this.#costs[kind]!;
    if (cost === 0 || this.#isExempt(client)) return false;
    const entry = this.#entry(hash(hashOfNetwork(client, this.#table.seed), kind, 0));
    return Math.max(this.#table.until[entry]!, this.now) + cost > this.now + burst;
  }

  #take(tag: number, cost: number): boolean {
    const { until } = this.#table;
    const entry = this.#entry(tag);
    const next = Math.max(until[entry]!, this.now) + cost;
    if (next > this.now + burst) return false;
    until[entry] = next;
    return true;
  }

  /** The entry of this tag; a new tag takes over, of those that it may use, the entry with the least used credit. */
  #entry(tag: number): number {
    const { tags, until } = this.#table;
    const first = tag & (entries - 1);
    let least = first;
    for (let way = 0; way < ways; way++) {
      const at = (first + way) & (entries - 1);
      if (tags[at] === tag) return at;
      if (until[at]! < until[least]!) least = at;
    }
    tags[least] = tag;
    until[least] = 0;
    return least;
  }

  #isExempt({ address }: Client): boolean {
    for (let i = 0; i < this.#exempt.length; i++) if (contains(this.#exempt[i]!, address)) return true;
    return false;
  }
}

const costOf = (rate: number) => (rate === 0 ? 0 : 1000 / rate);

function hashOfNetwork({ family, address }: Client, seed: number): number {
  let value = seed ^ family;
  for (let i = 0; i < networkOctets[family]; i++) value = Math.imul(value ^ address[i]!, 0x01000193);
  return value;
}

function hash(network: number, kind: number, what: number): number {
  let value = Math.imul(network ^ (kind << 8), 0x01000193) ^ what;
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b);
  return value ^ (value >>> 16);
}
