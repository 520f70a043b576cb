/** A cache of fixed size for clients' server cookies: hashing a cookie again costs as much as an answer. */
import type { Client } from "../../net/socket/service.ts";

/** A power of two; clients that share a slot evict each other. */
const slots = 1024;
/** Octets of a slot: 24 of the option, 16 of the address, and the family, which is 0 while the slot is empty. */
const stride = 48;
const addressAt = 24;
const familyAt = 40;
/** Octets of a client cookie, and of the data of a reply's cookie option. */
export const clientOctets = 8;
export const optionOctets = 24;

/**
 * Compares all inputs of a cookie octet by octet, except the secret: a cache belongs to one set of secrets. So a cookie
 * found here equals the one that hashing would make.
 */
export class KnownCookies {
  readonly #octets = new Uint8Array(slots * stride);

  /** The slot of the client with this client cookie. */
  slotOf(octets: Uint8Array, from: number, { family, address }: Client): number {
    let hash: number = family;
    for (let i = 0; i < clientOctets; i += 4) hash = Math.imul(hash ^ read32(octets, from + i), 0x9e3779b1);
    for (let i = 0; i < address.length; i += 4) hash = Math.imul((hash >>> 15) ^ hash ^ read32(address, i), 0x85ebca6b);
    return ((hash >>> 16) & (slots - 1)) * stride;
  }

  /** Copies the known cookie of this client into `reply`. Returns false and writes nothing when there is none. */
  find(slot: number, octets: Uint8Array, from: number, { family, address }: Client, reply: Uint8Array): boolean {
    const known = this.#octets;
    if (known[slot + familyAt] !== family) return false;
    for (let i = 0; i < clientOctets; i++) if (known[slot + i] !== octets[from + i]) return false;
    for (let i = 0; i < address.length; i++) if (known[slot + addressAt + i] !== address[i]) return false;
    for (let i = 0; i < optionOctets; i++) reply[i] = known[slot + i]!;
    return true;
  }

  /** Stores the cookie of a client. */
  keep(slot: number, reply: Uint8Array, { family, address }: Client): void {
    const known = this.#octets;
    for (let i = 0; i < optionOctets; i++) known[slot + i] = reply[i]!;
    for (let i = 0; i < address.length; i++) known[slot + addressAt + i] = address[i]!;
    known[slot + familyAt] = family;
  }
}

export const read32 = (octets: Uint8Array, from: number) =>
  (octets[from]! << 24) | (octets[from + 1]! << 16) | (octets[from + 2]! << 8) | octets[from + 3]!;
