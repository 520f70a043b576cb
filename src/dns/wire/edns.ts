/** The OPT record of a query (RFC 6891), parsed in place. */

export const OptionCode = { NSID: 3, ECS: 8, COOKIE: 10, KEEPALIVE: 11, PADDING: 12, EDE: 15 } as const;

const addressOctets: Readonly<Record<number, number>> = { 1: 4, 2: 16 };

/** Each worker has one such object, and parses every query into it. */
export class Edns {
  present = false;
  /** Whether the list of options or an option does not have the form that its RFC requires. */
  malformed = false;
  version = 0;
  /** The maximum UDP payload that the client accepts, in octets. */
  payload = 0;
  dnssecOk = false;
  /** The offset and length of the client subnet option's data (RFC 7871); 0 octets when absent. */
  ecsAt = 0;
  ecsOctets = 0;
  /** The offset and length of the first cookie option's data: 8 octets, or 16 to 40. */
  cookieAt = 0;
  cookieOctets = 0;
  /** The query's other options with codes below 32, as the bits `1 << code`. */
  asked = 0;

  reset(): void {
    this.present = false;
    this.malformed = false;
    this.version = 0;
    this.payload = 0;
    this.dnssecOk = false;
    this.ecsOctets = 0;
    this.cookieOctets = 0;
    this.asked = 0;
  }

  /** Parses an OPT record whose fields after the type start at `at` in `octets`; its RDATA end at `end`. */
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

  #options(octets: Uint8Array, from: number, end: number): boolean {
    for (let at = from; at < end; ) {
      if (at + 4 > end) return false;
      const code = (octets[at]! << 8) | octets[at + 1]!;
      const length = (octets[at + 2]! << 8) | octets[at + 3]!;
      at += 4;
      if (at + length > end) return false;
      if (code === OptionCode.ECS) {
        if (this.ecsOctets > 0 || !isClientSubnet(octets, at, length)) return false;
        this.ecsAt = at;
        this.ecsOctets = length;
      } else if (code === OptionCode.COOKIE && this.cookieOctets === 0) {
        // RFC 7873 section 5.2: only the first cookie option is valid
        if (length !== 8 && (length < 16 || length > 40)) return false;
        this.cookieAt = at;
        this.cookieOctets = length;
      } else if (code < 32) this.asked |= 1 << code;
      at += length;
    }
    return true;
  }
}

/** RFC 7871 section 6: family, source prefix length, scope 0, only the octets of the prefix, with zeros after the prefix. */
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
