/** Turns a process of root into one of another user, which keeps only what a supervisor needs. */
import { readFileSync } from "node:fs";
import { hasLibc, libc, linux } from "../../lib/system/libc.ts";
import type { Account } from "./account.ts";

/** Bit masks of capabilities (capabilities(7)). */
const maskOf = (...capabilities: readonly number[]) =>
  capabilities.reduce((mask, capability) => mask | (1n << BigInt(capability)), 0n);
const binding = maskOf(linux.CAP_NET_BIND_SERVICE);
const reading = maskOf(linux.CAP_DAC_READ_SEARCH);
const networking = maskOf(linux.CAP_NET_ADMIN, linux.CAP_NET_RAW, linux.CAP_BPF);
/** RLIMIT_NICE for a niceness of -5 (getrlimit(2)), which an edge takes while it starts. */
const niceLimit = 25n;
const unlimited = 2n ** 64n - 1n;

const half = 0xffff_ffffn;

/** The capabilities of this process after it became another user; undefined otherwise. */
let kept: bigint | undefined;

/**
 * Becomes a user for good. Without system calls through koffi nothing of root is kept. Otherwise the main thread can open
 * ports below 1024, `privileged` can read what only root can, and with `usesXdp` `withNetwork` can attach programs. Programs that it starts have neither, and cannot become
 * root again: capabilities end at execve(2). Threads that are started later have the capabilities of the main thread.
 */
export function become(account: Account, usesXdp: boolean): void {
  const keeps = hasLibc();
  const held = keeps ? heldCapabilities() : 0n;
  if (keeps) {
    // not allowed in some containers: then priorities stay normal
    libc().setrlimit(linux.RLIMIT_NICE, BigUint64Array.of(niceLimit, niceLimit));
    // likewise: then queues have less memory
    if (usesXdp) libc().setrlimit(linux.RLIMIT_MEMLOCK, BigUint64Array.of(unlimited, unlimited));
    libc().prctl(linux.PR_SET_KEEPCAPS, 1, 0, 0, 0);
  }
  enterGroups(account);
  process.setgid!(account.gid);
  process.setuid!(account.uid);
  kept = held & (binding | reading | (usesXdp ? networking : 0n));
  if (!keeps) return;
  raise(0n);
  libc().prctl(linux.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/** Keeps those rights from the programs that this process starts, if it has them from systemd. */
export function keepNetworkFromChildren(): void {
  for (const capability of [linux.CAP_NET_ADMIN, linux.CAP_NET_RAW, linux.CAP_BPF]) {
    libc().prctl(linux.PR_CAP_AMBIENT, linux.PR_CAP_AMBIENT_LOWER, capability, 0, 0);
  }
}

/** Whether this process was root's and became another user. */
export const hasBecome = (): boolean => kept !== undefined;

/**
 * Calls `use` with the right to read every file, if this process was root's and became another user. access(2) and
 * `existsSync` do not know of this right.
 */
export const privileged = <T>(use: () => T): T => withCapabilities(reading, use);

/** Likewise with the rights to attach programs to interfaces and to open AF_XDP sockets. */
export const withNetwork = <T>(use: () => T): T => withCapabilities(networking, use);

function withCapabilities<T>(capabilities: bigint, use: () => T): T {
  if (!kept) return use();
  raise(capabilities);
  try {
    return use();
  } finally {
    raise(0n);
  }
}

/** Takes the groups of a user; for a number without a name, only the given one. */
export function enterGroups({ name, gid }: Account): void {
  // missing in the types
  const { initgroups } = process as NodeJS.Process & { initgroups(name: string, gid: number): void };
  try {
    initgroups(name, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_UNKNOWN_CREDENTIAL") throw error;
    process.setgroups!([gid]);
  }
}

function raise(capabilities: bigint): void {
  const permitted = kept ?? 0n;
  const effective = permitted & (binding | capabilities);
  const halves = [0n, 32n].flatMap((shift) => [
    Number((effective >> shift) & half),
    Number((permitted >> shift) & half),
    0,
  ]);
  libc().capset(Uint32Array.of(linux.CAPABILITY_VERSION, 0), Uint32Array.from(halves));
}

/** The capabilities that this process may use: a container's root may lack some. */
function heldCapabilities(): bigint {
  const [, digits = "0"] = /^CapPrm:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return BigInt(`0x${digits}`);
}
