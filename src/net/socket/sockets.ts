/** DNS sockets as bare descriptors: one process opens them, another inherits them, so that an edge can be replaced. */
import { Problem } from "../../lib/problem.ts";
import { libc, linux } from "../../lib/system/libc.ts";
import {
  addressAt,
  addressLength,
  composeSockaddr,
  type Family,
  familyOf,
  isWildcard,
  sockaddrLength,
  sockaddrRoom,
} from "./address.ts";

/** An open descriptor, which its opener closes, or an address that the receiver opens and closes. */
export type SocketSource = { readonly fd: number } | { readonly address: string; readonly port: number };

/** Octets for bursts while a worker is busy or replaced. The kernel grants at most net.core.rmem_max. */
const receiveBuffer = 4 * 1024 * 1024;
/** Octets of sent answers that a client has not taken yet; otherwise each of many connections could hold megabytes. */
const sendBuffer = 256 * 1024;
const backlog = 1024;

/**
 * Opens a bound UDP socket. Several may share an address and port: the kernel distributes queries among them by client.
 * On a wildcard address each datagram comes with its destination address. Port 0 takes a free port.
 */
export function openUdp(address: string, port: number): number {
  return open("UDP", address, port, (fd, family) => {
    setOption(fd, linux.SOL_SOCKET, linux.SO_REUSEPORT, 1);
    setOption(fd, linux.SOL_SOCKET, linux.SO_RCVBUF, receiveBuffer);
    prepareUdp(fd, family, isWildcard(address));
  });
}

/** Sets what the listener needs on a UDP socket that another program may have opened. Its buffers stay as they are. */
export function adoptUdp(fd: number): void {
  const { family, address } = localAddress(fd);
  prepareUdp(
    fd,
    family,
    address.every((octet) => octet === 0),
  );
}

/** Opens a listening TCP socket. Only one is possible per address and port. */
export function openTcp(address: string, port: number): number {
  return open("TCP", address, port, (fd) => {
    setOption(fd, linux.SOL_SOCKET, linux.SO_REUSEADDR, 1);
    // accepted connections have the same
    setOption(fd, linux.SOL_SOCKET, linux.SO_SNDBUF, sendBuffer);
  });
}

/** Opens a listening TCP socket for Node's HTTP server, as that would: one on `::` takes IPv4 as well. */
export function openHttp(address: string, port: number): number {
  return open("TCP", address, port, (fd, family) => {
    setOption(fd, linux.SOL_SOCKET, linux.SO_REUSEADDR, 1);
    if (family === 6) setOption(fd, linux.IPPROTO_IPV6, linux.IPV6_V6ONLY, 0);
  });
}

export function closeFd(fd: number): void {
  libc().close(fd);
}

/** Returns another descriptor of the same socket, for code that closes the descriptor that it gets. */
export function duplicateFd(fd: number): number {
  const copy = libc().dup(fd);
  if (copy < 0) throw new Problem("internal", `descriptor ${fd}: ${libc().nameOf(libc().errno())}`);
  return copy;
}

export interface LocalAddress {
  readonly family: Family;
  readonly address: Uint8Array;
  readonly port: number;
}

/** Names a socket by its kind and address, however it was opened: one text for `udp 192.0.2.1:53`. */
export const identityOf = (kind: "udp" | "tcp", address: string, port: number): string =>
  `${kind} ${Buffer.from(composeSockaddr(address, port)).toString("hex")}`;

/** The name of an open descriptor as `identityOf` gives it; undefined unless it is a UDP or a listening TCP socket. */
export function identify(fd: number): string | undefined {
  const octets = new Uint8Array(sockaddrRoom);
  if (libc().getsockname(fd, octets, Uint32Array.of(sockaddrRoom)) < 0) return undefined;
  const kind = new DataView(octets.buffer).getUint16(0, true);
  if (kind !== linux.AF_INET && kind !== linux.AF_INET6) return undefined;
  const isUdp = option(fd, linux.SO_TYPE) === linux.SOCK_DGRAM;
  if (!isUdp && option(fd, linux.SO_ACCEPTCONN) !== 1) return undefined;
  const length = sockaddrLength[kind === linux.AF_INET ? 4 : 6];
  return `${isUdp ? "udp" : "tcp"} ${Buffer.from(octets.subarray(0, length)).toString("hex")}`;
}

const option = (fd: number, name: number): number => {
  const value = new Int32Array(1);
  libc().getsockopt(fd, linux.SOL_SOCKET, name, new Uint8Array(value.buffer), Uint32Array.of(value.byteLength));
  return value[0]!;
};

