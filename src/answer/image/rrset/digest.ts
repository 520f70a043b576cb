/**
 * Digests of zones, by which an edge's image is compared with the store. The digest of a zone is made of the sum of its
 * RRsets' hashes, so a change adds and takes away, in any order. It finds accidents, not forgeries.
 */
import type { NameKey } from "../memory/key.ts";
import { rrsetSteered } from "../memory/layout.ts";
import { type Part, partOf } from "./parts.ts";
import type { Rrset } from "./rrset.ts";
import type { ImageZone } from "./source.ts";
import { numberOctets } from "./steered.ts";

/** The properties of a zone that its digest covers besides the RRsets. */
export interface DigestedZone {
  /** The SOA record, with the serial. */
  readonly soa: Part;
  /** From `digestedState`; 0 for a linked zone, which has the state of its target. */
  readonly state: number;
  /** The apex name of the target of a linked zone, in wire format, lower case. */
  readonly link: Uint8Array | undefined;
}

export const digestedState = ({ disabled, expired, hidden }: Pick<ImageZone, "disabled" | "expired" | "hidden">) =>
  (disabled ? 1 : 0) | (expired ? 2 : 0) | (hidden ? 4 : 0);

/** Two halves of a hash. */
let low = 0;
let high = 0;

/** The sum of no RRsets. */
export const emptySum = () => new Int32Array(2);

/** Replaces an RRset at the name in `key` by another, in the sum in the words `at` and `at + 1`; either may be undefined. */
export function replaceIn(
  sums: Int32Array,
  at: number,
  key: NameKey,
  former: Part | undefined,
  rrset: Rrset | undefined,
): void {
  if (former) add(sums, at, former, key, -1);
  if (rrset) add(sums, at, partOf(rrset), key, 1);
}

function add(sums: Int32Array, at: number, rrset: Part, owner: NameKey, sign: 1 | -1): void {
  low = rrset.type | (rrset.count << 16);
  high = rrset.flags;
  take(owner.octets, 0, owner.length);
  takeRrset(rrset);
  sums[at]! += sign * mixed(low);
  sums[at + 1]! += sign * mixed(high);
}

/** The digest of a zone with this sum of its RRsets: an integer of 53 bits. */
export function digestOf(sums: Int32Array, at: number, { soa, state, link }: DigestedZone): number {
  low = sums[at]!;
  high = sums[at + 1]! ^ state;
  takeRrset(soa);
  if (link) take(link, 0, link.length);
  return (mixed(low) >>> 0) * 2 ** 21 + (mixed(high) >>> 11);
}

/** The number of a steered RRset differs between edges. */
function takeRrset({ flags, source, at, octets }: Part): void {
  take(source, (flags & rrsetSteered) === 0 ? at : at + numberOctets, at + octets);
}

function take(octets: Uint8Array, from: number, to: number): void {
  let at = from;
  for (; at + 4 <= to; at += 4) {
    mix(octets[at]! | (octets[at + 1]! << 8) | (octets[at + 2]! << 16) | (octets[at + 3]! << 24));
  }
  let rest = to - from;
  for (; at < to; at++) rest = (rest << 8) | octets[at]!;
  mix(rest);
}

function mix(word: number): void {
  low = Math.imul(low ^ word, 0x85ebca6b);
  low = (low << 13) | (low >>> 19);
  high = Math.imul(high + word, 0xc2b2ae35);
  high ^= high >>> 15;
}

/** Every bit of the result depends on every bit of the word. */
function mixed(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
