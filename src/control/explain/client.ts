/** Whom explain asks for: an address, a client subnet, and where they are. */
import ipaddr from "ipaddr.js";
import type { Locate } from "../../answer/client.ts";
import type { Source } from "../../answer/steering.ts";
import type { Subnet } from "../../dns/reply.ts";
import { findPlace } from "../../geo/places.ts";
import { type ClientFacts, georegions } from "../../lib/facts.ts";
import { invalid } from "../../lib/problem.ts";
import type { ExplainBody } from "./schema.ts";

export type Location = NonNullable<ExplainBody["location"]>;

/** An address for documentation (RFC 5737), of which nobody knows anything. */
const nobody = "192.0.2.1";

/** Throws for what is no address. */
export function readClient(text: string | null | undefined): { readonly source: Source; readonly text: string } {
  const address = readAddress(text ?? nobody, "client");
  const octets = new Uint8Array(16);
  octets.set(address.toByteArray());
  return { source: { family: address.kind() === "ipv4" ? 4 : 6, address: octets }, text: address.toString() };
}

/** Throws for what is no prefix, and for one with bits behind its length. */
export function readSubnet(text: string): Subnet {
  const [address = "", length] = text.split("/");
  const parsed = readAddress(address, "subnet");
  const family = parsed.kind() === "ipv4" ? 4 : 6;
  const most = family === 4 ? 32 : 128;
  const prefix = length === undefined ? most : Number(length);
  if (!/^\d{1,3}$/.test(length ?? "0") || prefix > most) {
    throw invalid(`subnet: the length of ${text} is not 0 to ${most}`, { field: "subnet" });
  }
  const octets = Uint8Array.from(parsed.toByteArray());
  for (let bit = prefix; bit < most; bit++) octets[bit >>> 3]! &= ~(0x80 >>> (bit & 7));
  return { family, address: octets, prefix };
}

function readAddress(text: string, field: string): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) {
    throw invalid(`${field}: ${text} is not an address`, { field });
  }
  return ipaddr.parse(text);
}

/** Says the same place of every address. What it depends on is the whole of the address. */
export function locatedAt(location: Location): Locate {
  const country = location.country?.toUpperCase();
  const subdivision = location.subdivision?.toUpperCase();
  const middle = country === undefined ? undefined : findPlace(country, subdivision);
  const hasCoordinates = typeof location.latitude === "number" && typeof location.longitude === "number";
  const facts = {
    country,
    subdivision,
    georegion: georegions.find((one) => one === location.georegion) ?? middle?.georegion,
    asn: location.asn ?? undefined,
    latitude: hasCoordinates ? (location.latitude ?? undefined) : middle?.latitude,
    longitude: hasCoordinates ? (location.longitude ?? undefined) : middle?.longitude,
  };
  const at = (bits: number): ClientFacts => ({
    ...facts,
    lengths: { country: bits, subdivision: bits, georegion: bits, asn: bits, coordinates: bits },
  });
  const places = { 4: at(32), 16: at(128) };
  return (_octets, _offset, length) => places[length];
}
