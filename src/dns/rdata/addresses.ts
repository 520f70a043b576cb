/** Fields that are IP addresses. */
import { printIpv4, printIpv6, scanIpv4, scanIpv6 } from "../../lib/address/ip.ts";
import { show } from "../wire/presentation.ts";
import { WireError } from "../wire/wire.ts";
import { type FieldKind, textField } from "./kind.ts";

/** Throws a WireError for an invalid address. */
export function readIpv4(text: string): Uint8Array {
  const octets = scanIpv4(text);
  if (!octets) throw new WireError(`${show(text)} is not an IPv4 address`);
  return octets;
}

/** Throws a WireError for an invalid address. */
export function readIpv6(text: string): Uint8Array {
  const octets = scanIpv6(text);
  if (!octets) throw new WireError(`${show(text)} is not an IPv6 address`);
  return octets;
}

export const ipv4: FieldKind = {
  ...textField({ read: readIpv4, write: printIpv4, parse: (reader) => reader.bytes(4) }),
  form: { type: "ipv4" },
  isExact: true,
};
export const ipv6: FieldKind = {
  ...textField({ read: readIpv6, write: printIpv6, parse: (reader) => reader.bytes(16) }),
  form: { type: "ipv6" },
  isExact: true,
};
