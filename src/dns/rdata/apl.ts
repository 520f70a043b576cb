/** The field with a list of address prefixes (RFC 3123): `1:192.0.2.0/24 !2:2001:db8::/32`. */
import { printIpv4, printIpv6 } from "../../lib/address/ip.ts";
import { show } from "../wire/presentation.ts";
import { joined, type Reader, WireError } from "../wire/wire.ts";
import { readIpv4, readIpv6 } from "./addresses.ts";
import { restField } from "./kind.ts";

interface Family {
  readonly octets: number;
  scan(text: string): Uint8Array;
  print(address: Uint8Array): string;
}

/** Address families by their IANA numbers. */
const families: Readonly<Record<number, Family>> = {
  1: { octets: 4, scan: readIpv4, print: printIpv4 },
  2: { octets: 16, scan: readIpv6, print: printIpv6 },
};

export const addressPrefixes = restField({
  scan: (tokens) => joined(tokens.rest().map((token) => scanItem(token.text))),
  print,
  parse,
});

function scanItem(text: string): Uint8Array {
  const [, negation, number, address, prefix] = /^(!?)(\d{1,5}):([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const family = families[Number(number)];
  if (!family) throw new WireError(`${show(text)} is not a prefix like 1:192.0.2.0/24 or 2:2001:db8::/32`);
  if (Number(prefix) > 8 * family.octets) throw new WireError(`${show(text)} has too long a prefix`);
  const octets = family.scan(address!);
  const length = 1 + octets.findLastIndex((octet) => octet !== 0);
  const flag = negation ? 0x80 : 0;
  return joined([Uint8Array.of(0, Number(number), Number(prefix), flag | length), octets.subarray(0, length)]);
}

function print(field: Uint8Array): string {
  const items: string[] = [];
  for (let at = 0; at < field.length; ) {
    const [number, prefix, flags] = [field[at + 1]!, field[at + 2]!, field[at + 3]!];
    const family = families[number]!;
    const address = new Uint8Array(family.octets);
    address.set(field.subarray(at + 4, at + 4 + (flags & 0x7f)));
    items.push(`${flags & 0x80 ? "!" : ""}${number}:${family.print(address)}/${prefix}`);
    at += 4 + (flags & 0x7f);
  }
  return items.join(" ");
}

function parse(reader: Reader): Uint8Array {
  const items: Uint8Array[] = [];
  while (reader.left > 0) {
    const head = reader.bytes(4);
    const [high, low, prefix, flags] = [head[0]!, head[1]!, head[2]!, head[3]!];
    const family = high === 0 ? families[low] : undefined;
    if (!family) throw new WireError(`has a prefix of the unknown family ${high * 256 + low}`);
    const address = reader.bytes(flags & 0x7f);
    if (prefix > 8 * family.octets || address.length > family.octets) throw new WireError("has too long a prefix");
    if (address.at(-1) === 0) throw new WireError("has an address that ends with zeros");
    items.push(head, address);
  }
  return joined(items);
}
