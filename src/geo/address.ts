/** Addresses and prefixes of geo files, from text to octets. */
import ipaddr from "ipaddr.js";

/** All addresses from `first` to `last`, octets of one family. */
export interface AddressRange {
  readonly first: Uint8Array;
  readonly last: Uint8Array;
}

/** All addresses that begin with the first `bits` of `first`. */
export interface AddressPrefix extends AddressRange {
  readonly bits: number;
}

/** 4 or 16 octets; an IPv4-mapped address gives its IPv4 address. Undefined when the text is no address. */
export function scanAddress(text: string): Uint8Array | undefined {
  if (!text.includes(":")) return scanIpv4(text);
  if (text.includes("%") || !ipaddr.IPv6.isValid(text)) return undefined;
  return withoutMapping(Uint8Array.from(ipaddr.IPv6.parse(text).toByteArray()));
}

/** The addresses of a prefix such as `192.0.2.0/24`, or of one address. Undefined when the text is neither, or has bits set beyond its length. */
export function scanPrefix(text: string): AddressPrefix | undefined {
  const [address = "", length, ...rest] = text.split("/");
  const first = scanAddress(address);
  if (first === undefined || rest.length > 0) return undefined;
  if (length === undefined) return { first, last: first, bits: first.length * 8 };
  const written = address.includes(":") ? 128 : 32;
  const bits = /^\d{1,3}$/.test(length) ? Number(length) - (written - first.length * 8) : -1;
  if (bits < 0 || bits > first.length * 8) return undefined;
  const last = first.map((octet, at) => octet | hostMask(bits, at));
  return first.some((octet, at) => (octet & hostMask(bits, at)) !== 0) ? undefined : { first, last, bits };
}

/** Less than, equal to or greater than 0 as `a` comes before `b`, is it, or comes after; both of one family. */
export const compareAddresses = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b);

/** Whether 16 octets are an IPv4-mapped address (RFC 4291 §2.5.5.2). */
export function isMapped(octets: Uint8Array, offset: number): boolean {
  for (let at = 0; at < 10; at++) if (octets[offset + at] !== 0) return false;
  return octets[offset + 10] === 255 && octets[offset + 11] === 255;
}

const withoutMapping = (octets: Uint8Array) => (isMapped(octets, 0) ? octets.slice(12) : octets);

function scanIpv4(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return Uint8Array.from(parts, Number);
}

/** The bits of the octet at `at` that lie behind the first `bits` of the address. */
const hostMask = (bits: number, at: number) => (bits >= at * 8 + 8 ? 0 : 255 >> Math.max(0, bits - at * 8));
