/** Server cookies (RFC 7873), interoperable (RFC 9018): edges with the same secret accept each other's cookies. */
import { SipHash } from "../../dns/siphash.ts";
import type { Client } from "../../net/socket/service.ts";
import { clientOctets, KnownCookies, optionOctets, read32 } from "./known-cookies.ts";

/** RFC 9018 section 4.3, in seconds: maximum age, maximum time ahead, and the age from which a cookie is renewed. */
const oldest = 3600;
const ahead = 300;
const renewAfter = 1800;

const version = 1;
/** Offsets in a cookie option: the server cookie begins with the version and three reserved octets. */
const at = { version: 8, time: 12, hash: 16 } as const;

/** One object per worker. */
export class Cookies {
  /** Unix time in seconds, updated by the worker. */
  now = 0;
  /** The cookie that was made last. */
  readonly reply = new Uint8Array(optionOctets);
  readonly #hashes: readonly SipHash[];
  readonly #known = new KnownCookies();
  /** Client cookie, version, reserved, time and address, as they are hashed. */
  readonly #input = new Uint8Array(at.hash + 16);

  /** Secrets of 16 octets each: the first makes cookies, and cookies made with any are accepted. */
  constructor(secrets: readonly Uint8Array[]) {
    this.#hashes = secrets.map((secret) => new SipHash(secret));
  }

  /**
   * Reads the cookie option of a query (`length` octets of data at `from`) and makes the option of the reply.
   * Returns whether the query's server cookie was made for this client, and is neither too old nor too new.
   */
  answer(octets: Uint8Array, from: number, length: number, client: Client): boolean {
    const slot = this.#known.slotOf(octets, from, client);
    if (this.#known.find(slot, octets, from, client, this.reply) && this.#isFresh(this.reply, 0)) {
      if (length === clientOctets) return false;
      if (length === optionOctets && isSame(octets, from, this.reply)) return true;
    }
    const isValid = this.#answer(octets, from, length, client);
    this.#known.keep(slot, this.reply, client);
    return isValid;
  }

  /** Does the same without the cache. */
  #answer(octets: Uint8Array, from: number, length: number, client: Client): boolean {
    const { reply, now } = this;
    for (let i = 0; i < clientOctets; i++) reply[i] = octets[from + i]!;
    const age = length === optionOctets ? (now - read32(octets, from + at.time)) | 0 : -oldest;
    const made = age >= -ahead && age <= oldest ? this.#maker(octets, from, client) : -1;
    const goesBack = made === 0 && this.#isFresh(octets, from) && (read32(octets, from + at.version) & 0xffffff) === 0;
    if (!goesBack) this.#make(client);
    else for (let i = clientOctets; i < optionOctets; i++) reply[i] = octets[from + i]!;
    return made >= 0;
  }

  /** Whether a cookie is young enough to be sent again. */
  #isFresh(octets: Uint8Array, from: number): boolean {
    const age = (this.now - read32(octets, from + at.time)) | 0;
    return age >= -ahead && age <= renewAfter;
  }

  /** Index of the secret that made the cookie; -1 for none. */
  #maker(octets: Uint8Array, from: number, client: Client): number {
    if (octets[from + at.version] !== version) return -1;
    for (let i = 0; i < at.hash; i++) this.#input[i] = octets[from + i]!;
    const low = read32(octets, from + at.hash);
    const high = read32(octets, from + at.hash + 4);
    for (let i = 0; i < this.#hashes.length; i++) {
      const hash = this.#hash(i, client);
      if (swap(hash.low) === low && swap(hash.high) === high) return i;
    }
    return -1;
  }

  #make(client: Client): void {
    const { reply, now } = this;
    reply.fill(0, at.version, at.time);
    reply[at.version] = version;
    write32(reply, at.time, now);
    for (let i = 0; i < at.hash; i++) this.#input[i] = reply[i]!;
    const { low, high } = this.#hash(0, client);
    write32(reply, at.hash, swap(low));
    write32(reply, at.hash + 4, swap(high));
  }

  #hash(secret: number, { address }: Client): SipHash {
    const hash = this.#hashes[secret]!;
    for (let i = 0; i < address.length; i++) this.#input[at.hash + i] = address[i]!;
    hash.update(this.#input, at.hash + address.length);
    return hash;
  }
}

/** Whether this option has the same server cookie as the reply. */
function isSame(octets: Uint8Array, from: number, reply: Uint8Array): boolean {
  for (let i = clientOctets; i < optionOctets; i++) if (octets[from + i] !== reply[i]) return false;
  return true;
}

/** Reverses the octets. */
const swap = (word: number) => (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);

function write32(out: Uint8Array, to: number, value: number): void {
  out[to] = value >>> 24;
  out[to + 1] = value >>> 16;
  out[to + 2] = value >>> 8;
  out[to + 3] = value;
}
