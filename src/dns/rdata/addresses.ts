/** Fields that are IP addresses. */
import { show } from "../presentation.ts";
import { WireError } from "../wire.ts";
import { textField } from "./kind.ts";

export const ipv4 = textField({ read: scanIpv4, write: printIpv4, parse: (reader) => reader.bytes(4) });
export const ipv6 = textField({ read: scanIpv6, write: printIpv6, parse: (reader) => reader.bytes(16) });

/** Four decimal numbers, nothing else: other readers take 010.0.0.1 for octal. */
export function scanIpv4(text: string): Uint8Array {
  const octets = ipv4Octets(text);
  if (!octets) throw new WireError(`${show(text)} is not an IPv4 address`);
  return octets;
}

function ipv4Octets(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return;
  return Uint8Array.from(parts, Number);
}

export function printIpv4(field: Uint8Array): string {
  return field.join(".");
}

/** Every text form of RFC 4291 section 2.2, without zone or prefix. */
export function scanIpv6(text: string): Uint8Array {
  const words = ipv6Words(text);
  if (!words) throw new WireError(`${show(text)} is not an IPv6 address`);
  return Uint8Array.from(words.flatMap((word) => [word >> 8, word & 0xff]));
}

function ipv6Words(text: string): number[] | undefined {
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
  const octets = ipv4Octets(parts.at(-1)!);
  const hex = octets ? parts.slice(0, -1) : parts;
  if (!hex.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return;
  const words = hex.map((part) => Number.parseInt(part, 16));
  return octets ? [...words, octets[0]! * 256 + octets[1]!, octets[2]! * 256 + octets[3]!] : words;
}

/** As inet_ntop writes it: the first longest run of zeros as `::`, embedded IPv4 addresses with dots. */
export function printIpv6(field: Uint8Array): string {
  const words = Array.from({ length: 8 }, (_, i) => field[2 * i]! * 256 + field[2 * i + 1]!);
  const run = longestZeros(words);
  const embedded = run.start === 0 && (run.length === 6 || (run.length === 5 && words[5] === 0xffff));
  const hex = (from: number, to: number) => words.slice(from, to).map((word) => word.toString(16));
  const tail = embedded ? [...hex(run.length, 6), printIpv4(field.subarray(12))] : hex(run.start + run.length, 8);
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
