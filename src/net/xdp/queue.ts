/** A queue of an interface with an AF_XDP socket: its memory, its rings, their end, and what was left in them. */
import { fstatSync, ftruncateSync } from "node:fs";
import { Problem } from "../../lib/problem.ts";
import { libc, linux } from "../../lib/system/libc.ts";
import { closeFd } from "../socket/sockets.ts";
import { removeSocket, type XdpMode } from "./bpf.ts";
import { type FrameMemory, frameMemory } from "./checksum.ts";
import { ConsumerRing, entryWords, ProducerRing, type RingOffsets } from "./ring.ts";

/** Descriptors of a socket, and of the memory for its frames, which outlasts a process that crashes. */
export interface XdpSocket {
  readonly socket: number;
  readonly memory: number;
}

/** A queue as an edge gets it. */
export interface XdpQueue extends XdpSocket {
  readonly interface: string;
  /** The number of the interface, and of its queue. */
  readonly index: number;
  readonly queue: number;
  readonly mtu: number;
  readonly mode: XdpMode;
  /** The map from queues to sockets of the attached program. */
  readonly map: number;
}

/**
 * What a worker holds of its queue, in shared memory, so that another thread can release it: 1 while the socket is bound,
 * 1 if it copies, then address and length of each piece of memory.
 */
export type HeldQueue = Float64Array<SharedArrayBuffer>;

const held = { bound: 0, copies: 1, memory: 2 } as const;
/** Four rings, and the frames. */
const pieces = 5;

export const holdNothing = (): HeldQueue =>
  new Float64Array(new SharedArrayBuffer((held.memory + 2 * pieces) * Float64Array.BYTES_PER_ELEMENT));

/** Octets of a chunk, which has one frame. The kernel puts received ones behind a headroom of 256 octets. */
export const chunk = 2048;
/** Chunks of a queue: 4 MB, or less if as much memory may not be locked. */
const mostChunks = 2048;
const leastChunks = 256;
/** In our own chunk, behind room for a frame: frames in hand, and 1 once the socket is bound. */
const stateAt = chunk - 8;

const level = 283;
const options = {
  ...{ offsets: 1, rx: 2, tx: 3, memory: 4, fill: 5, completion: 6, statistics: 7, options: 8, budget: 9 },
} as const;
/** Where the rings are in the socket's file. */
const mapped = { rx: 0, tx: 0x8000_0000, fill: 0x1_0000_0000, completion: 0x1_8000_0000 } as const;
const useNeedWakeUp = 8;
const isZeroCopy = 1;
/** Milliseconds in which the previous edge gives the queue back, and between two attempts. */
const bindWithin = 15_000;
const bindPause = 10;

/** Milliseconds in which the kernel gives back what a crashed worker has sent. */
const settleFor = 20;

export interface OpenQueue {
  readonly fd: number;
  readonly memory: FrameMemory;
  readonly rx: ConsumerRing;
  readonly tx: ProducerRing;
  readonly fill: ProducerRing;
  readonly completion: ConsumerRing;
  /** Offsets of chunks for answers, and of one for our own use. */
  readonly answers: Uint32Array;
  readonly spare: number;
  /** Word 0: frames at the begin of `rx` that a worker is answering. Lasts as long as the socket. */
  readonly inHand: Uint32Array;
}

/** Opens an unbound AF_XDP socket, and memory that is still empty. Needs CAP_NET_RAW. */
export function openXdpSocket(): XdpSocket {
  const socket = libc().socket(linux.AF_XDP, linux.SOCK_RAW | linux.SOCK_CLOEXEC, 0);
  if (socket >= 0) return { socket, memory: libc().memfd_create("fairlead-xdp", linux.MFD_CLOEXEC) };
  const errno = libc().nameOf(libc().errno());
  throw new Problem("internal", `AF_XDP socket: ${errno}`, { errno });
}

export function closeXdpSocket({ socket, memory }: XdpSocket): void {
  closeFd(socket);
  closeFd(memory);
}

/**
 * Binds the socket, once the queue is free; its frames come after `setSocket`. If a worker crashed that had bound it, its
 * work goes on. Returns undefined if `stop` is set meanwhile. Throws a Problem if the queue cannot be used.
 */
