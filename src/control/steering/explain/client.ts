/** Reads the client of an explain request: its address, its client subnet, and its location. */

import type { Sender } from "../../../answer/chain/steering.ts";
import { locateNobody } from "../../../answer/chain/unknown.ts";
import type { Locate } from "../../../answer/filters/contract/client.ts";
import { countries } from "../../../answer/model/places.ts";
import type { Subnet } from "../../../dns/reply.ts";
import { findPlace } from "../../../geo/facts/places.ts";
import { hostMask, printIp, scanIp, scanPrefix } from "../../../lib/address/ip.ts";
import { type ClientFacts, georegions } from "../../../lib/facts.ts";
import { invalid } from "../../../lib/problem.ts";
import type { ExplainBody } from "./schema.ts";

export type Location = NonNullable<ExplainBody["location"]>;

/** The client of a question, as plain data. */
export interface Asker {
  readonly sender: Sender;
  /** The sender's address as text. */
  readonly address: string;
  readonly subnet: Subnet | undefined;
  readonly subnetText: string | null;
  /** Whether the service has geo files, by which it knows where clients are. */
  readonly canLocate: boolean;
  /** The facts about the sender, and about the subnet. */
  readonly facts: { readonly sender: ClientFacts; readonly subnet: ClientFacts };
}

/** An address for documentation (RFC 5737), about which nothing is known. */
const anyAddress = "192.0.2.1";

/** Reads the client of a request, and locates it. Throws for text that is not an address or a prefix. */
export function readAsker(body: ExplainBody, locate: Locate): Asker {
  const { sender, text: address } = readClient(body.client);
  const subnetText = body.subnet || null;
  const subnet = subnetText === null ? undefined : readSubnet(subnetText);
  const ofSender = factsOf(locate, sender);
  const facts = { sender: ofSender, subnet: subnet ? factsOf(locate, subnet) : ofSender };
  return { sender, address, subnet, subnetText, canLocate: locate !== locateNobody, facts };
}

function factsOf(locate: Locate, { family, address }: Sender): ClientFacts {
  const octets = new Uint8Array(16);
  octets.set(address);
  return locate(octets, 0, family === 4 ? 4 : 16);
}

/** Locates the addresses of a client by the facts about it. */
export function locatedAs({ sender, facts }: Asker): Locate {
  const length = sender.family === 4 ? 4 : 16;
  const isSender = (octets: Uint8Array, at: number, given: number) =>
    given === length && sender.address.subarray(0, length).every((octet, i) => octet === octets[at + i]);
  return (octets, at, given) => (isSender(octets, at, given) ? facts.sender : facts.subnet);
}

/** Throws for text that is not an address. */
function readClient(text: string | null | undefined): { readonly sender: Sender; readonly text: string } {
  const address = readAddress(text ?? anyAddress, "client");
  const octets = new Uint8Array(16);
  octets.set(address);
  return { sender: { family: familyOf(address), address: octets }, text: printIp(address) };
}

/** Bits beyond the prefix length are set to 0. Throws for text that is not a prefix. */
function readSubnet(text: string): Subnet {
  const [written = ""] = text.split("/");
  const most = readAddress(written, "subnet").length * 8;
  const prefix = scanPrefix(text);
  if (prefix === undefined)
    throw invalid(`subnet: ${text} must have a prefix length of 0 to ${most}`, { field: "subnet" });
  const { address, bits } = prefix;
  const octets = address.map((octet, at) => octet & ~hostMask(bits, at));
  return { family: familyOf(address), address: octets, prefix: bits };
}

function readAddress(text: string, field: string): Uint8Array {
  const octets = scanIp(text);
  if (octets === undefined) throw invalid(`${field}: ${text} is not an address`, { field });
  return octets;
}

const familyOf = (address: Uint8Array) => (address.length === 4 ? 4 : 6);

/** Throws for a country that does not exist. */
export function assertPlace({ country }: Location): void {
  if (country == null || countries().includes(country.toUpperCase())) return;
  const field = "location.country";
  throw invalid(`${field}: "${country}" is not a country code of ISO 3166-1`, { field });
}

/** Locates every address at the same place. The result depends on all bits of the address. */
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
  const located = { 4: at(32), 16: at(128) };
  return (_octets, _offset, length) => located[length];
}
