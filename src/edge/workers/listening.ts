/** The sockets of an edge: inherited descriptors, and sockets that it opens itself. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { hasLibc } from "../../lib/system/libc.ts";
import { familyOf } from "../../net/socket/address.ts";
import { closeFd, localAddress, openTcp, openUdp, type SocketSource } from "../../net/socket/sockets.ts";
import type { CertificateFiles } from "../../net/tls/certificate.ts";
import type { TransfersOptions } from "../transfer/transfers.ts";

/** An address that answers DNS over UDP and TCP. Without descriptors the edge opens the sockets itself. */
export interface DnsSocket {
  readonly address: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** One for each worker. */
  readonly udpFds?: readonly number[];
  readonly tcpFd?: number;
  /** Whether the edge closes the descriptors, as it closes those that it opened. */
  readonly isOurs?: boolean;
}

export interface BoundSocket {
  readonly address: string;
  readonly port: number;
  readonly listener: "batched" | "portable";
  /** One for each worker. */
  readonly udp: readonly SocketSource[];
  readonly tcp: SocketSource;
  readonly own: Own;
}

/** Descriptors that are closed here. */
interface Own {
  readonly datagrams: readonly number[];
  readonly listeners: readonly number[];
}

/** An address that answers DNS over TLS or HTTPS. Without a descriptor the edge opens the socket itself. */
export interface SecureSocket {
  readonly transport: "tls" | "https";
  readonly address: string;
  readonly port: number;
  readonly fd?: number;
  /** Whether the edge closes the descriptor. */
  readonly isOurs?: boolean;
}

export interface BoundSecure {
  readonly transport: "tls" | "https";
  readonly socket: SocketSource;
  readonly own: Own;
}

/** Settings of TCP, TLS and HTTPS, without the plain TCP sockets. */
export interface Streams {
  readonly secure: readonly BoundSecure[];
  readonly certificate: CertificateFiles | undefined;
  /** Addresses and prefixes of proxies, whose connections begin with a PROXY header. */
  readonly proxies: readonly string[];
  /** Options of zone transfers; when left out, no zone is transferred. */
  readonly transfers?: TransfersOptions;
}

/** The addresses that an edge answers on. */
export interface Listening {
  readonly listen: readonly DnsSocket[];
  /** Addresses that answer over TLS and HTTPS, and the certificate. */
  readonly secure?: { readonly listen: readonly SecureSocket[]; readonly certificate: CertificateFiles };
  /** Addresses and prefixes of proxies, whose connections begin with a PROXY header. */
  readonly proxies: readonly string[];
  readonly udp: "auto" | "batched" | "portable";
  /** UDP workers for each address that the edge opens itself. */
  readonly workers?: number;
}

const defaultUdpWorkers = () => Math.min(4, availableParallelism());

/** How often the system may choose a port. */
const mostChoices = 20;

/** Throws a Problem that names the unavailable address and port. */
export async function bindAll({ listen, secure, proxies, udp, workers = defaultUdpWorkers() }: Listening) {
  const sockets: BoundSocket[] = [];
  const bound: BoundSecure[] = [];
  try {
    for (const socket of listen) sockets.push(await bindSocket(socket, udp, workers));
    for (const socket of secure?.listen ?? []) bound.push(bindSecure(socket));
    return { sockets, streams: { secure: bound, certificate: secure?.certificate, proxies } };
  } catch (error) {
    closeSockets([...sockets, ...bound]);
    throw error;
  }
}

/** Throws a Problem that names the address and port when they are not available. */
export async function bindSocket(
  socket: DnsSocket,
  wanted: "auto" | "batched" | "portable",
  workers: number,
): Promise<BoundSocket> {
  const listener = wanted === "auto" ? (hasLibc() ? "batched" : "portable") : wanted;
  const inherited = socket.udpFds ?? [];
  if (inherited.length > 0) return adopt(socket, inherited, listener);
  for (let choice = 1; ; choice++) {
    try {
      return listener === "batched" ? bindBatched(socket, workers) : await bindPortable(socket, workers);
    } catch (error) {
      // the port that the system chose for UDP may be in use for TCP: then the system chooses again
      if (socket.port !== 0 || choice === mostChoices) throw error;
    }
  }
}

/** Throws as `bindSocket` does. */
function bindSecure({ transport, address, port, fd, isOurs = false }: SecureSocket): BoundSecure {
  const { tcp, own } = tcpOf({ address, port, isOurs, ...(fd === undefined ? {} : { tcpFd: fd }) }, port);
  return { transport, socket: tcp, own };
}

type Owner = { readonly own: Own };

export function closeSockets(sockets: readonly Owner[]): void {
  closeListeners(sockets);
  closeDatagrams(sockets);
}

/** Threads that have a copy of a listener go on listening. */
export function closeListeners(sockets: readonly Owner[]): void {
  for (const fd of sockets.flatMap(({ own }) => own.listeners)) closeFd(fd);
}

/** Nobody may read from the sockets any more. */
export function closeDatagrams(sockets: readonly Owner[]): void {
  for (const fd of sockets.flatMap(({ own }) => own.datagrams)) closeFd(fd);
}

function adopt(socket: DnsSocket, inherited: readonly number[], listener: BoundSocket["listener"]): BoundSocket {
  const { address } = socket;
  const { port } = localAddress(inherited[0]!);
  const udp = inherited.map((fd) => ({ fd }));
  const { tcp, own } = tcpOf(socket, port);
  return { address, port, listener, udp, tcp, own: socket.isOurs ? { ...own, datagrams: inherited } : own };
}

/** Opens the sockets here and not in the workers, so that queries wait in the sockets while a worker is replaced. */
function bindBatched(socket: DnsSocket, workers: number): BoundSocket {
  const { address } = socket;
  const datagrams: number[] = [];
  try {
    datagrams.push(openUdp(address, socket.port));
    const { port } = localAddress(datagrams[0]!);
    while (datagrams.length < workers) datagrams.push(openUdp(address, port));
    const { tcp, own } = tcpOf(socket, port);
    const udp = datagrams.map((fd) => ({ fd }));
    return { address, port, listener: "batched", udp, tcp, own: { ...own, datagrams } };
  } catch (error) {
    for (const fd of datagrams) closeFd(fd);
    throw error;
  }
}

/** A portable worker opens its own sockets. Only on Linux can several workers share an address. */
async function bindPortable(socket: DnsSocket, workers: number): Promise<BoundSocket> {
  const { address } = socket;
  const port = socket.port === 0 ? await freePort(address) : socket.port;
  const udp = Array.from({ length: process.platform === "linux" ? workers : 1 }, () => ({ address, port }));
  return { address, port, listener: "portable", udp, ...tcpOf(socket, port) };
}

function tcpOf({ address, tcpFd, isOurs }: DnsSocket, port: number): { tcp: SocketSource; own: Own } {
  const own = (...listeners: readonly number[]) => ({ datagrams: [], listeners });
  if (tcpFd !== undefined) return { tcp: { fd: tcpFd }, own: isOurs ? own(tcpFd) : own() };
  if (!hasLibc()) return { tcp: { address, port }, own: own() };
  const fd = openTcp(address, port);
  return { tcp: { fd }, own: own(fd) };
}

async function freePort(address: string): Promise<number> {
  const socket = createSocket(`udp${familyOf(address)}`);
  const listening = once(socket, "listening");
  socket.bind(0, address);
  await listening;
  const { port } = socket.address();
  socket.close();
  return port;
}