export function openQueue(source: XdpQueue, given: HeldQueue, stop: Int32Array): OpenQueue | undefined {
  const { socket: fd } = source;
  const known = fstatSync(source.memory).size;
  const frames = known > 0 ? mapFrames(source, given, known) : registerFrames(source, given);
  const chunks = frames.byteLength / chunk;
  const spare = (chunks - 1) * chunk;
  const state = new Uint32Array(frames, spare + stateAt, 2);
  const sizes = { rx: chunks, tx: chunks / 4, fill: chunks, completion: chunks / 4 } as const;
  if (known === 0) {
    for (const [ring, size] of Object.entries(sizes)) setOption(fd, options[ring as keyof typeof sizes], u32(size));
    // from Linux 6.16 on: answers that one call sends
    libc().setsockopt(fd, level, options.budget, u32(64), 4);
  }
  const offsets = new DataView(getOption(fd, options.offsets, 128).buffer);
  const map = (name: keyof typeof sizes, words: number, piece: number) => {
    const at = offsetsOf(offsets, piece);
    const octets = at.entries + sizes[name] * words * 4;
    const address = hold(given, piece, octets, fd, mapped[name]);
    return [new Uint32Array(libc().memoryAt(address, octets)), at, sizes[name], words] as const;
  };
  const rx = new ConsumerRing(...map("rx", entryWords.frame, 0));
  const tx = new ProducerRing(...map("tx", entryWords.frame, 1));
  const fill = new ProducerRing(...map("fill", entryWords.address, 2));
  const completion = new ConsumerRing(...map("completion", entryWords.address, 3));
  const received = (chunks / 4) * 3;
  if (state[1] === 0) {
    if (!bind(source, stop)) return undefined;
    for (let n = 0; n < received; n++) fill.writeAddress(n * chunk);
    fill.publish();
    state[1] = 1;
  } else {
    settle(fd, tx, completion);
    rx.skip(state[0]!, (address) => fill.writeAddress(address & -chunk));
    fill.publish();
  }
  state[0] = 0;
  given[held.copies] = (getOption(fd, options.options, 4)[0]! & isZeroCopy) === 0 ? 1 : 0;
  given[held.bound] = 1;
  const waiting = new Set(tx.unsent().map((address) => address & -chunk));
  const answers = Uint32Array.from({ length: chunks - received - 1 }, (_, n) => (received + n) * chunk);
  const free = answers.filter((address) => !waiting.has(address));
  return { fd, memory: frameMemory(frames), rx, tx, fill, completion, answers: free, spare, inHand: state };
}

/**
 * After the end of a worker, which may have crashed: leaves new queries to the kernel. What is in the rings waits for the
 * next worker.
 */
export function leaveQueue(source: XdpQueue, given: HeldQueue): void {
  if (given[held.bound] === 1) removeSocket(source.map, source.queue);
  given[held.bound] = 0;
  unmap(given);
}

/** Gives socket and memory of a queue back. Its worker must not touch them any more. */
export function releaseQueue(source: XdpQueue, given: HeldQueue): void {
  given[held.bound] = 0;
  unmap(given);
  closeXdpSocket(source);
}

/** Sends answers that were made, and takes back the chunks of those that were sent. */
function settle(fd: number, tx: ProducerRing, completion: ConsumerRing): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (const end = performance.now() + settleFor; performance.now() < end; Atomics.wait(pause, 0, 0, 1)) {
    if (tx.waiting > 0) libc().sendto(fd, 0, 0, linux.MSG_DONTWAIT, 0, 0);
    completion.release(completion.count);
  }
}

/** Rings first: with them the socket is in use. */
function unmap(given: HeldQueue): void {
  for (let at = held.memory; at < given.length; at += 2) {
    if (given[at]! > 0) libc().munmap(given[at]!, given[at + 1]!);
    given[at] = 0;
  }
}

function offsetsOf(view: DataView, ring: number): RingOffsets {
  const [producer, consumer, entries, flags] = [0, 8, 16, 24].map((field) =>
    Number(view.getBigUint64(ring * 32 + field, true)),
  ) as [number, number, number, number];
  return { producer, consumer, entries, flags };
}

export interface XdpStatistics {
  /** Frames lost for lack of chunks, because the ring was full, and for other reasons. */
  readonly unfilled: number;
  readonly full: number;
  readonly dropped: number;
  /** Entries of ours that the kernel refused. */
  readonly invalid: number;
}

