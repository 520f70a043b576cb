/** Converts IP addresses and prefixes between text and octets. Fast for common forms, since metadata has many. */

/** Returns 4 or 16 octets; undefined for text that is not an address. */
export const scanIp = (text: string): Uint8Array | undefined => (text.includes(":") ? scanIpv6(text) : scanIpv4(text));

/** Parses four decimal numbers without leading zeros: other parsers read 010.0.0.1 as octal. */
export function scanIpv4(text: string): Uint8Array | undefined {
  const octets = new Uint8Array(4);
  let parts = 0;
  let part = -1;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - zero;
    if (digit >= 0 && digit <= 9 && part !== 0) {
      part = part < 0 ? digit : part * 10 + digit;
      if (part > 255) return undefined;
    } else {
      if (digit !== dot - zero || part < 0 || parts === 3) return undefined;
      octets[parts++] = part;
      part = -1;
    }
  }
  octets[3] = part;
  return parts === 3 && part >= 0 ? octets : undefined;
}

/** Parses every text form of RFC 4291 section 2.2, without an IPv6 zone or prefix. */
export function scanIpv6(given: string): Uint8Array | undefined {
  const text = withoutDots(given);
  // a colon at the start is the first of two
  if (text === undefined || (text.startsWith(":") && !text.startsWith("::"))) return undefined;
  const words = new Uint16Array(8);
  let count = 0;
  let gap = -1;
  let digits = 0;
  let word = 0;
  for (let at = text.startsWith(":") ? 1 : 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : colon;
    if (code !== colon) {
      const digit = hexDigit(code);
      if (digit < 0 || ++digits > 4) return undefined;
      word = word * 16 + digit;
    } else if (digits > 0) {
      if (count === 8) return undefined;
      words[count++] = word;
      digits = 0;
      word = 0;
    } else if (at < text.length) {
      if (gap >= 0) return undefined;
      gap = count;
    } else if (gap !== count) {
      return undefined;
    }
  }
  if (gap < 0 ? count !== 8 : count === 8) return undefined;
  const octets = new Uint8Array(16);
  for (let i = 0; i < count; i++) {
    const to = gap >= 0 && i >= gap ? 8 - count + i : i;
    octets[2 * to] = words[i]! >> 8;
    octets[2 * to + 1] = words[i]! & 0xff;
  }
  return octets;
}

const zero = 0x30;
const dot = 0x2e;
const colon = 0x3a;

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Replaces an IPv4 address at the end with two hexadecimal words. */
function withoutDots(text: string): string | undefined {
  if (!text.includes(".")) return text;
  const at = text.lastIndexOf(":") + 1;
  const octets = at > 0 ? scanIpv4(text.slice(at)) : undefined;
  return octets && `${text.slice(0, at)}${wordsIn(octets).map(hex).join(":")}`;
}

const wordsIn = (octets: Uint8Array) =>
  Array.from({ length: octets.length / 2 }, (_, i) => octets[2 * i]! * 256 + octets[2 * i + 1]!);

const hex = (word: number) => word.toString(16);

/** Whether 16 octets are an IPv4-mapped address (RFC 4291 section 2.5.5.2). */
export function isMapped(octets: Uint8Array, offset: number): boolean {
  for (let at = 0; at < 10; at++) if (octets[offset + at] !== 0) return false;
  return octets[offset + 10] === 255 && octets[offset + 11] === 255;
}

/** Returns the IPv4 address of an IPv4-mapped address, and other addresses as they are. */
export const withoutMapping = (octets: Uint8Array): Uint8Array =>
  octets.length === 16 && isMapped(octets, 0) ? octets.slice(12) : octets;

export const printIp = (octets: Uint8Array): string => (octets.length === 4 ? printIpv4(octets) : printIpv6(octets));

export const printIpv4 = (octets: Uint8Array): string => octets.join(".");

/** Prints like inet_ntop: the first longest run of zeros as `::`, embedded IPv4 addresses with dots. */
export function printIpv6(octets: Uint8Array): string {
  const words = wordsIn(octets);
  const run = longestZeros(words);
  const embedded = run.start === 0 && (run.length === 6 || (run.length === 5 && words[5] === 0xffff));
  const texts = words.map(hex);
  const after = texts.slice(run.start + run.length);
  const tail = embedded ? [...after.slice(0, -2), printIpv4(octets.subarray(12))] : after;
  return run.length < 2 ? texts.join(":") : `${texts.slice(0, run.start).join(":")}::${tail.join(":")}`;
}

function longestZeros(words: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < 8; start++) {
    let end = start;
    while (words[end] === 0) end += 1;
    if (end - start > best.length) best = { start, length: end - start };
  }
  return best;
}

/** Names the IPv4 address, or the IPv6 /48, which is what one site may have: whoever has many /64 networks has one of these. */
export const networkOf = (octets: Uint8Array): string => octets.subarray(0, octets.length === 4 ? 4 : 6).join(".");

/** All addresses that begin with the first `bits` of `address`; later bits of `address` are ignored. */
export interface IpPrefix {
  readonly address: Uint8Array;
  readonly bits: number;
}

/** Parses a prefix such as `192.0.2.0/24` or an address; undefined for other text. */
export function scanPrefix(text: string): IpPrefix | undefined {
  const [written = "", length, more] = text.split("/");
  const address = scanIp(written);
  if (address === undefined || more !== undefined) return undefined;
  const bits = length === undefined ? address.length * 8 : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return bits <= address.length * 8 ? { address, bits } : undefined;
}

/** Whether an address of 4 or 16 octets has this prefix. Allocates nothing: it is called for queries. */
export function contains({ address, bits }: IpPrefix, other: Uint8Array): boolean {
  if (address.length !== other.length) return false;
  for (let i = 0; i * 8 < bits; i++) {
    const spare = Math.max(0, (i + 1) * 8 - bits);
    if ((address[i]! ^ other[i]!) >>> spare !== 0) return false;
  }
  return true;
}

/** Returns the mask of the bits in octet `at` that are after the first `bits` of an address. */
export const hostMask = (bits: number, at: number) => 255 >> Math.min(8, Math.max(0, bits - at * 8));
