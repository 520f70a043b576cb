/**
 * Queries in Ethernet frames over IPv4 and IPv6: the checks that the kernel makes of a UDP datagram, and the headers of
 * the answer. Nothing is allocated. Frames begin at even addresses.
 */
import type { Client } from "../socket/service.ts";
import { type FrameMemory, folded, sumOf } from "./checksum.ts";

/** Octets before the DNS message: Ethernet, IP without options, UDP. */
export const headOf = { 4: 42, 6: 62 } as const;
export const longestHead = headOf[6];

const ethernet = 14;
const udpHeader = 8;
const protocolUdp = 17;
/** The protocol in the pseudo header, as a little-endian word. */
const pseudoProtocol = protocolUdp << 8;
const hopLimit = 64;
/** Without its checksum, which the hardware adds (IEEE 802.3). */
const shortestFrame = 60;

/** Offsets in the frame of addresses, and the octets of one. */
const addresses = {
  4: { source: 26, destination: 30, length: 4 },
  6: { source: 22, destination: 38, length: 16 },
} as const;

export interface FrameClient extends Client {
  port: number;
}

export const makeClient = (family: 4 | 6): FrameClient => ({
  ...{ family, address: new Uint8Array(addresses[family].length), port: 0 },
});

/**
 * Checks a frame of `length` octets at `at`. Returns the octets before its DNS message, 42 over IPv4 and 62 over IPv6; 0
 * if it is not a query that may be answered. Whether the destination is ours was checked before.
 */
export function checkFrame(memory: FrameMemory, at: number, length: number): number {
  const { octets } = memory;
  if (length < headOf[4] || (at & 1) !== 0) return 0;
  // addressed to a group, or from one
  if (((octets[at]! | octets[at + 6]!) & 1) !== 0) return 0;
  const type = wordAt(octets, at + 12);
  if (type === 0x0800) return checkIpv4(memory, at, length) ? headOf[4] : 0;
  if (type === 0x86dd) return length >= headOf[6] && checkIpv6(memory, at, length) ? headOf[6] : 0;
  return 0;
}

/** The end of the DNS message of a checked frame: what follows is padding. */
export const messageEnd = ({ octets }: FrameMemory, at: number, head: number): number =>
  at + head - udpHeader + wordAt(octets, at + head - 4);

/** Copies the client of a checked frame. */
export function readClient({ octets }: FrameMemory, at: number, head: number, client: FrameClient): void {
  const { source, length } = addresses[client.family];
  for (let octet = 0; octet < length; octet++) client.address[octet] = octets[at + source + octet]!;
  client.port = wordAt(octets, at + head - udpHeader);
}

/** The port that a checked frame was sent to. */
export const portOf = ({ octets }: FrameMemory, at: number, head: number): number => wordAt(octets, at + head - 6);

/** Where the address is that a frame was sent to. */
export const destinationAt = (at: number, head: number): number =>
  at + (head === headOf[4] ? addresses[4] : addresses[6]).destination;

/**
 * Composes the headers at `at` of an answer of `length` octets, which is there already, to the checked frame at `query`.
 * Returns the octets of the answer's frame.
 */
export function composeHead(memory: FrameMemory, at: number, query: number, head: number, length: number): number {
  const { octets, words } = memory;
  const ip = at + ethernet;
  const udp = at + head - udpHeader;
  const datagram = udpHeader + length;
  copyWords(words, at, query + 6, 6);
  copyWords(words, at + 6, query, 6);
  words[(at + 12) >> 1] = words[(query + 12) >> 1]!;
  const { source, destination, length: octetsOfAddress } = head === headOf[4] ? addresses[4] : addresses[6];
  copyWords(words, at + source, query + destination, octetsOfAddress);
  copyWords(words, at + destination, query + source, octetsOfAddress);
  if (head === headOf[4]) composeIpv4(memory, ip, 20 + datagram);
  else composeIpv6(octets, ip, datagram);
  words[udp >> 1] = words[(query + head - 6) >> 1]!;
  words[(udp + 2) >> 1] = words[(query + head - udpHeader) >> 1]!;
  setWord(octets, udp + 4, datagram);
  setWord(octets, udp + 6, 0);
  const sum = ~folded(pseudoSum(memory, at, head) + sumOf(memory, udp, udp + datagram)) & 0xffff;
  // 0 would mean that there is no checksum (RFC 768)
  words[(udp + 6) >> 1] = sum === 0 ? 0xffff : sum;
  for (let end = head + length; end < shortestFrame; end++) octets[at + end] = 0;
  return Math.max(shortestFrame, head + length);
}

const wordAt = (octets: Uint8Array, at: number): number => (octets[at]! << 8) | octets[at + 1]!;

