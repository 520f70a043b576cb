/** Addresses as text, read by hand: a record may have very many, and a worker reads them while queries wait. */
import ipaddr from "ipaddr.js";

/** Four decimal numbers without zeros in front: one word; undefined for everything else. */
export function readIpv4(text: string): Uint32Array | undefined {
  let address = 0;
  let parts = 0;
  let part = -1;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - zero;
    if (digit >= 0 && digit <= 9 && part !== 0) {
      part = part < 0 ? digit : part * 10 + digit;
      if (part > 255) return undefined;
    } else {
      if (digit !== dot - zero || part < 0 || parts === 3) return undefined;
      address = address * 256 + part;
      parts++;
      part = -1;
    }
  }
  return parts === 3 && part >= 0 ? Uint32Array.of(address * 256 + part) : undefined;
}

const zero = 0x30;
const dot = 0x2e;

/** Any form of RFC 4291 section 2.2: four words; undefined for everything else. */
export function readIpv6(text: string): Uint32Array | undefined {
  if (!text.includes(":")) return undefined;
  const plain = readPlainIpv6(text);
  if (plain !== undefined) return plain;
  try {
    const words = new Uint32Array(4);
    for (const [i, group] of ipaddr.IPv6.parse(text).parts.entries()) words[i >>> 1]! |= group << (16 - 16 * (i & 1));
    return words;
  } catch {
    return undefined;
  }
}

const ipv6Groups = 8;

/** An address of groups with one `::` among or behind them; undefined for every other form. */
function readPlainIpv6(text: string): Uint32Array | undefined {
  const groups = new Uint16Array(ipv6Groups);
  let count = 0;
  let gap = -1;
  let digits = 0;
  let group = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : colon;
    if (code !== colon) {
      const digit = hexDigit(code);
      if (digit < 0 || ++digits > 4) return undefined;
      group = group * 16 + digit;
    } else if (digits > 0) {
      if (count === ipv6Groups) return undefined;
      groups[count++] = group;
      digits = 0;
      group = 0;
    } else if (at < text.length) {
      // an empty group: the second colon of the gap
      if (gap >= 0 || at === 0) return undefined;
      gap = count;
    } else if (gap !== count) {
      return undefined;
    }
  }
  if (gap < 0 ? count !== ipv6Groups : count >= ipv6Groups) return undefined;
  const words = new Uint32Array(4);
  for (let i = 0; i < count; i++) {
    const to = gap >= 0 && i >= gap ? ipv6Groups - count + i : i;
    words[to >>> 1]! |= groups[i]! << (16 - 16 * (to & 1));
  }
  return words;
}

const colon = 0x3a;

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
