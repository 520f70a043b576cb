/** PostgreSQL servers with the settings of docs/examples/standby, each on a machine of a network. */
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findRunner, type Runner, run } from "../../src/storage/embedded/runner.ts";
import type { Network } from "../machine/network.ts";
import { tree } from "../service/kit.ts";

const programs = "/usr/lib/postgresql/15/bin";

export const example = (file: string) => join(tree, "docs/examples/standby", file);

export class ClusterServer {
  readonly name: string;
  readonly #directory: string;
  readonly #data: string;
  readonly #runner: Runner;

  private constructor(name: string, directory: string, runner: Runner) {
    this.name = name;
    this.#directory = directory;
    this.#data = join(directory, name);
    this.#runner = runner;
  }

  static async on(network: Network, name: string, directory: string): Promise<ClusterServer> {
    const { prefix, ...identity } = await findRunner(join(programs, "postgres"), directory);
    return new ClusterServer(name, directory, { prefix: [...network.inside(name), ...prefix], ...identity });
  }

  /** Makes the primary, with the users and the database of the example. */
  async makePrimary(): Promise<void> {
    await this.#run("initdb", "-D", this.#data, "-U", "postgres", "-A", "trust", "--encoding=UTF8", "--locale=C");
    copyFileSync(example("pg_hba.conf"), join(this.#data, "pg_hba.conf"));
    // the test is not the system's user postgres
    const rules = readFileSync(join(this.#data, "pg_hba.conf"), "utf8");
    writeFileSync(join(this.#data, "pg_hba.conf"), `local all postgres trust\n${rules}`);
    this.#configure();
    await this.start();
    // there is no standby yet that could acknowledge
    const statements = readFileSync(example("README.md"), "utf8").split("```sql\n")[1]!.split("```")[0]!;
    for (const statement of statements.split("\n").filter(Boolean)) {
      await this.sql(statement, "postgres", ["set synchronous_commit = local"]);
    }
  }

  /** Makes a standby from a backup of the primary at this address. */
  async makeStandby(address: string): Promise<void> {
    const from = `host=${address} user=replica password=secret`;
    await this.#run("pg_basebackup", "-d", from, "-D", this.#data, "-X", "stream", "-c", "fast");
    writeFileSync(join(this.#data, "standby.signal"), "");
    this.#configure();
    await this.start();
  }

  async start(): Promise<void> {
    const options = `-k ${this.#directory} -c fsync=off`;
    await this.#run("pg_ctl", "start", "-w", "-D", this.#data, "-o", options, "-l", `${this.#data}.log`);
  }

  /** Like a power failure. */
  async kill(): Promise<void> {
    await this.#run("pg_ctl", "stop", "-D", this.#data, "-m", "immediate");
  }

  /** Runs a statement as the superuser, after others in the same session; returns what it shows. */
  async sql(statement: string, database = "postgres", before: readonly string[] = []): Promise<string> {
    const commands = [...before, statement].flatMap((one) => ["-c", one]);
    return (
      await this.#run("psql", "-h", this.#directory, "-d", database, "-U", "postgres", "-Atq", ...commands)
    ).trim();
  }

  #configure(): void {
    const settings = readFileSync(example("postgresql.conf"), "utf8");
    const own = settings.replace("cluster_name = 'db1'", `cluster_name = '${this.name}'`);
    appendFileSync(join(this.#data, "postgresql.conf"), `\n${own}`);
  }

  #run(program: string, ...args: readonly string[]): Promise<string> {
    return run(this.#runner, join(programs, program), args);
  }
}
