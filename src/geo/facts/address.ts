/** Parses the addresses and prefixes of geo files. */
import { hostMask, scanIp, scanPrefix as scanWritten, withoutMapping } from "../../lib/address/ip.ts";

/** All addresses from `first` to `last`: the octets of two addresses of one family. */
export interface AddressRange {
  readonly first: Uint8Array;
  readonly last: Uint8Array;
}

/** All addresses that begin with the first `bits` of `first`. */
export interface AddressPrefix extends AddressRange {
  readonly bits: number;
}

/** Returns 4 or 16 octets; for an IPv4-mapped address, the 4 of the IPv4 address. Undefined for other text. */
export function scanAddress(text: string): Uint8Array | undefined {
  const octets = scanIp(text);
  return octets && withoutMapping(octets);
}

/** Parses a prefix such as `192.0.2.0/24` or an address. Undefined for other text, or bits that are set beyond the length. */
export function scanPrefix(text: string): AddressPrefix | undefined {
  const written = scanWritten(text);
  if (written === undefined) return undefined;
  const first = withoutMapping(written.address);
  const bits = written.bits - (written.address.length - first.length) * 8;
  if (bits < 0 || first.some((octet, at) => (octet & hostMask(bits, at)) !== 0)) return undefined;
  return { first, last: first.map((octet, at) => octet | hostMask(bits, at)), bits };
}
