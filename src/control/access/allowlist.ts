/** Allow lists of addresses: the accepted spellings, and whether a list contains an address. */
import { contains, hostMask, type IpPrefix, scanIp, withoutMapping } from "../../lib/address/ip.ts";
import { cachedByPair } from "../../lib/pair-cache.ts";
import { invalid, invalidField } from "../../lib/problem.ts";
import { limits } from "../kit/limits.ts";

/** Throws for spellings that people misread: octal and short IPv4 addresses, IPv6 zone ids, prefixes with host bits. */
export function assertAllowList(entries: readonly string[], field: string): void {
  if (entries.length > limits.allowListEntries)
    throw invalid(`${field} has more than ${limits.allowListEntries} entries`, { field });
  for (const entry of entries) {
    const wrong = wrongWith(entry);
    if (wrong !== undefined) throw invalidField(field, `"${entry.slice(0, 60)}" ${wrong}`);
  }
}

/** Whether an entry contains the address, in any spelling. */
export function isListed(entries: readonly string[], address: string): boolean {
  const candidate = canonical(address);
  if (candidate === undefined) return false;
  const one = { address: candidate, bits: widthOf(candidate) };
  return networksOf(entries).some((network) => covers(network, one));
}

/** Whether each entry is within one of `outer`, so that the first list admits only addresses that the second admits. */
export const isWithin = cachedByPair((entries: readonly string[], outer: readonly string[]) => {
  const networks = networksOf(outer);
  return networksOf(entries).every(
    (inner) => inner === undefined || networks.some((network) => covers(network, inner)),
  );
});

/** Parses an address, also one with an IPv6 zone; an IPv4-mapped IPv6 address becomes the IPv4 address. */
function canonical(address: string): Uint8Array | undefined {
  const octets = scanIp(address.replace(/%.*/s, ""));
  return octets && withoutMapping(octets);
}

/** The error in an entry; undefined for a valid one. */
function wrongWith(entry: string): string | undefined {
  const [address = "", length, more] = entry.split("/");
  const octets = scanIp(address);
  const neither = "is not an IP address or a prefix such as 192.0.2.0/24";
  if (octets === undefined || more !== undefined) return neither;
  if (length === undefined) return undefined;
  if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > widthOf(octets)) return neither;
  return octets.every((octet, at) => (octet & hostMask(Number(length), at)) === 0)
    ? undefined
    : `has host bits set: all bits after the first ${length} must be 0`;
}

/** Cached by list, because the same callers are checked repeatedly. */
const known = new WeakMap<readonly string[], readonly (IpPrefix | undefined)[]>();

function networksOf(entries: readonly string[]): readonly (IpPrefix | undefined)[] {
  const networks = known.get(entries) ?? entries.map(networkOf);
  known.set(entries, networks);
  return networks;
}

const covers = (outer: IpPrefix | undefined, { address, bits }: IpPrefix) =>
  outer !== undefined && outer.bits <= bits && contains(outer, address);

const widthOf = (address: Uint8Array) => address.length * 8;

/** Undefined for a prefix of IPv4-mapped IPv6 that is wider than all of IPv4; it matches no address. */
function networkOf(entry: string): IpPrefix | undefined {
  const [text = "", length] = entry.split("/");
  const address = canonical(text);
  if (address === undefined) return undefined;
  const mapped = text.includes(":") && address.length === 4;
  const bits = length === undefined ? widthOf(address) : Number(length) - (mapped ? 96 : 0);
  return bits < 0 ? undefined : { address, bits };
}
