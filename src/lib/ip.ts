/** IP addresses and prefixes between text and octets. */

/** 4 or 16 octets; undefined for what is no address. */
export const scanIp = (text: string): Uint8Array | undefined => (text.includes(":") ? scanIpv6(text) : scanIpv4(text));

/** Four decimal numbers, nothing else: other readers take 010.0.0.1 for octal. */
export function scanIpv4(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return;
  return Uint8Array.from(parts, Number);
}

/** Every text form of RFC 4291 section 2.2, without zone or prefix. */
export function scanIpv6(text: string): Uint8Array | undefined {
  const words = wordsOf(text);
  return words && Uint8Array.from(words.flatMap((word) => [word >> 8, word & 0xff]));
}

function wordsOf(text: string): number[] | undefined {
  const halves = text.split("::").map(colonWords);
  const [head, tail] = halves;
  if (!head || halves.length > 2 || halves.includes(undefined)) return;
  if (!tail) return head.length === 8 ? head : undefined;
  const zeros = 8 - head.length - tail.length;
  return zeros > 0 ? [...head, ...Array<number>(zeros).fill(0), ...tail] : undefined;
}

/** Words of hexadecimal digits divided by colons; the last two may be written as an IPv4 address. */
function colonWords(text: string): number[] | undefined {
  if (text === "") return [];
  const parts = text.split(":");
  const octets = scanIpv4(parts.at(-1)!);
  const hex = octets ? parts.slice(0, -1) : parts;
  if (!hex.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return;
  const words = hex.map((part) => Number.parseInt(part, 16));
  return octets ? [...words, octets[0]! * 256 + octets[1]!, octets[2]! * 256 + octets[3]!] : words;
}

export const printIp = (octets: Uint8Array): string => (octets.length === 4 ? printIpv4(octets) : printIpv6(octets));

export const printIpv4 = (octets: Uint8Array): string => octets.join(".");

/** As inet_ntop writes it: the first longest run of zeros as `::`, embedded IPv4 addresses with dots. */
export function printIpv6(octets: Uint8Array): string {
  const words = Array.from({ length: 8 }, (_, i) => octets[2 * i]! * 256 + octets[2 * i + 1]!);
  const run = longestZeros(words);
  const embedded = run.start === 0 && (run.length === 6 || (run.length === 5 && words[5] === 0xffff));
  const hex = (from: number, to: number) => words.slice(from, to).map((word) => word.toString(16));
  const tail = embedded ? [...hex(run.length, 6), printIpv4(octets.subarray(12))] : hex(run.start + run.length, 8);
  return run.length < 2 ? hex(0, 8).join(":") : `${hex(0, run.start).join(":")}::${tail.join(":")}`;
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

/** The addresses that begin with the first `bits` of `address`, whatever stands behind them. */
export interface IpPrefix {
  readonly address: Uint8Array;
  readonly bits: number;
}

/** A prefix such as `192.0.2.0/24`, or one address; undefined for what is neither. */
export function scanPrefix(text: string): IpPrefix | undefined {
  const [written = "", length, more] = text.split("/");
  const address = scanIp(written);
  if (address === undefined || more !== undefined) return undefined;
  const bits = length === undefined ? address.length * 8 : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return bits <= address.length * 8 ? { address, bits } : undefined;
}

/** The bits of the octet at `at` that lie behind the first `bits` of an address. */
export const hostMask = (bits: number, at: number) => 255 >> Math.min(8, Math.max(0, bits - at * 8));
