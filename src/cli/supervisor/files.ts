/** Files that only root can read, handed to the children of a supervisor that became another user, and kept current. */
import { accessSync, constants, ftruncateSync, readFileSync, statSync, writeSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";
import { hasLibc, libc, linux } from "../../lib/system/libc.ts";
import { hasBecome, privileged } from "../user/become.ts";
import type { Role } from "./link.ts";

/** Milliseconds between two checks of the files, as often as an edge checks its certificate. */
const every = 2000;

/** A copy in memory, which has no name and which only this user can open. */
interface Copy {
  readonly fd: number;
  stamp: string;
}

/** A configuration whose unreadable files are replaced by descriptors, and those descriptors, in the same order. */
export interface HandedFiles {
  readonly config: Config;
  readonly descriptors: readonly number[];
}

export class Files {
  readonly #log: Log;
  readonly #copies = new Map<string, Copy>();
  #following: Loop | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Hands a role the files that it reads. The first descriptor gets the number `first` in the role's process. */
  hand(role: Role, config: Config, first: number): HandedFiles {
    if (!hasBecome() || !hasLibc()) return { config, descriptors: [] };
    const descriptors: number[] = [];
    const seen = (path: string): string => {
      const copy = this.#copyOf(path);
      return copy ? `/proc/self/fd/${first - 1 + descriptors.push(copy.fd)}` : path;
    };
    const one = (path: string | undefined) => path && seen(path);
    const { masterKeyFile, networks, geo, tlsCert, tlsKey } = config;
    const common = { masterKeyFile: one(masterKeyFile), networks: one(networks), geo: geo.map(seen) };
    const ofEdge = role === "edge" ? { tlsCert: one(tlsCert), tlsKey: one(tlsKey) } : {};
    return { config: { ...config, ...common, ...ofEdge }, descriptors };
  }

  #copyOf(path: string): Copy | undefined {
    const known = this.#copies.get(path);
    if (known || isReadable(path)) return known;
    const copy = { fd: libc().memfd_create(path, linux.MFD_CLOEXEC), stamp: "" };
    fill(path, copy);
    this.#copies.set(path, copy);
    this.#following ??= loop({
      turn: () => this.#refresh(),
      every,
      first: every,
      complain: (error) =>
        this.#log.error({ reason: String(error) }, "a file that only root can read cannot be read again"),
    });
    return copy;
  }

  #refresh(): void {
    for (const [path, copy] of this.#copies) if (stampOf(path) !== copy.stamp) fill(path, copy);
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EACCES";
  }
}

function fill(path: string, copy: Copy): void {
  const stamp = stampOf(path);
  const content = privileged(() => readFileSync(path));
  for (let at = 0; at < content.length; ) at += writeSync(copy.fd, content, at, content.length - at, at);
  ftruncateSync(copy.fd, content.length);
  copy.stamp = stamp;
}

const stampOf = (path: string) => {
  const { mtimeMs, size, ino } = privileged(() => statSync(path));
  return `${mtimeMs} ${size} ${ino}`;
};
