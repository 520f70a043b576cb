/** Allow lists of addresses: the accepted spellings, and whether a list contains an address. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
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

type Address = ReturnType<typeof ipaddr.process>;

/** Parses an address; an IPv4-mapped IPv6 address becomes the IPv4 address. Undefined for anything else. */
function canonical(address: string): Address | undefined {
  const [plain = ""] = address.split("%");
  return isIP(plain) === 0 ? undefined : ipaddr.process(plain);
}

/** The error in an entry; undefined for a valid one. */
function wrongWith(entry: string): string | undefined {
  const [address = "", length, more] = entry.split("/");
  const family = isIP(address);
  const neither = "is not an IP address or a prefix such as 192.0.2.0/24";
  if (family === 0 || address.includes("%") || more !== undefined) return neither;
  if (length === undefined) return undefined;
  if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > (family === 4 ? 32 : 128)) return neither;
  return isNetwork(address, Number(length))
    ? undefined
    : `has host bits set: all bits after the first ${length} must be 0`;
}

const isNetwork = (address: string, length: number) =>
  ipaddr
    .parse(address)
    .toByteArray()
    .every((octet, i) => (octet & (0xff >> Math.min(8, Math.max(0, length - i * 8)))) === 0);

interface Network {
  readonly address: Address;
  readonly bits: number;
}

/** Cached by list, because the same callers are checked repeatedly. */
const known = new WeakMap<readonly string[], readonly (Network | undefined)[]>();

function networksOf(entries: readonly string[]): readonly (Network | undefined)[] {
  const networks = known.get(entries) ?? entries.map(networkOf);
  known.set(entries, networks);
  return networks;
}

const covers = (outer: Network | undefined, { address, bits }: Network) =>
  outer !== undefined &&
  outer.bits <= bits &&
  outer.address.kind() === address.kind() &&
  address.match(outer.address, outer.bits);

const widthOf = (address: Address) => (address.kind() === "ipv4" ? 32 : 128);

/** Undefined for a prefix of IPv4-mapped IPv6 that is wider than all of IPv4; it matches no address. */
function networkOf(entry: string): Network | undefined {
  const [text = "", length] = entry.split("/");
  const address = canonical(text);
  if (address === undefined) return undefined;
  const mapped = isIP(text) === 6 && address.kind() === "ipv4";
  const bits = length === undefined ? widthOf(address) : Number(length) - (mapped ? 96 : 0);
  return bits < 0 ? undefined : { address, bits };
}
