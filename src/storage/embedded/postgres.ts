/** The embedded PostgreSQL: started or taken over, restarted when it dies, and stopped in order. */

import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isThere } from "../../lib/files.ts";
import type { Log } from "../../lib/log.ts";
import { assertReleased, type Cluster, clusterBelow, isMade, postmasterOf, urlOf } from "./cluster.ts";
import { answers, launch, makeDatabase } from "./launch.ts";
import { endOfServer, processesOf, stopServer } from "./process.ts";

export interface PostgresOptions {
  /** The service's data directory, which contains the server's own directories. */
  readonly directory: string;
  readonly log: Log;
  /** The directory of programs to run instead of the package's own. */
  readonly binDir?: string;
}

export interface Postgres {
  readonly url: string;
  /** The server's processes, the postmaster first; none while it is down. */
  pids(): number[];
  /** Calls `listener` each time the server has died and was restarted. */
  onRestart(listener: () => void): void;
  /** Stops the server; running transactions are rolled back. */
  stop(): Promise<void>;
  /** Leaves the running server to another process: it is neither stopped nor started again here. */
  leave(): void;
}

const firstPause = 50;
const longestPause = 5000;

/** Starts the server below a directory, or takes over a running one. Throws a Problem with the reason. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  assertStoreReleased(options.directory);
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const cluster = clusterBelow(options.directory);
  let child: ChildProcess | undefined;
  if (await answers(cluster))
    options.log.info({ postmaster: postmasterOf(cluster) }, "took over the running PostgreSQL");
  else child = await launch(cluster, options);
  await makeDatabase(cluster);
  return new Server(cluster, options, child);
}

/** Whether a server was ever started below a directory. */
export const hasPostgres = (directory: string): boolean => isThere(directory) && isMade(clusterBelow(directory));

/** Throws a Problem when an unreleased version made the store below a directory. Changes nothing. */
export function assertStoreReleased(directory: string): void {
  if (isThere(directory)) assertReleased(clusterBelow(directory));
}

/** Returns the server that another process runs below a directory. */
export async function runningPostgres(directory: string): Promise<Pick<Postgres, "url" | "stop"> | undefined> {
  if (!existsSync(directory)) return undefined;
  assertStoreReleased(directory);
  const cluster = clusterBelow(directory);
  if (!(await answers(cluster))) return undefined;
  return { url: urlOf(cluster), stop: () => stopServer(cluster) };
}

/** A running server, which is watched and restarted. */
class Server implements Postgres {
  readonly url: string;
  #cluster: Cluster;
  #options: PostgresOptions;
  #listeners: (() => void)[] = [];
  #stopping = false;
  #watching: Promise<void>;

  constructor(cluster: Cluster, options: PostgresOptions, child: ChildProcess | undefined) {
    this.url = urlOf(cluster);
    this.#cluster = cluster;
    this.#options = options;
    this.#watching = this.#watch(child);
  }

  pids(): number[] {
    return processesOf(this.#cluster);
  }

  onRestart(listener: () => void): void {
    this.#listeners.push(listener);
  }

  leave(): void {
    this.#stopping = true;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await stopServer(this.#cluster);
    await this.#watching;
  }

  async #watch(first: ChildProcess | undefined): Promise<void> {
    let child = first;
    let pause = firstPause;
    for (;;) {
      const since = performance.now();
      await (child ? endOf(child) : endOfServer(this.#cluster));
      if (performance.now() - since > longestPause) pause = firstPause;
      do {
        if (this.#stopping) return;
        this.#options.log.error({ restart_in_ms: pause }, "PostgreSQL ended; restarting it");
        await delay(pause);
        pause = Math.min(longestPause, pause * 2);
        child = await this.#start();
      } while (!child);
      for (const listener of this.#listeners) listener();
    }
  }

  async #start(): Promise<ChildProcess | undefined> {
    if (this.#stopping) return undefined;
    try {
      const child = await launch(this.#cluster, this.#options);
      // `stop` was called during the launch
      if (this.#stopping) await stopServer(this.#cluster);
      return child;
    } catch (error) {
      this.#options.log.error({ reason: String(error) }, "PostgreSQL could not be restarted");
      return undefined;
    }
  }
}

const endOf = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((resolve) => child.once("exit", () => resolve()));
