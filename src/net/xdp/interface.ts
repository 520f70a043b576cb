/** Facts about a network interface, by ioctl(2) (netdevice(7)), and the addresses of this machine. */
import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import type { Endpoint } from "../../lib/address/egress.ts";
import { invalid } from "../../lib/problem.ts";
import { libc, linux } from "../../lib/system/libc.ts";
import { addressOctets, isWildcard } from "../socket/address.ts";
import { closeFd } from "../socket/sockets.ts";
import type { XdpEndpoint, XdpRules } from "./program.ts";

export interface Interface {
  readonly name: string;
  readonly index: number;
  /** 6 octets. */
  readonly mac: Uint8Array;
  readonly mtu: number;
  /** Pairs of queues, for receiving and for sending. */
  readonly queues: number;
}

/** struct ifreq: a name of 16 octets, then what is asked for. */
const request = { octets: 40, value: 16 } as const;
/** ETHTOOL_GCHANNELS, and the words of struct ethtool_channels. */
const channels = { command: 0x3c, words: 9, receiving: 5, sending: 6, combined: 8 } as const;
const ethernet = 1;

/** Throws a Problem that says why queries on the interface cannot be taken. */
export function describeInterface(name: string): Interface {
  const index = libc().if_nametoindex(name);
  if (index === 0) throw invalid(`there is no interface ${name}`);
  const vlan = vlanOn(name);
  if (vlan !== undefined) {
    throw invalid(`${name} has a VLAN (${vlan}): its tags would be lost. Leave this interface to the sockets`);
  }
  const fd = libc().socket(linux.AF_INET, linux.SOCK_DGRAM | linux.SOCK_CLOEXEC, 0);
  if (fd < 0) throw invalid(`${name} cannot be asked: ${libc().nameOf(libc().errno())}`);
  try {
    const mtu = ask(fd, linux.SIOCGIFMTU, name).getInt32(request.value, true);
    const hardware = ask(fd, linux.SIOCGIFHWADDR, name);
    if (hardware.getUint16(request.value, true) !== ethernet) throw invalid(`${name} is not Ethernet`);
    const mac = new Uint8Array(hardware.buffer.slice(request.value + 2, request.value + 8));
    return { name, index, mac, mtu, queues: queuesOf(fd, name) };
  } finally {
    closeFd(fd);
  }
}

/** The rules for an interface: the endpoints, with all addresses of this machine in place of wildcards. */
export function rulesFor({ mac }: Interface, endpoints: readonly Endpoint[]): XdpRules {
  const own = Object.values(networkInterfaces())
    .flatMap((entries = []) => entries)
    .filter(({ internal, address }) => !internal || !/^(127\.|::1$)/.test(address));
  const ours = own.map(({ address }) => addressOctets(address));
  const places = endpoints.flatMap(({ address, port }): XdpEndpoint[] => {
    const octets = addressOctets(address);
    if (!isWildcard(address)) return [{ address: octets, port }];
    return ours.filter(({ length }) => length === octets.length).map((one) => ({ address: one, port }));
  });
  return { mac, endpoints: places, ours: [...ours, ...own.flatMap(({ cidr }) => broadcastOf(cidr))] };
}

/** The address of everybody in an IPv4 network, such as `192.0.2.7/24`; networks of two have none (RFC 3021). */
export function broadcastOf(cidr: string | null): Uint8Array[] {
  const [address = "", bits = ""] = cidr?.split("/") ?? [];
  if (cidr === null || address.includes(":") || Number(bits) > 30) return [];
  const octets = addressOctets(address);
  const mask = (octet: number) => 0xff >> Math.min(8, Math.max(0, Number(bits) - octet * 8));
  return [octets.map((octet, at) => octet | mask(at))];
}

function ask(fd: number, what: number, name: string): DataView {
  const octets = new Uint8Array(request.octets);
  octets.set(new TextEncoder().encode(name).subarray(0, request.value - 1));
  if (libc().ioctl(fd, what, octets) < 0) throw invalid(`${name} cannot be asked: ${libc().nameOf(libc().errno())}`);
  return new DataView(octets.buffer);
}

/** Drivers that do not tell have one. */
function queuesOf(fd: number, name: string): number {
  const answer = new ArrayBuffer(channels.words * 4);
  const words = new Uint32Array(answer);
  words[0] = channels.command;
  const octets = new Uint8Array(request.octets);
  octets.set(new TextEncoder().encode(name).subarray(0, request.value - 1));
  new DataView(octets.buffer).setBigUint64(request.value, BigInt(libc().addressOf(answer)), true);
  if (libc().ioctl(fd, linux.SIOCETHTOOL, octets) < 0) return 1;
  return Math.max(1, words[channels.combined]! + Math.min(words[channels.receiving]!, words[channels.sending]!));
}

/** A VLAN above the interface: its frames may arrive without their tags. */
function vlanOn(name: string): string | undefined {
  try {
    const lines = readFileSync("/proc/self/net/vlan/config", "utf8").split("\n").slice(2);
    return lines.map((line) => line.split("|").map((field) => field.trim())).find(([, , on]) => on === name)?.[0];
  } catch {
    // the kernel has no VLANs
    return undefined;
  }
}