/** The counters of the kernel for the socket of a queue, and whether it copies; undefined while it is not bound. */
export function statisticsOf(
  { socket }: XdpQueue,
  given: HeldQueue,
): (XdpStatistics & { readonly copies: boolean }) | undefined {
  if (given[held.bound] === 0) return undefined;
  try {
    const view = new DataView(getOption(socket, options.statistics, 48).buffer);
    const [dropped, invalid, invalidSent, full, unfilled] = [0, 8, 16, 24, 32].map((at) =>
      Number(view.getBigUint64(at, true)),
    ) as [number, number, number, number, number];
    return { unfilled, full, dropped, invalid: invalid + invalidSent, copies: given[held.copies] === 1 };
  } catch {
    // the worker has just released the socket
    return undefined;
  }
}

/** Takes memory for frames; as much as may be locked. */
function registerFrames(source: XdpSocket, given: HeldQueue): ArrayBuffer {
  for (let chunks = mostChunks; ; chunks /= 2) {
    const octets = chunks * chunk;
    ftruncateSync(source.memory, octets);
    const frames = mapFrames(source, given, octets);
    const region = new DataView(new ArrayBuffer(32));
    region.setBigUint64(0, BigInt(given[frameHeld]!), true);
    region.setBigUint64(8, BigInt(octets), true);
    region.setUint32(16, chunk, true);
    if (libc().setsockopt(source.socket, level, options.memory, new Uint8Array(region.buffer), 32) === 0) return frames;
    const errno = libc().nameOf(libc().errno());
    unmap(given);
    if (errno !== "ENOBUFS") throw new Problem("internal", `memory of an AF_XDP socket: ${errno}`);
    if (chunks === leastChunks) {
      throw new Problem("invalid", "not enough memory may be locked: raise the limit (ulimit -l, LimitMEMLOCK)");
    }
  }
}

const frameHeld = held.memory + 2 * (pieces - 1);

const mapFrames = ({ memory }: XdpSocket, given: HeldQueue, octets: number): ArrayBuffer =>
  libc().memoryAt(hold(given, pieces - 1, octets, memory, 0), octets);

/** Maps memory of a file, and notes it to be released. */
function hold(given: HeldQueue, piece: number, octets: number, fd: number, offset: number): number {
  const protection = linux.PROT_READ | linux.PROT_WRITE;
  const address = libc().mmap(0, octets, protection, linux.MAP_SHARED | linux.MAP_POPULATE, fd, offset);
  if (address === -1) throw new Problem("internal", `mmap: ${libc().nameOf(libc().errno())}`);
  given[held.memory + 2 * piece] = address;
  given[held.memory + 2 * piece + 1] = octets;
  return address;
}

/** Returns false if `stop` is set before the queue is free. */
function bind({ interface: name, index, queue, socket }: XdpQueue, stop: Int32Array): boolean {
  const address = new DataView(new ArrayBuffer(16));
  address.setUint16(0, linux.AF_XDP, true);
  address.setUint16(2, useNeedWakeUp, true);
  address.setUint32(4, index, true);
  address.setUint32(8, queue, true);
  const deadline = performance.now() + bindWithin;
  while (Atomics.load(stop, 0) === 0) {
    if (libc().bind(socket, new Uint8Array(address.buffer), 16) === 0) return true;
    const errno = libc().nameOf(libc().errno());
    if (errno !== "EBUSY" || performance.now() > deadline) {
      const busy = errno === "EBUSY" ? " is in use by another program" : "";
      throw new Problem("unavailable", `queue ${queue} of ${name}${busy}: ${errno}`);
    }
    Atomics.wait(stop, 0, 0, bindPause);
  }
  return false;
}

const u32 = (value: number) => new Uint8Array(Uint32Array.of(value).buffer);

function setOption(fd: number, name: number, value: Uint8Array): void {
  if (libc().setsockopt(fd, level, name, value, value.length) === 0) return;
  throw new Problem("internal", `AF_XDP option ${name}: ${libc().nameOf(libc().errno())}`);
}

function getOption(fd: number, name: number, octets: number): Uint8Array<ArrayBuffer> {
  const value = new Uint8Array(octets);
  if (libc().getsockopt(fd, level, name, value, Uint32Array.of(octets)) === 0) return value;
  throw new Problem("internal", `AF_XDP option ${name}: ${libc().nameOf(libc().errno())}`);
}
