/** Starts the server: installs programs, makes directories and waits until the process accepts connections. */

import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../../lib/log.ts";
import { unavailable } from "../../lib/problem.ts";
import { lowerProcess } from "../../lib/system/priority.ts";
import { type Cluster, initialise, owner, urlOf } from "./cluster.ts";
import { Messages } from "./messages.ts";
import { installPrograms } from "./programs.ts";
import { commandLine, environment, findRunner, run } from "./runner.ts";
import { settingsFor } from "./settings.ts";

const startWithin = 30_000;
/** Temporary errors while the children of a killed server still hold its memory; the children end by themselves. */
const temporary = /shared memory|lock file|is another postmaster/i;

/** Sets up what is missing below `directory` and starts the server. Throws a Problem with the server's own reason. */
export async function launch(
  cluster: Cluster,
  options: { readonly directory: string; readonly binDir?: string; readonly log: Log },
): Promise<ChildProcess> {
  const { directory, binDir = installPrograms(directory), log } = options;
  const program = join(binDir, "postgres");
  const runner = await findRunner(program, directory);
  await initialise(cluster, join(binDir, "initdb"), runner);
  const major = Number(/\) (\d+)/.exec(await run(runner, program, ["--version"]))?.[1]);
  const args = ["-D", cluster.data, "-k", cluster.sockets, "-h", "", ...settingsFor(major)];
  const command = commandLine(runner, program, args);
  const deadline = performance.now() + startWithin;
  for (let pause = 20; ; pause = Math.min(500, pause * 2)) {
    // detached: a signal from the terminal goes to the supervisor, which stops the server in order
    const child = spawn(command.file, command.argv, {
      ...command.identity,
      cwd: cluster.data,
      env: environment,
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (child.pid !== undefined) lowerProcess(child.pid, "calls");
    const messages = new Messages(child.stderr!, log);
    if (await becomesReady(child, messages, cluster)) return child;
    if (!temporary.test(messages.reason) || performance.now() + pause > deadline) {
      throw unavailable(`PostgreSQL did not start: ${messages.reason}`);
    }
    await delay(pause);
  }
}

/** Whether a server of this cluster accepts connections. */
export async function answers(cluster: Cluster): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(cluster, "postgres"), connectionTimeoutMillis: 5000 });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query("show data_directory");
    return rows[0].data_directory === cluster.data;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Makes the service's database if it does not exist. */
export async function makeDatabase(cluster: Cluster): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(cluster, "postgres") });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [owner]);
    if (rowCount === 0) await client.query(`create database ${owner}`);
  } finally {
    await client.end();
  }
}

/** Returns false when the server ended, or did not answer in time. */
async function becomesReady(child: ChildProcess, messages: Messages, cluster: Cluster): Promise<boolean> {
  const end = new Promise<void>((resolve) => {
    // after "close" the last messages of the server have been read
    for (const event of ["close", "error"]) child.once(event, () => resolve());
  });
  await Promise.race([messages.ready, end, delay(startWithin, undefined, { ref: false })]);
  if (await answers(cluster)) return true;
  child.kill("SIGKILL");
  return false;
}
