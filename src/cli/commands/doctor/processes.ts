/** The processes of Fairlead on this machine, and who holds a port (proc(5)). */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import type { Config } from "../../../config/config.ts";
import type { Endpoint } from "../../../lib/address/egress.ts";
import { kernelEndpoint } from "../../../net/udp/overflow.ts";
import { lockOf } from "../../host/directory.ts";

export interface Here {
  /** With a store of its own choice, control and edge may run without a supervisor, and hold no data directory. */
  readonly mayBeAlone: boolean;
  /** Whether a service holds the data directory. */
  readonly isHeld: boolean;
  /** The process that holds it, if this user may see that. */
  readonly supervisor: number | undefined;
}

export interface Holder {
  readonly pid: number;
  readonly program: string;
}

export function runningHere({ data, databaseUrl }: Pick<Config, "data" | "databaseUrl">): Here {
  const name = `@${lockOf(data)}`;
  const inodes = linesOf("/proc/net/unix").flatMap((line) => {
    const [, , , , , , inode, path] = line.trim().split(/\s+/);
    return path === name ? [inode!] : [];
  });
  return { mayBeAlone: databaseUrl !== undefined, isHeld: inodes.length > 0, supervisor: holdersOf(inodes)[0]?.pid };
}

/** The processes with a socket that keeps an endpoint from being opened; those of other users only for root. */
export function holdersOfPort(endpoint: Endpoint, transport: "udp" | "tcp"): Holder[] {
  const wanted = kernelEndpoint(endpoint);
  const inodes = ["", "6"].flatMap((family) =>
    linesOf(`/proc/net/${transport}${family}`).flatMap((line) => {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      // TCP sockets that listen, and UDP sockets without a peer
      const isOpen = state === (transport === "tcp" ? "0A" : "07");
      return isOpen && conflict(local, wanted) ? [inode] : [];
    }),
  );
  return holdersOf(inodes);
}

/** Whether two endpoints have the same port, and the same address or one that stands for all. */
function conflict(a: string, b: string): boolean {
  const [[ownAddress = "", ownPort], [address = "", port]] = [a.split(":"), b.split(":")];
  return ownPort === port && (ownAddress === address || isWildcard(ownAddress) || isWildcard(address));
}

/** Whether a process belongs to the service here. */
export function isOurs({ pid }: Holder, { mayBeAlone, isHeld, supervisor }: Here): boolean {
  if (!isFairlead(pid)) return false;
  if (!isHeld) return mayBeAlone;
  return supervisor === undefined || pid === supervisor || parentOf(pid) === supervisor;
}

const isFairlead = (pid: number) =>
  contentOf(`/proc/${pid}/cmdline`)
    .split("\0")
    .some((word) => /(^|\/)(fairlead(\.js)?|(src|dist)\/main\.[jt]s)$/.test(word));

const parentOf = (pid: number) => Number(contentOf(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ")[1]);

function holdersOf(inodes: readonly string[]): Holder[] {
  const wanted = new Set(inodes.map((inode) => `socket:[${inode}]`));
  if (wanted.size === 0) return [];
  const pids = namesIn("/proc").filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => namesIn(`/proc/${pid}/fd`).some((fd) => wanted.has(linkOf(`/proc/${pid}/fd/${fd}`))))
    .map((pid) => ({ pid: Number(pid), program: contentOf(`/proc/${pid}/comm`).trim() || basename(pid) }));
}

const isWildcard = (hex: string) => /^0+$/.test(hex);

// processes end, and those of other users cannot be read
const contentOf = (path: string) => orElse("", () => readFileSync(path, "utf8"));
const linkOf = (path: string) => orElse("", () => readlinkSync(path));
const namesIn = (path: string) => orElse<string[]>([], () => readdirSync(path));
const linesOf = (path: string) => contentOf(path).trim().split("\n").slice(1);

function orElse<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
