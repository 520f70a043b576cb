/** Runs the chains of steered RRsets for a query, and collects the answer's scope and texts. */
import type { Query } from "../../dns/wire/message.ts";
import { type Locate, LocatedClient } from "../filters/contract/client.ts";
import type { NameKey } from "../image/memory/key.ts";
import { rrsetAsAddress } from "../image/memory/layout.ts";
import { isSingle } from "../image/rrset/rrset.ts";
import { steeringNumber } from "../image/rrset/steered.ts";
import type { RrsetView } from "../image/rrset/view.ts";
import { RecentCache } from "../model/recent-cache.ts";
import { Selection } from "../model/selection.ts";
import type { Surroundings } from "./chain.ts";
import { SteeredRrset } from "./steered.ts";
import { type ChainTrace, traceChain } from "./trace-chain.ts";
import type { ChainTurns } from "./turns.ts";

/** The address that the packet came from. */
export interface Sender {
  readonly family: 4 | 6;
  readonly address: Uint8Array;
}

export interface SteeringOptions extends Surroundings {
  readonly locate: Locate;
  /** Seed of the random numbers. */
  readonly seed: number;
  /** Called for each chain before it runs; `wasCached` is false if the chain must be compiled first. */
  readonly onChain?: ((wasCached: boolean) => void) | undefined;
  /** A clock in milliseconds, for `spent`; without it, no time is measured. */
  readonly clock?: (() => number) | undefined;
  /** Queries for which turns have begun run their chains in turns. */
  readonly turns?: ChainTurns | undefined;
}

/** Maximum octets of the records and settings behind the chains in one generation of the cache. */
const recentOctets = 16 * 1024 * 1024;

/** One in this many runs of chains that were compiled before is measured; a power of two. */
const measuredOneIn = 16;

const unset = 0;
const fromSubnet = 1;
const fromSender = 2;

/** A worker has one object for each image. */
export class Steering {
  /** The answers that the last chain selected. */
  selection: Selection;
  readonly client: LocatedClient;
  /**
   * The scope of the answer (RFC 7871 section 7.2.1): the number of leading bits of the client subnet on which the
   * answer depends. 0 if no filter read a fact about the client, or the query has no client subnet.
   */
  scope = 0;
  /** TXT records for the additional section: owner name, TTL and RDATA. */
  readonly texts: { readonly owner: NameKey; readonly ttl: number; readonly rdata: Uint8Array }[] = [];
  /** Microseconds that the chains of this query took, or usually take. */
  spent = 0;
  readonly #own = new Selection();
  readonly #turns: ChainTurns | undefined;
  readonly #clock: (() => number) | undefined;
  #runs = 0;
  readonly #surroundings: Surroundings;
  readonly #cache = new RecentCache<SteeredRrset>(recentOctets);
  readonly #onChain: ((wasCached: boolean) => void) | undefined;
  #query: Query | undefined;
  #sender: Sender = noSender;
  /** Where the address of `client` comes from. */
  #address: typeof unset | typeof fromSubnet | typeof fromSender = unset;

  constructor({ locate, seed, live, atlas, onChain, clock, turns }: SteeringOptions) {
    this.selection = this.#own;
    this.#turns = turns;
    this.#clock = clock;
    this.#onChain = onChain;
    this.#surroundings = { live, atlas };
    this.client = new LocatedClient(locate, seed);
  }

  begin(query: Query, sender: Sender): void {
    this.#query = query;
    this.#sender = sender;
    this.#address = unset;
    this.scope = 0;
    this.spent = 0;
    if (this.texts.length > 0) this.texts.length = 0;
  }

  /**
   * Replaces the steered RRset in `view` with the records that its chain selects; false if it selects none. If the
   * RRset is from a wildcard, the `*` matched the octets of `name` before `matchedEnd`; otherwise `matchedEnd` is -1.
   */
  select(view: RrsetView, name: NameKey, matchedEnd: number, trace?: (chain: ChainTrace) => void): boolean {
    const { client } = this;
    const turns = this.#turns?.isTurn ? this.#turns : undefined;
    const number = steeringNumber(view);
    const cached = this.#cache.find(number);
    if (turns?.isNew !== false) this.#onChain?.(cached !== undefined);
    const isMeasured = cached === undefined || (++this.#runs & (measuredOneIn - 1)) === 0;
    const began = isMeasured && this.#clock ? this.#clock() : 0;
    const rrset = cached ?? this.#compile(number, view);
    rrset.bind(view);
    const usesSubnet = this.#setClient(rrset.chain.usesSubnet);
    client.match(matchedEnd < 0 ? undefined : name.octets, matchedEnd);
    const selection = turns ? turns.run(rrset.chain, client) : this.#own;
    this.selection = selection;
    if (trace) trace(traceChain(view, this.#surroundings, selection, client));
    else if (!turns) rrset.chain.run(selection, client);
    if (usesSubnet && client.depth > this.scope) this.scope = client.depth;
    rrset.show(selection, isSingle(view.type) || (view.flags & rrsetAsAddress) !== 0 ? 1 : selection.count, view);
    if (turns) {
      rrset.cost = turns.took;
      this.spent += turns.took;
    } else if (isMeasured && this.#clock) {
      const took = (this.#clock() - began) * 1000;
      this.spent += took;
      if (cached) rrset.cost = took;
    } else this.spent += rrset.cost;
    return view.count > 0;
  }

  #compile(number: number, view: RrsetView): SteeredRrset {
    const rrset = new SteeredRrset(view, this.#surroundings);
    this.#cache.keep(number, rrset);
    return rrset;
  }

  /** Sets the client; returns whether its address is from the query's client subnet option. */
  #setClient(usesSubnet: boolean): boolean {
    const { edns, packet } = this.#query!;
    // an option with source prefix length 0 (RFC 7871 section 7.1.2) has no address: the sender's is used instead
    const hasSubnet = usesSubnet && edns.ecsOctets > ecsHead;
    const wanted = hasSubnet ? fromSubnet : fromSender;
    if (this.#address === wanted) return hasSubnet;
    this.#address = wanted;
    if (hasSubnet)
      this.client.begin(packet, edns.ecsAt + ecsHead, edns.ecsOctets - ecsHead, isIpv4(packet, edns.ecsAt) ? 4 : 16);
    else this.client.begin(this.#sender.address, 0, 16, this.#sender.family === 4 ? 4 : 16);
    return hasSubnet;
  }
}

/** Octets of family, source and scope prefix length before the address. */
const ecsHead = 4;
/** Family 1 is IPv4; an option with a family other than 1 and 2 has no address. */
const isIpv4 = (octets: Uint8Array, at: number) => octets[at + 1] === 1;
const noSender: Sender = { family: 4, address: new Uint8Array(4) };
