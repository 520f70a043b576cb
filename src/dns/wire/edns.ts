/** The OPT record (RFC 6891): what a query's says, and the one that goes into its answer. */

export const OptionCode = { NSID: 3, ECS: 8, COOKIE: 10, KEEPALIVE: 11, PADDING: 12, EDE: 15 } as const;

/** Octets of an OPT record without options. */
const emptyOpt = 11;
/** Of the options that `offer` takes, in one reply: a cookie, an NSID of 64 octets and a keepalive. */
const offeredRoom = 4 + 24 + 4 + 64 + 4 + 2;
const addressOctets: Readonly<Record<number, number>> = { 1: 4, 2: 16 };

/** One object a worker, filled anew by each query. */
export class Edns {
  present = false;
  /** An option list or an option that is not what its RFC demands. */
  malformed = false;
  version = 0;
  /** Octets of UDP payload that the client takes. */
  payload = 0;
  dnssecOk = false;
  /** EDE info code for the answer; negative for none. */
  extendedError = -1;
  /** The client subnet option (RFC 7871) as it was sent: option data in `octets` from `ecsAt` on; 0 octets when absent. */
  ecsAt = 0;
  ecsOctets = 0;
  /** Scope prefix length for the answer (RFC 7871 section 7.2.1). */
  scope = 0;
  /** The first cookie option, in the same way; of 8 octets, or of 16 to 40. */
  cookieAt = 0;
  cookieOctets = 0;
  /** Which other options below 32 the query has, as the bits `1 << code`. */
  asked = 0;
  /** Blocks that the reply is padded to (RFC 8467 section 4.1), in octets; 0 for no padding. */
  block = 0;
  /** Octets of padding; negative for no option. */
  #padding = -1;
  /** Options of the reply as they are sent. */
  readonly #offered = new Uint8Array(offeredRoom);
  #offeredOctets = 0;

  reset(): void {
    this.present = false;
    this.malformed = false;
    this.version = 0;
    this.payload = 0;
    this.dnssecOk = false;
    this.extendedError = -1;
    this.ecsOctets = 0;
    this.cookieOctets = 0;
    this.asked = 0;
    this.block = 0;
    this.#padding = -1;
    this.#offeredOctets = 0;
  }

  /** Takes an OPT record whose fields after the type start at `at`; its RDATA ends at `end`, inside `octets`. */
  parse(octets: Uint8Array, at: number, end: number): void {
    this.present = true;
    this.payload = (octets[at]! << 8) | octets[at + 1]!;
    this.version = octets[at + 3]!;
    this.dnssecOk = (octets[at + 4]! & 0x80) !== 0;
    this.malformed = !this.#options(octets, at + 8, end);
    if (!this.malformed) return;
    this.ecsOctets = 0;
    this.cookieOctets = 0;
    this.asked = 0;
  }

  asks(code: number): boolean {
    return (this.asked & (1 << code)) !== 0;
  }

  /** Adds an option to the reply; those of one reply fit a cookie, an NSID of 64 octets and a keepalive. */
  offer(code: number, data: Uint8Array): void {
    const to = this.#offeredOctets;
    write16(this.#offered, to, code);
    write16(this.#offered, to + 2, data.length);
    for (let i = 0; i < data.length; i++) this.#offered[to + 4 + i] = data[i]!;
    this.#offeredOctets = to + 4 + data.length;
  }

  /** Octets that `compose` will write. */
  size(): number {
    if (!this.present) return 0;
    const client = this.ecsOctets > 0 ? 4 + this.ecsOctets : 0;
    const error = this.extendedError < 0 ? 0 : 6;
    return emptyOpt + client + error + this.#offeredOctets + (this.#padding < 0 ? 0 : 4 + this.#padding);
  }

  /** Fills up to a whole block, where there is room for `room` octets, a message that has so many without its OPT. */
  pad(octets: number, room: number): void {
    this.#padding = -1;
    if (!this.present || this.block === 0) return;
    const bare = octets + this.size() + 4;
    if (bare <= room) this.#padding = Math.min(room, Math.ceil(bare / this.block) * this.block) - bare;
  }

  /**
   * Writes the answer's OPT record; `query` is what `parse` read from, and `rcode` may have more than four bits.
   */
  compose(out: Uint8Array, at: number, query: Uint8Array, payload: number, rcode: number): void {
    const data = this.size() - emptyOpt;
    out[at] = 0;
    write16(out, at + 1, 41);
    write16(out, at + 3, payload);
    out[at + 5] = rcode >>> 4;
    out[at + 6] = 0;
    write16(out, at + 7, this.dnssecOk ? 0x8000 : 0);
    write16(out, at + 9, data);
    let to = at + emptyOpt;
    if (this.ecsOctets > 0) {
      write16(out, to, OptionCode.ECS);
      write16(out, to + 2, this.ecsOctets);
      for (let i = 0; i < this.ecsOctets; i++) out[to + 4 + i] = query[this.ecsAt + i]!;
      out[to + 7] = this.scope;
      to += 4 + this.ecsOctets;
    }
    for (let i = 0; i < this.#offeredOctets; i++) out[to++] = this.#offered[i]!;
    if (this.extendedError >= 0) {
      write16(out, to, OptionCode.EDE);
      write16(out, to + 2, 2);
      write16(out, to + 4, this.extendedError);
      to += 6;
    }
    if (this.#padding < 0) return;
    write16(out, to, OptionCode.PADDING);
    write16(out, to + 2, this.#padding);
    out.fill(0, to + 4, to + 4 + this.#padding);
  }

  #options(octets: Uint8Array, from: number, end: number): boolean {
    for (let at = from; at < end; ) {
      if (at + 4 > end) return false;
      const code = (octets[at]! << 8) | octets[at + 1]!;
      const length = (octets[at + 2]! << 8) | octets[at + 3]!;
      at += 4;
      if (at + length > end) return false;
      if (code === OptionCode.ECS) {
        if (this.ecsOctets > 0 || !isClientSubnet(octets, at, length)) return false;
        this.scope = 0;
        this.ecsAt = at;
        this.ecsOctets = length;
      } else if (code === OptionCode.COOKIE && this.cookieOctets === 0) {
        // RFC 7873 section 5.2: of several only the first counts
        if (length !== 8 && (length < 16 || length > 40)) return false;
        this.cookieAt = at;
        this.cookieOctets = length;
      } else if (code < 32) this.asked |= 1 << code;
      at += length;
    }
    return true;
  }
}

/** RFC 7871 section 6: family, source prefix length, scope 0, exactly the octets of the prefix, zeros after its bits. */
function isClientSubnet(octets: Uint8Array, at: number, length: number): boolean {
  if (length < 4) return false;
  const family = (octets[at]! << 8) | octets[at + 1]!;
  const prefix = octets[at + 2]!;
  if (octets[at + 3] !== 0 || length !== 4 + ((prefix + 7) >>> 3)) return false;
  if (family === 0) return prefix === 0;
  if (prefix > (addressOctets[family] ?? -1) * 8) return false;
  const spare = (8 - (prefix & 7)) & 7;
  return spare === 0 || (octets[at + length - 1]! & ((1 << spare) - 1)) === 0;
}

function write16(out: Uint8Array, at: number, value: number): void {
  out[at] = value >>> 8;
  out[at + 1] = value;
}