/** Copies an even number of octets between even addresses. */
function copyWords(words: Uint16Array, to: number, from: number, length: number): void {
  for (let word = 0; word < length >> 1; word++) words[(to >> 1) + word] = words[(from >> 1) + word]!;
}

function setWord(octets: Uint8Array, at: number, value: number): void {
  octets[at] = value >> 8;
  octets[at + 1] = value & 0xff;
}

function checkIpv4(memory: FrameMemory, at: number, length: number): boolean {
  const { octets } = memory;
  const ip = at + ethernet;
  const total = wordAt(octets, ip + 2);
  return (
    octets[ip] === 0x45 &&
    total <= length - ethernet &&
    (wordAt(octets, ip + 6) & 0x3fff) === 0 &&
    octets[ip + 9] === protocolUdp &&
    folded(sumOf(memory, ip, ip + 20)) === 0xffff &&
    isClientIpv4(octets, ip + 12) &&
    checkUdp(memory, at, headOf[4], total - 20, true)
  );
}

function checkIpv6(memory: FrameMemory, at: number, length: number): boolean {
  const { octets } = memory;
  const ip = at + ethernet;
  const payload = wordAt(octets, ip + 4);
  return (
    (octets[ip]! & 0xf0) === 0x60 &&
    octets[ip + 6] === protocolUdp &&
    payload <= length - ethernet - 40 &&
    isClientIpv6(octets, ip + 8) &&
    checkUdp(memory, at, headOf[6], payload, false)
  );
}

/** The host can be asked from: not "this network", loopback, a group, or everybody (RFC 1122 section 3.2.1.3). */
function isClientIpv4(octets: Uint8Array, at: number): boolean {
  const first = octets[at]!;
  if (first >= 224 && first < 240) return false;
  if (first === 255) return octets[at + 1] !== 255 || octets[at + 2] !== 255 || octets[at + 3] !== 255;
  return first !== 0 && first !== 127;
}

/** Likewise: not a group, unspecified, loopback, or an IPv4 address in IPv6 form (RFC 4291 section 2.5). */
function isClientIpv6(octets: Uint8Array, at: number): boolean {
  if (octets[at] === 0xff) return false;
  for (let octet = 0; octet < 10; octet++) if (octets[at + octet] !== 0) return true;
  const next = wordAt(octets, at + 10);
  if (next === 0xffff) return false;
  if (next !== 0 || wordAt(octets, at + 12) !== 0 || octets[at + 14] !== 0) return true;
  return octets[at + 15]! > 1;
}

/** `room` is what the IP header leaves for UDP. A datagram may be shorter. */
function checkUdp(memory: FrameMemory, at: number, head: number, room: number, mayLackSum: boolean): boolean {
  const { octets, words } = memory;
  const udp = at + head - udpHeader;
  const length = wordAt(octets, udp + 4);
  if (length < udpHeader || length > room || wordAt(octets, udp) === 0) return false;
  const sum = words[(udp + 6) >> 1]!;
  if (sum === 0) return mayLackSum;
  const pseudo = pseudoSum(memory, at, head);
  // a sender on this machine leaves the sum to the hardware, which has not seen the frame: only the pseudo header is in
  return folded(pseudo + sumOf(memory, udp, udp + length)) === 0xffff || sum === folded(pseudo);
}

/** The sum of the pseudo header: addresses, protocol and the length of the datagram (RFC 768, RFC 8200 section 8.1). */
function pseudoSum(memory: FrameMemory, at: number, head: number): number {
  const { source, length } = head === headOf[4] ? addresses[4] : addresses[6];
  const from = at + source;
  return sumOf(memory, from, from + 2 * length) + pseudoProtocol + memory.words[(at + head - 4) >> 1]!;
}

/** Without fragments, and so without an identification (RFC 6864 section 4.1, RFC 9715). */
function composeIpv4(memory: FrameMemory, ip: number, total: number): void {
  const { octets, words } = memory;
  words[ip >> 1] = 0x0045;
  setWord(octets, ip + 2, total);
  words[(ip + 4) >> 1] = 0;
  words[(ip + 6) >> 1] = 0x0040;
  octets[ip + 8] = hopLimit;
  octets[ip + 9] = protocolUdp;
  words[(ip + 10) >> 1] = 0;
  words[(ip + 10) >> 1] = ~folded(sumOf(memory, ip, ip + 20));
}

function composeIpv6(octets: Uint8Array, ip: number, payload: number): void {
  octets[ip] = 0x60;
  octets[ip + 1] = 0;
  octets[ip + 2] = 0;
  octets[ip + 3] = 0;
  setWord(octets, ip + 4, payload);
  octets[ip + 6] = protocolUdp;
  octets[ip + 7] = hopLimit;
}
