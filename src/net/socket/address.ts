/** IP addresses as octets, and as the kernel's `sockaddr_in` and `sockaddr_in6`. */
import { networkInterfaces } from "node:os";
import { scanIp } from "../../lib/address/ip.ts";
import { invalid } from "../../lib/problem.ts";
import { linux } from "../../lib/system/libc.ts";

export type Family = 4 | 6;

/** Enough octets for the larger of the two, rounded up. */
export const sockaddrRoom = 32;
export const sockaddrLength = { 4: 16, 6: 28 } as const;
/** The position of the address in its sockaddr, and its length. */
export const addressAt = { 4: 4, 6: 8 } as const;
export const addressLength = { 4: 4, 6: 16 } as const;

/** Returns the 4 or 16 octets of an address, without its IPv6 zone (`%eth0`). */
export function addressOctets(address: string): Uint8Array {
  const octets = scanIp(address.replace(/(:.*)%.*/, "$1"));
  if (octets) return octets;
  throw invalid(`"${address}" is not an IP address`);
}

export const familyOf = (address: string): Family => (addressOctets(address).length === 4 ? 4 : 6);

export const isWildcard = (address: string) => addressOctets(address).every((octet) => octet === 0);

export function composeSockaddr(address: string, port: number): Uint8Array {
  const family = familyOf(address);
  const octets = new Uint8Array(sockaddrLength[family]);
  const view = new DataView(octets.buffer);
  view.setUint16(0, family === 4 ? linux.AF_INET : linux.AF_INET6, true);
  view.setUint16(2, port);
  octets.set(addressOctets(address), addressAt[family]);
  if (family === 6) view.setUint32(24, scopeOf(address), true);
  return octets;
}

/** Returns the index of the interface that a link-local address names (`fe80::1%eth0`); 0 if it names none. */
function scopeOf(address: string): number {
  const zone = address.split("%")[1];
  if (zone === undefined) return 0;
  if (/^\d+$/.test(zone)) return Number(zone);
  const scope = networkInterfaces()[zone]?.find((entry) => entry.family === "IPv6" && entry.scopeid)?.scopeid;
  if (scope === undefined) throw invalid(`"${address}": there is no interface ${zone} with IPv6`);
  return scope;
}