/** Returns the address of a socket. Throws a Problem when the descriptor is not an IP socket. */
export function localAddress(fd: number): LocalAddress {
  const octets = new Uint8Array(sockaddrRoom);
  if (libc().getsockname(fd, octets, Uint32Array.of(sockaddrRoom)) < 0) {
    throw new Problem("internal", `descriptor ${fd} is not a socket: ${libc().nameOf(libc().errno())}`);
  }
  const view = new DataView(octets.buffer);
  const kind = view.getUint16(0, true);
  if (kind !== linux.AF_INET && kind !== linux.AF_INET6)
    throw new Problem("internal", `descriptor ${fd} is not an IP socket`);
  const family = kind === linux.AF_INET ? 4 : 6;
  const at = addressAt[family];
  return { family, address: octets.slice(at, at + addressLength[family]), port: view.getUint16(2) };
}

/** Limits waits for input on the socket to `milliseconds`. */
export function setReceiveTimeout(fd: number, milliseconds: number): void {
  const time = new BigInt64Array([BigInt(Math.floor(milliseconds / 1000)), BigInt((milliseconds % 1000) * 1000)]);
  setOption(fd, linux.SOL_SOCKET, linux.SO_RCVTIMEO, new Uint8Array(time.buffer));
  // The flag belongs to the socket, not to the descriptor: an earlier owner may have left it non-blocking.
  const flags = libc().fcntl(fd, linux.F_GETFL, 0);
  libc().fcntl(fd, linux.F_SETFL, flags & ~linux.O_NONBLOCK);
}

function open(
  kind: "UDP" | "TCP",
  address: string,
  port: number,
  prepare: (fd: number, family: Family) => void,
): number {
  const family = familyOf(address);
  const sockaddr = composeSockaddr(address, port);
  const type = (kind === "UDP" ? linux.SOCK_DGRAM : linux.SOCK_STREAM) | linux.SOCK_CLOEXEC;
  const fd = libc().socket(family === 4 ? linux.AF_INET : linux.AF_INET6, type, 0);
  if (fd < 0) throw failure(kind, address, port);
  try {
    if (family === 6) setOption(fd, linux.IPPROTO_IPV6, linux.IPV6_V6ONLY, 1);
    prepare(fd, family);
    if (libc().bind(fd, sockaddr, sockaddr.length) < 0) throw failure(kind, address, port);
    if (kind === "TCP" && libc().listen(fd, backlog) < 0) throw failure(kind, address, port);
    return fd;
  } catch (error) {
    closeFd(fd);
    throw error;
  }
}

/** On a wildcard address each datagram comes with its destination address. */
function prepareUdp(fd: number, family: Family, isOfAll: boolean): void {
  avoidPathMtu(fd, family);
  if (!isOfAll) return;
  if (family === 4) setOption(fd, linux.IPPROTO_IP, linux.IP_PKTINFO, 1);
  else setOption(fd, linux.IPPROTO_IPV6, linux.IPV6_RECVPKTINFO, 1);
}

/** RFC 9715: answers fit every path, so ICMP messages about the path MTU, which may be forged, are ignored. */
function avoidPathMtu(fd: number, family: Family): void {
  if (family === 4) setOption(fd, linux.IPPROTO_IP, linux.IP_MTU_DISCOVER, linux.IP_PMTUDISC_OMIT);
  else setOption(fd, linux.IPPROTO_IPV6, linux.IPV6_MTU_DISCOVER, linux.IP_PMTUDISC_OMIT);
}

function setOption(fd: number, level: number, name: number, value: number | Uint8Array): void {
  const octets = typeof value === "number" ? new Uint8Array(Int32Array.of(value).buffer) : value;
  if (libc().setsockopt(fd, level, name, octets, octets.length) === 0) return;
  const errno = libc().errno();
  throw new Problem("internal", `socket option ${level}/${name}: ${libc().nameOf(errno)}`);
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use by another process",
  EACCES: "is not permitted (ports below 1024 need root or CAP_NET_BIND_SERVICE)",
  EADDRNOTAVAIL: "is not an address of this machine",
  EAFNOSUPPORT: "cannot be used: this machine does not support the address family",
  EMFILE: "cannot be opened: too many open files",
};

function failure(kind: string, address: string, port: number): Problem {
  const name = libc().nameOf(libc().errno());
  const where = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
  return new Problem("invalid", `${where} (${kind}) ${reasons[name] ?? "cannot be opened"}: ${name}`, {
    address,
    port,
    errno: name,
  });
}
