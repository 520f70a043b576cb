/** The directories of the server's data and socket: made once, private, and found again after a crash. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isThere, syncDirectory } from "../../lib/files.ts";
import { invalid, unavailable } from "../../lib/problem.ts";
import { unreleased } from "../../sync/postgres/schema.ts";
import { type Runner, run } from "./runner.ts";

/** The superuser and database of the embedded server; the private socket directory is the access control. */
export const owner = "fairlead";

/** The limit of `sockaddr_un`, less the length of `/.s.PGSQL.5432`. */
const longestSocketDirectory = 80;

export interface Cluster {
  readonly data: string;
  readonly sockets: string;
}

/** Returns the cluster below a data directory; `initialise` makes its directories. */
export function clusterBelow(directory: string): Cluster {
  const root = realpathSync(directory);
  const near = join(root, "run");
  const hash = createHash("sha256").update(root).digest("hex").slice(0, 16);
  return {
    data: join(root, "store"),
    sockets: near.length <= longestSocketDirectory ? near : join(tmpdir(), `fairlead-${hash}`),
  };
}

export const urlOf = ({ sockets }: Cluster, database = owner) =>
  `postgresql:///${database}?host=${encodeURIComponent(sockets)}&user=${owner}`;

export const isMade = ({ data }: Cluster): boolean => isThere(join(data, "PG_VERSION"));

/** A file in each cluster. Unreleased versions made no such file: their clusters are detected without a start. */
const mark = "fairlead_store";

/** Throws a Problem when an unreleased version made the cluster. Changes nothing. */
export function assertReleased(cluster: Cluster): void {
  const marked = join(cluster.data, mark);
  if (!isMade(cluster) || isThere(marked)) return;
  throw invalid(
    `${unreleased(`the store in ${cluster.data}`)}. The sign is that the file ${marked} is missing: ` +
      "if only the file was lost, for example by pg_upgrade, create it again, empty",
  );
}

/** Makes the cluster if it does not exist, and the private directory of its socket. */
export async function initialise(cluster: Cluster, initdb: string, runner: Runner): Promise<void> {
  makePrivate(cluster.sockets, runner);
  if (isMade(cluster)) return;
  const unfinished = `${cluster.data}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  makePrivate(unfinished, runner);
  await run(runner, initdb, [
    ...["-D", unfinished, "-U", owner, "-A", "trust", "--encoding=UTF8", "--locale=C", "--wal-segsize=4"],
    "--no-instructions",
  ]).catch((error) => {
    throw unavailable(`PostgreSQL cannot make a store in ${cluster.data}: ${reasonOf(error)}`);
  });
  const marked = join(unfinished, mark);
  writeFileSync(marked, "");
  own(marked, runner);
  syncDirectory(unfinished);
  renameSync(unfinished, cluster.data);
  syncDirectory(dirname(cluster.data));
}

/** The line with the reason in what a failed program of PostgreSQL printed. */
const reasonOf = (error: Error) =>
  /(?:FATAL|error): +(.*)/.exec(error.message)?.[1] ?? error.message.trim().split("\n").at(-1);

/** Returns the process id in the server's pid file. */
export function postmasterOf({ data }: Cluster): number | undefined {
  try {
    const pid = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Makes a private directory. Throws if another user made it, which is possible below the temporary directory. */
function makePrivate(path: string, runner: Runner) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  const mine = found.uid === process.getuid?.() || found.uid === runner.uid;
  if (!found.isDirectory() || !mine) throw invalid(`${path} is not a directory of this user`);
  chmodSync(path, 0o700);
  own(path, runner);
}

function own(path: string, { uid, gid }: Runner) {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}
