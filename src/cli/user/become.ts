/** Turns a process of root into one of another user, which keeps only what a supervisor needs. */
import { readFileSync } from "node:fs";
import { hasLibc, libc, linux } from "../../net/socket/libc.ts";
import type { Account } from "./account.ts";

/** Bit masks of capabilities (capabilities(7)). */
const binding = 1 << linux.CAP_NET_BIND_SERVICE;
const reading = 1 << linux.CAP_DAC_READ_SEARCH;
/** RLIMIT_NICE for a niceness of -5 (getrlimit(2)), which threads that answer DNS take. */
const niceLimit = 25n;

/** The capabilities of this process after it became another user; undefined otherwise. */
let kept: number | undefined;

/**
 * Becomes a user for good. Without system calls through koffi nothing of root is kept. Otherwise the main thread can open
 * ports below 1024, and `privileged` can read what only root can. Programs that it starts have neither, and cannot become
 * root again: capabilities end at execve(2). Threads that are started later have the capabilities of the main thread.
 */
export function become(account: Account): void {
  const keeps = hasLibc();
  const held = keeps ? heldCapabilities() : 0;
  if (keeps) {
    // not allowed in some containers: then priorities stay normal
    libc().setrlimit(linux.RLIMIT_NICE, BigUint64Array.of(niceLimit, niceLimit));
    libc().prctl(linux.PR_SET_KEEPCAPS, 1, 0, 0, 0);
  }
  enterGroups(account);
  process.setgid!(account.gid);
  process.setuid!(account.uid);
  kept = held & (binding | reading);
  if (!keeps) return;
  raise(false);
  libc().prctl(linux.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/** Whether this process was root's and became another user. */
export const hasBecome = (): boolean => kept !== undefined;

/**
 * Calls `use` with the right to read every file, if this process was root's and became another user. access(2) and
 * `existsSync` do not know of this right.
 */
export function privileged<T>(use: () => T): T {
  if (!kept) return use();
  raise(true);
  try {
    return use();
  } finally {
    raise(false);
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

function raise(mayRead: boolean): void {
  const effective = (kept ?? 0) & (mayRead ? binding | reading : binding);
  libc().capset(Uint32Array.of(linux.CAPABILITY_VERSION, 0), Uint32Array.of(effective, kept ?? 0, 0, 0, 0, 0));
}

/** The lower half of the capabilities that this process may use: a container's root may lack some. */
function heldCapabilities(): number {
  const [, digits = "0"] = /^CapPrm:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(BigInt(`0x${digits}`) & 0xffff_ffffn);
}
