/** Runs the server's programs: as this user, or without root's identity, since PostgreSQL refuses to run as root. */
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { promisify } from "node:util";
import { invalid } from "../../lib/problem.ts";

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

/** Finds a runner by trying to run `program`. Throws a Problem that names the directory. */
export async function findRunner(program: string, directory: string, root = process.getuid?.() === 0): Promise<Runner> {
  const runner = root ? runnerOfRoot(directory) : { prefix: [] };
  try {
    await run(runner, program, ["--version"]);
    return runner;
  } catch (error) {
    const reason = String(error).replace(/\s+/g, " ").trim();
    const isInNamespace = root && runner.uid === undefined;
    throw invalid(isInNamespace ? refusedAsRoot(directory, reason) : `${program} cannot be run: ${reason}`);
  }
}

/** As the owner of the directory; in a namespace if that is root. */
function runnerOfRoot(directory: string): Runner {
  const { uid, gid } = statSync(directory);
  return uid === 0 ? { prefix: namespace } : { prefix: [], uid, gid };
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

const refusedAsRoot = (directory: string, reason: string) =>
  `PostgreSQL does not run as root, and user namespaces are not allowed here (${reason}). Let Fairlead run as another ` +
  `user (--user) with access to ${directory}, or use your own PostgreSQL with --database-url.`;
