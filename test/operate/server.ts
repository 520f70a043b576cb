/** Debian's PostgreSQL 15 as an operator runs it: with an archive of its log, backups, and a standby. */
import { appendFileSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findRunner, type Runner, run } from "../../src/storage/embedded/runner.ts";
import { freePort } from "../machine/processes.ts";
import type { StorePlace } from "./place.ts";

const programs = "/usr/lib/postgresql/15/bin";
const program = (name: string) => join(programs, name);

/** A synchronous standby acknowledges each write before the client gets its reply. */
type Mode = "asynchronous" | "synchronous";

export class StoreServer implements StorePlace {
  readonly port: number;
  readonly url: string;
  readonly #runner: Runner;
  readonly #directory: string;
  readonly #data: string;
  readonly #archive: string;

  private constructor(runner: Runner, directory: string, name: string, port: number) {
    this.port = port;
    this.url = `postgresql://fairlead@127.0.0.1:${port}/fairlead`;
    this.#runner = runner;
    this.#directory = directory;
    this.#data = join(directory, name);
    this.#archive = join(directory, "archive");
  }

  /** A new server with an empty database `fairlead`. */
  static async make(directory: string, name = "primary"): Promise<StoreServer> {
    const runner = await findRunner(program("postgres"), directory);
    const server = new StoreServer(runner, directory, name, await freePort());
    if (!existsSync(server.#archive)) server.#makeDirectory(server.#archive);
    await server.#run("initdb", "-D", server.#data, "-U", "fairlead", "-A", "trust", "--encoding=UTF8", "--locale=C");
    server.#configure(
      ["archive_mode", "on"],
      ["archive_command", `cp %p ${server.#archive}/%f`],
      ["wal_level", "replica"],
      ["max_wal_size", "128MB"],
      ["fsync", "off"],
    );
    await server.start();
    await server.sql("create database fairlead", "postgres");
    return server;
  }

  get target(): number {
    return this.port;
  }

  async start(): Promise<void> {
    const options = `-p ${this.port} -h 127.0.0.1 -k ${this.#directory}`;
    await this.#run("pg_ctl", "start", "-w", "-D", this.#data, "-o", options, "-l", `${this.#data}.log`);
  }

  /** Like a power failure. */
  async kill(): Promise<void> {
    await this.#run("pg_ctl", "stop", "-D", this.#data, "-m", "immediate");
  }

  /** As an operator restarts it. */
  async restart(): Promise<void> {
    await this.#run("pg_ctl", "stop", "-D", this.#data, "-m", "fast");
    await this.start();
  }

  async isRunning(): Promise<boolean> {
    return await this.#run("pg_ctl", "status", "-D", this.#data).then(
      () => true,
      () => false,
    );
  }

  /** Changes a setting of the running server. */
  async set(name: string, value: string): Promise<void> {
    await this.sql(`alter system set ${name} = '${value}'`, "postgres");
    await this.sql("select pg_reload_conf()", "postgres");
  }

  /** Removes backups, dumps, the archive, and servers that are gone. */
  tidy(): void {
    const kept = [this.#data, `${this.#data}.log`, this.#archive].map((path) => basename(path));
    const names = readdirSync(this.#directory).filter((name) => !kept.includes(name) && !name.startsWith(".s."));
    const archived = readdirSync(this.#archive).map((name) => join(this.#archive, name));
    for (const path of [...names.map((name) => this.#file(name)), ...archived]) rmSync(path, { recursive: true });
  }

  /** Runs a statement; returns the first value that it shows. */
  async sql(statement: string, database = "fairlead"): Promise<string> {
    return (await this.#run("psql", ...this.#at, "-d", database, "-Atqc", statement)).trim();
  }

  async dump(file: string): Promise<void> {
    await this.#run("pg_dump", ...this.#at, "-Fc", "-f", this.#file(file), "fairlead");
  }

  /** Puts the dump in place of the tables, while the server runs. */
  async restoreDump(file: string): Promise<void> {
    const options = ["--clean", "--if-exists", "--single-transaction", "-d", "fairlead"];
    await this.#run("pg_restore", ...this.#at, ...options, this.#file(file));
  }

  async backUp(name: string): Promise<void> {
    await this.#run("pg_basebackup", ...this.#at, "-D", this.#file(name), "-X", "stream", "-c", "fast");
  }

  /** Recovers from a backup up to a restore point, in the same place. */
  async recover(backup: string, point: string): Promise<void> {
    await this.kill();
    rmSync(this.#data, { recursive: true });
    await this.#run("cp", "-a", this.#file(backup), this.#data);
    this.#configure(
      ["restore_command", `cp ${this.#archive}/%f %p`],
      ["recovery_target_name", point],
      ["recovery_target_action", "promote"],
    );
    this.#write("recovery.signal", "");
    await this.start();
    await this.#settle();
  }

  /** A standby that receives from `primaryPort`. */
  async standby(name: string, primaryPort: number, mode: Mode = "asynchronous"): Promise<StoreServer> {
    await this.backUp(name);
    const standby = new StoreServer(this.#runner, this.#directory, name, await freePort());
    standby.#configure(
      ["primary_conninfo", `host=127.0.0.1 port=${primaryPort} user=fairlead application_name=${name}`],
      ["recovery_target_name", ""],
    );
    standby.#write("standby.signal", "");
    await standby.start();
    if (mode === "synchronous") await this.#waitFor(name);
    return standby;
  }

  /** Acknowledges nothing any more that the standby does not have. */
  async #waitFor(standby: string): Promise<void> {
    await this.set("synchronous_standby_names", standby);
    while ((await this.sql("select sync_state from pg_stat_replication")) !== "sync") await delay(50);
  }

  async promote(): Promise<void> {
    await this.#run("pg_ctl", "promote", "-w", "-D", this.#data);
  }

  /** Waits until recovery has ended, and writes are possible. */
  async #settle(): Promise<void> {
    while ((await this.sql("select pg_is_in_recovery()")) !== "f") await delay(50);
  }

  get #at() {
    return ["-h", "127.0.0.1", "-p", `${this.port}`, "-U", "fairlead"];
  }

  #run(name: string, ...args: readonly string[]): Promise<string> {
    return run(this.#runner, name === "cp" ? "/bin/cp" : program(name), args);
  }

  #configure(...settings: readonly (readonly [string, string])[]): void {
    this.#write("postgresql.auto.conf", settings.map(([name, value]) => `${name} = '${value}'\n`).join(""));
  }

  /** Appends to a file of the server's. */
  #write(name: string, text: string): void {
    const path = join(this.#data, name);
    appendFileSync(path, text, { mode: 0o600 });
    this.#own(path);
  }

  #makeDirectory(path: string): void {
    mkdirSync(path, { mode: 0o700 });
    this.#own(path);
  }

  #own(path: string): void {
    const { uid, gid } = this.#runner;
    if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  }

  #file = (name: string) => join(this.#directory, name);
}
