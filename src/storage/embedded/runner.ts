/** Runs the server's programs: as this user, or without root's identity, since PostgreSQL refuses to run as root. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { Problem } from "../../lib/problem.ts";

const execute = promisify(execFile);

/** The command prefix and identity with which a program is started. */
export interface Runner {
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * In this namespace root's files belong to "nobody", so the server sees an ordinary user and can still read a private
 * directory of root. The machine's own `nobody` is not suitable: every process of that user would be a superuser of the
 * store.
 */
const namespace = ["unshare", "--user", "--map-user=65534", "--map-group=65534"];
const systemUser = "fairlead";

/** Finds a runner by trying to run `program`. Throws a Problem that names the directory. */
export async function findRunner(program: string, directory: string, root = process.getuid?.() === 0): Promise<Runner> {
  const candidates: Runner[] = root ? [{ prefix: namespace }, ...systemUsers()] : [{ prefix: [] }];
  let reason = "";
  for (const candidate of candidates) {
    try {
      await run(candidate, program, ["--version"]);
      return candidate;
    } catch (error) {
      reason = String(error).replace(/\s+/g, " ").trim();
    }
  }
  throw new Problem("invalid", root ? refusedAsRoot(directory, reason) : `${program} cannot be run: ${reason}`);
}

/** Runs a program to its end and returns what it printed. */
export async function run(runner: Runner, program: string, args: readonly string[]): Promise<string> {
  const { file, argv, identity } = commandLine(runner, program, args);
  const { stdout } = await execute(file, argv, { ...identity, env: environment });
  return stdout;
}

/** Returns the arguments for `spawn` or `execFile`. */
export function commandLine({ prefix, ...identity }: Runner, program: string, args: readonly string[]) {
  const [file, ...argv] = [...prefix, program, ...args];
  return { file: file!, argv, identity };
}

/** A fixed environment, since PG* variables of the caller would change the server's behaviour. */
export const environment = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" };

function systemUsers(): Runner[] {
  const entry = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === systemUser);
  return entry ? [{ prefix: [], uid: Number(entry[2]), gid: Number(entry[3]) }] : [];
}

const refusedAsRoot = (directory: string, reason: string) =>
  `PostgreSQL does not run as root, user namespaces are not allowed here, and there is no system user "${systemUser}" ` +
  `with access to ${directory} (${reason}). Start Fairlead as an ordinary user, create that user and a data directory ` +
  "that it can access, or use your own PostgreSQL with --database-url.";
