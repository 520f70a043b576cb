/** Whether another user could run the service: tried as that user, since only the kernel knows every rule. */
import { closeSync, existsSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../../config/config.ts";
import type { Account } from "./account.ts";
import { enterGroups } from "./become.ts";
import { isTakeable } from "./take-over.ts";

type Paths = Pick<Config, "data" | "dnstap" | "postgresBin" | "masterKeyFile" | "databaseUrl">;

/**
 * Returns the reason why a user cannot run the service, and what to do; undefined if it can. `code` are some of the files
 * that Fairlead consists of. For root only.
 */
export function obstacleFor(paths: Paths, code: readonly string[], account: Account): string | undefined {
  const { data, dnstap, postgresBin, masterKeyFile, databaseUrl } = paths;
  const { name } = account;
  if (!isTakeable(data)) {
    return `${data} belongs to root, and has other files than Fairlead's: name a directory of its own with --data`;
  }
  const checks: (readonly [check: () => void, reason: string])[] = [];
  for (const path of code) {
    checks.push([() => open(path), `${name} cannot read ${path}: move Fairlead to where all can, such as /opt`]);
  }
  checks.push([() => reach(data), `${name} cannot reach ${data}: name a directory that it can reach with --data`]);
  if (postgresBin !== undefined) {
    checks.push([() => open(postgresBin), `${name} cannot read ${postgresBin} (--postgres-bin)`]);
  }
  if (dnstap?.kind === "file") {
    checks.push([() => make(dnstap.path), `${name} cannot write in the directory of ${dnstap.path} (--dnstap)`]);
  }
  if (masterKeyFile !== undefined && !existsSync(masterKeyFile)) {
    checks.push([() => make(masterKeyFile), `${name} cannot make ${masterKeyFile} (--master-key-file)`]);
  }
  const sockets = socketsOf(databaseUrl);
  if (sockets !== undefined) {
    checks.push([() => statSync(join(sockets, ".")), `${name} cannot reach ${sockets} (--database-url)`]);
  }
  try {
    return as(account, () => checks.find(([check]) => !succeeds(check))?.[1]);
  } catch (error) {
    return `root cannot become another user here (${String(error)}): start it as an ordinary user`;
  }
}

/** The directory of a server's socket on this machine; undefined for a server in the network. */
function socketsOf(databaseUrl: string | undefined): string | undefined {
  const url = databaseUrl !== undefined && URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined;
  const host = url?.searchParams.get("host");
  return host?.startsWith("/") ? host : undefined;
}

const open = (path: string) => closeSync(openSync(path, "r"));

/** Finds a path, or the nearest directory above it that exists. */
function reach(path: string): void {
  try {
    statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    reach(dirname(path));
  }
}

/** Makes a file beside a path, and removes it. */
function make(path: string): void {
  const trial = `${path}.${process.pid}`;
  closeSync(openSync(trial, "wx"));
  rmSync(trial);
}

function succeeds(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

/** Calls `use` with the rights of a user in place of root's. */
function as<T>(account: Account, use: () => T): T {
  const groups = process.getgroups!();
  try {
    enterGroups(account);
    process.setegid!(account.gid);
    process.seteuid!(account.uid);
    return use();
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
    if (`${process.getgroups!()}` !== `${groups}`) process.setgroups!(groups);
  }
}
